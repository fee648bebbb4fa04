import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { Beside } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import { CredentialFields, credentialsGiven } from '../cabinets/credential-fields.tsx'
import { cabinetColumns, modeHints, modes } from '../cabinets/states.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { pathOf } from '../paths.ts'

export function Cabinets({ clientId }: { readonly clientId: string }) {
  const { query, hrefWith } = useAddress()
  return (
    <Beside form={query.form === 'new' && <NewCabinet clientId={clientId} />}>
      <div class="row">
        <a class="button primary" href={hrefWith({ form: 'new' })}>
          Подключить кабинет
        </a>
      </div>
      <List
        name="Кабинеты"
        of={clientId}
        columns={cabinetColumns}
        keyOf={({ id }) => id}
        ask={({ signal, ...page }) =>
          staff('GET /clients/{id}/cabinets', { path: { id: clientId }, query: page, signal })
        }
        files={<ExportLinks list="cabinets" filter={{ client_id: clientId }} />}
        empty="Кабинетов ещё нет. Подключите кабинет WB или OZON либо заведите его без ключей и ведите заказы сами."
      />
    </Beside>
  )
}

function NewCabinet({ clientId }: { readonly clientId: string }) {
  const { route } = useLocation()
  const [marketplace, setMarketplace] = useState<'WB' | 'OZON'>('WB')
  const [mode, setMode] = useState<keyof typeof modes | ''>('')
  return (
    <OpenedForm
      title="Новый кабинет"
      submit="Подключить"
      busy="Подключаем…"
      act={async (values) => {
        const cabinet = await staff('POST /clients/{id}/cabinets', {
          path: { id: clientId },
          body: {
            marketplace,
            name: values.text('name'),
            credentials: credentialsGiven(values, marketplace),
            shipments: mode || undefined,
          },
        })
        route(pathOf('cabinet', cabinet.id))
      }}
    >
      <Choice
        name="marketplace"
        label="Маркетплейс"
        options={[
          { value: 'WB', text: 'WB' },
          { value: 'OZON', text: 'OZON' },
        ]}
        value={marketplace}
        onChange={(value) => setMarketplace(value === 'OZON' ? 'OZON' : 'WB')}
      />
      <TextField name="name" label="Название" hint="Как кабинет называет продавец" required />
      <CredentialFields marketplace={marketplace} />
      <Choice
        name="shipments"
        label="Где собирают отгрузки"
        options={[
          { value: '', text: 'Как обычно' },
          ...Object.entries(modes).map(([value, text]) => ({ value, text })),
        ]}
        value={mode}
        onChange={(value) => setMode(value as typeof mode)}
        hint={mode === '' ? 'С ключами — в кабинете, без них — здесь.' : modeHints[mode]}
      />
    </OpenedForm>
  )
}
