import { useState } from 'preact/hooks'
import type { Client } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Check, Form, TextField } from '../../ui/forms/form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'
import { InnFields, innGiven } from './inn-fields.tsx'

interface ClientSettingsProps {
  readonly client: Client
  readonly onSaved: () => void
}

export function ClientSettings({ client, onSaved }: ClientSettingsProps) {
  const [isSaved, setSaved] = useState(false)
  return (
    <section class="panel narrow stack">
      <Form
        submit="Сохранить"
        act={async (values) => {
          setSaved(false)
          const { inn, ...rest } = innGiven(values)
          const name = values.text('name')
          const warehouse = values.text('warehouse_code')
          await staff('PATCH /clients/{id}', {
            path: { id: client.id },
            body: {
              ...rest,
              name,
              account_receipts: values.isChecked('account_receipts'),
              inn: inn ?? null,
              // The warehouse of a client with goods is refused even when it is the same.
              ...(warehouse !== client.warehouse_code && { warehouse_code: warehouse }),
            },
          })
          setSaved(true)
          onSaved()
        }}
      >
        <TextField name="name" label="Название" defaultValue={client.name} required />
        <InnFields inn={client.inn ?? ''} />
        <WarehouseChoice value={client.warehouse_code} />
        <Check
          name="account_receipts"
          label="Пользователи клиента могут заявлять поставки в личном кабинете"
          checked={client.account_receipts}
        />
      </Form>
      <p role="status" class="quiet">
        {isSaved ? 'Сохранено.' : ''}
      </p>
    </section>
  )
}
