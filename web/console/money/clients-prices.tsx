import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { wrongField } from '../../api/caller.ts'
import { useAddress } from '../../ui/address.ts'
import { Form } from '../../ui/form.tsx'
import { ClientPicker } from '../parts/client-picker.tsx'
import { listOf, pathOf } from '../paths.ts'

/** Leads from the prices of a warehouse to the form of a client's own. */
export function ClientsPrices() {
  const { hrefWith } = useAddress()
  const { route } = useLocation()
  const [client, setClient] = useState<string>()
  return (
    <Form
      title="Цены клиента"
      submit="Назвать цены"
      cancel={hrefWith({ form: undefined })}
      act={async () => {
        if (client === undefined) throw wrongField('client_id', 'выберите клиента')
        route(listOf(pathOf('client', client), { tab: 'money', part: 'tariff', form: 'tariff' }))
      }}
    >
      <p class="small quiet">Они действуют вместо цен склада, услуга за услугой.</p>
      <ClientPicker name="client_id" label="Чьи цены" clientId={client} onPick={setClient} />
    </Form>
  )
}
