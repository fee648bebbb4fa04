import { useState } from 'preact/hooks'
import type { Warehouse } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useSession } from '../../staff/session.tsx'
import { useAddress } from '../../ui/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { isAtLeast } from '../rooms.ts'

export default function Warehouses() {
  const { query, hrefWith, go } = useAddress()
  const { user } = useSession()
  const [version, setVersion] = useState(0)
  const changed = () => setVersion((last) => last + 1)
  const administers = isAtLeast(user, 'administrator')
  const form = administers && query.form === 'new' && (
    <NewWarehouse
      onMade={() => {
        changed()
        go({ form: undefined })
      }}
    />
  )
  return (
    <div class="stack">
      <Heading title="Склады" about="Где лежат товары и принимают ли там заявки продавцов">
        {administers && (
          <a class="button primary" href={hrefWith({ form: 'new' })}>
            Завести склад
          </a>
        )}
      </Heading>
      <Beside form={form}>
        <List
          name="Склады"
          version={version}
          columns={columnsOf(isAtLeast(user, 'manager'), changed)}
          keyOf={({ code }) => code}
          ask={({ signal, ...page }) => staff('GET /warehouses', { query: page, signal })}
          files={<ExportLinks list="warehouses" />}
          empty="Складов ещё нет. Начните с него: без склада не завести клиента."
        />
      </Beside>
    </div>
  )
}

function columnsOf(maySwitch: boolean, changed: () => void): readonly Column<Warehouse>[] {
  const columns: Column<Warehouse>[] = [
    { title: 'Код', cell: ({ code }) => <code>{code}</code> },
    { title: 'Название', cell: ({ name }) => name },
    {
      title: 'Заявки продавцов',
      cell: ({ intake_open: open }) =>
        open ? <Badge tone="good" word="принимает" /> : <Badge tone="warn" word="не принимает" />,
    },
    { title: 'Заведён', cell: ({ created_at: at }) => <Moment at={at} /> },
  ]
  if (!maySwitch) return columns
  return [
    ...columns,
    { title: 'Действия', cell: (row) => <IntakeSwitch warehouse={row} changed={changed} /> },
  ]
}

interface IntakeSwitchProps {
  readonly warehouse: Warehouse
  readonly changed: () => void
}

function IntakeSwitch({ warehouse, changed }: IntakeSwitchProps) {
  const { code, intake_open: isOpen } = warehouse
  const put = (open: boolean) => async () => {
    await staff('PUT /warehouses/{code}/intake', { path: { code }, body: { open } })
    changed()
  }
  const said = isOpen
    ? `Склад ${code} больше не принимает заявок: программы продавцов повторят их позже`
    : `Склад ${code} принимает заявки`
  return (
    <ActionButton
      label={isOpen ? 'Закрыть приём' : 'Принимать заявки'}
      act={put(!isOpen)}
      said={said}
      undo={put(isOpen)}
    />
  )
}

function NewWarehouse({ onMade }: { readonly onMade: () => void }) {
  return (
    <OpenedForm
      title="Новый склад"
      submit="Завести"
      act={async (values) => {
        await staff('POST /warehouses', {
          body: { code: values.text('code'), name: values.text('name') },
        })
        onMade()
      }}
    >
      <WarehouseFields />
    </OpenedForm>
  )
}

export function WarehouseFields() {
  return (
    <>
      <TextField
        name="code"
        label="Код"
        hint="Короткий, например MSK1; печатается на этикетках"
        required
      />
      <TextField name="name" label="Название" hint="Например, Москва, Складочная 1" required />
    </>
  )
}
