import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { wrongField } from '../../api/caller.ts'
import { ClientPicker } from '../parts/client-picker.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { listOf, pathOf } from '../paths.ts'

/** Leads from the prices of a warehouse to the form of a client's own. */
export function ClientsPrices() {
  const { route } = useLocation()
  const [client, setClient] = useState<string>()
  return (
    <OpenedForm
      title="Цены клиента"
      submit="Назвать цены"
      act={async () => {
        if (client === undefined) throw wrongField('client_id', 'выберите клиента')
        route(listOf(pathOf('client', client), { tab: 'money', part: 'tariff', form: 'tariff' }))
      }}
    >
      <p class="small quiet">Они действуют вместо цен склада, услуга за услугой.</p>
      <ClientPicker name="client_id" label="Чьи цены" clientId={client} onPick={setClient} />
    </OpenedForm>
  )
}
