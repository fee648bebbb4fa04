import { useState } from 'preact/hooks'
import { type CallError, wrongField } from '../../api/caller.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Choice } from '../../ui/form.tsx'
import { ClientPicker } from '../parts/client-picker.tsx'

/** Whose goods come: the client, and its cabinet where there are several. */
export function GoodsOwner() {
  const { query } = useAddress()
  const [client, setClient] = useState(query.client_id)
  return (
    <>
      <ClientPicker name="client_id" label="Чей товар" clientId={client} onPick={setClient} />
      {client !== undefined && <CabinetChoice clientId={client} />}
    </>
  )
}

export function CabinetChoice({ clientId }: { readonly clientId: string }) {
  const { data } = useAnswer(`cabinets of ${clientId}`, (signal) =>
    staff('GET /clients/{id}/cabinets', { path: { id: clientId }, query: { limit: 200 }, signal }),
  )
  const cabinets = data?.items ?? []
  if (cabinets.length < 2) return null
  const options = cabinets.map(({ id, marketplace, name }) => ({
    value: id,
    text: `${marketplace} ${name}`,
  }))
  return (
    <Choice
      name="cabinet_id"
      label="Кабинет"
      options={[{ value: '', text: 'Выберите кабинет' }, ...options]}
    />
  )
}

/** Of a form whose client has not been chosen. */
export function noClient(): CallError {
  return wrongField('client_id', 'выберите клиента: начните вводить название или ИНН')
}
