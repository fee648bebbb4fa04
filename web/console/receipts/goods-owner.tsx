import { useState } from 'preact/hooks'
import { type CallError, wrongField } from '../../api/caller.ts'
import type { StaffCabinet } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Choice, type ChoiceOptions } from '../../ui/forms/form.tsx'
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

function CabinetChoice({ clientId }: { readonly clientId: string }) {
  const { options, error } = useCabinets(clientId)
  if (options === undefined && error === undefined) return <span aria-busy="true" />
  if (options === undefined || options.length < 2) return null
  return (
    <Choice
      name="cabinet_id"
      label="Кабинет"
      options={[{ value: '', text: 'Выберите кабинет' }, ...options]}
    />
  )
}

/** The cabinets of a client, for a choice. */
export function useCabinets(
  id: string,
  which: (cabinet: StaffCabinet) => boolean = () => true,
): ChoiceOptions {
  const { data, error } = useAnswer(`cabinets of ${id}`, (signal) =>
    staff('GET /clients/{id}/cabinets', { path: { id }, query: { limit: 200 }, signal }),
  )
  const options = data?.items.filter(which).map(({ id, marketplace, name }) => ({
    value: id,
    text: `${marketplace} ${name}`,
  }))
  return { options, error }
}

/** Of a form whose client has not been chosen. */
export function noClient(): CallError {
  return wrongField('client_id', 'выберите клиента: начните вводить название или ИНН')
}
