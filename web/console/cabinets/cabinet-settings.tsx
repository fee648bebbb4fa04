import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { StaffCabinet } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Check, Choice, Form, TextField } from '../../ui/forms/form.tsx'
import { pathOf } from '../paths.ts'
import { CredentialFields, credentialsGiven } from './credential-fields.tsx'
import { modeHints, modes } from './states.tsx'

interface CabinetSettingsProps {
  readonly cabinet: StaffCabinet
  readonly onSaved: () => void
}

export function CabinetSettings({ cabinet, onSaved }: CabinetSettingsProps) {
  return (
    <div class="cards">
      <CommonSettings cabinet={cabinet} onSaved={onSaved} />
      <CredentialSettings key={cabinet.credentials_at} cabinet={cabinet} onSaved={onSaved} />
    </div>
  )
}

function CommonSettings({ cabinet, onSaved }: CabinetSettingsProps) {
  const [mode, setMode] = useState(cabinet.shipments)
  const [isSaved, setSaved] = useState(false)
  return (
    <section class="panel stack">
      <Form
        title="Работа"
        submit="Сохранить"
        act={async (values) => {
          setSaved(false)
          await staff('PATCH /cabinets/{id}', {
            path: { id: cabinet.id },
            body: {
              name: values.text('name'),
              active: values.isChecked('active'),
              deadline_hours: values.number('deadline_hours') ?? null,
              ...(mode !== cabinet.shipments && { shipments: mode }),
              ...(cabinet.marketplace === 'WB' && {
                shipping_method_required: values.isChecked('shipping_method_required'),
              }),
            },
          })
          setSaved(true)
          onSaved()
        }}
      >
        <TextField name="name" label="Название" defaultValue={cabinet.name} required />
        <Choice
          name="shipments"
          label="Где собирают отгрузки"
          options={Object.entries(modes).map(([value, text]) => ({ value, text }))}
          value={mode}
          hint={modeHints[mode]}
          onChange={(value) => setMode(value as typeof mode)}
        />
        <TextField
          name="deadline_hours"
          label="Срок заказа, часов"
          hint="Если маркетплейс не назвал срока; пусто — без срока"
          inputMode="numeric"
          defaultValue={cabinet.deadline_hours === null ? '' : String(cabinet.deadline_hours)}
        />
        {cabinet.marketplace === 'WB' && (
          <Check
            name="shipping_method_required"
            label="Отгрузкам нужен пункт"
            hint="Снимите для продавцов не из России."
            checked={cabinet.shipping_method_required}
          />
        )}
        <Check name="active" label="Кабинет подключён" checked={cabinet.active} />
      </Form>
      <p role="status" class="quiet">
        {isSaved ? 'Сохранено.' : ''}
      </p>
    </section>
  )
}

function CredentialSettings({ cabinet, onSaved }: CabinetSettingsProps) {
  const { route } = useLocation()
  const path = { id: cabinet.id }
  return (
    <section class="panel stack">
      <Form
        minor
        title={cabinet.has_credentials ? 'Заменить ключи' : 'Задать ключи'}
        submit="Сохранить ключи"
        busy="Проверяем…"
        act={async (values) => {
          const credentials = credentialsGiven(values, cabinet.marketplace)
          const saved = await staff('PATCH /cabinets/{id}', { path, body: { credentials } })
          onSaved()
          // There the warehouses are chosen, without which no order comes.
          if (saved.needs_warehouses) route(pathOf('cabinet', cabinet.id))
        }}
      >
        <CredentialFields marketplace={cabinet.marketplace} required />
      </Form>
      {cabinet.has_credentials && (
        <div>
          <ConfirmButton
            label="Убрать ключи"
            question={`Убрать ключи кабинета ${quoted(cabinet.name)}?`}
            consequence="Склад перестанет читать заказы и передавать отгрузки. Ключи можно будет задать снова."
            danger
            act={async () => {
              await staff('PATCH /cabinets/{id}', { path, body: { credentials: null } })
              onSaved()
            }}
          />
        </div>
      )}
    </section>
  )
}
