import { useState } from 'preact/hooks'
import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { IssuedStaffDevice, StaffDevice } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { useAddress } from '../../ui/address.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'
import { Choice, TextField } from '../../ui/forms/form.tsx'
import { Beside, Heading } from '../../ui/heading.tsx'
import { ChoiceFilter, Filters, oneOf } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { OpenedForm } from '../parts/opened-form.tsx'
import { WarehouseChoice } from '../parts/warehouse-choice.tsx'

type Status = StaffDevice['status']
type Purpose = StaffDevice['purpose']

const devicePurposes = ['HANDHELD', 'STATION', 'SCREEN'] as const

const purposes: Readonly<Record<Purpose, string>> = {
  HANDHELD: 'терминал',
  STATION: 'станция печати',
  SCREEN: 'экран на стене',
}

/** What is taken away, and what follows. */
const revoked: Readonly<Record<Purpose, readonly [what: string, consequence: string]>> = {
  HANDHELD: [
    'терминал',
    'Кто на нём вошёл, сразу выйдет, и начатые задания освободятся. Чтобы вернуть терминал, добавьте его заново.',
  ],
  STATION: [
    'станцию печати',
    'Она больше ничего не напечатает. Чтобы вернуть станцию, добавьте её заново.',
  ],
  SCREEN: [
    'экран',
    'Он сразу перестанет показывать склад. Чтобы вернуть экран, добавьте его заново.',
  ],
}

/** Where a device of each kind takes its code. */
const pages: Readonly<Record<Purpose, string>> = {
  HANDHELD: '/staff/scan',
  STATION: '/staff/print',
  SCREEN: '/staff/wall',
}

const statuses: Readonly<Record<Status, readonly [Tone, string]>> = {
  WAITING: ['warn', 'ждёт кода'],
  ENROLLED: ['good', 'работает'],
  REVOKED: ['quiet', 'отозван'],
}

const statusWords = Object.fromEntries(
  Object.entries(statuses).map(([status, [, word]]) => [status, word]),
)

export default function Devices() {
  const { query, hrefWith, go } = useAddress()
  const [version, setVersion] = useState(0)
  const [issued, setIssued] = useState<IssuedStaffDevice>()
  const changed = () => setVersion((last) => last + 1)
  const onIssued = (device: IssuedStaffDevice) => {
    setIssued(device)
    changed()
    go({ form: undefined }, true)
  }
  return (
    <div class="stack">
      <Heading
        title="Терминалы"
        about="На терминалах входят по PIN, станции печати и экраны работают без входа"
      >
        <a class="button primary" href={hrefWith({ form: 'new' })}>
          Добавить терминал
        </a>
      </Heading>
      {issued !== undefined && (
        <ShownOnce
          title={`Код: ${purposes[issued.purpose]} ${quoted(issued.name)}`}
          secret={issued.code}
          hint={`Откройте на этом устройстве ${location.origin}${pages[issued.purpose]} и отсканируйте код или введите его: он действует 15 минут и один раз.`}
          qr={issued.qr}
          onDone={() => setIssued(undefined)}
        />
      )}
      <Beside form={query.form === 'new' && <NewDevice onIssued={onIssued} />}>
        <Filters>
          <ChoiceFilter name="status" label="Состояние" options={statusWords} />
        </Filters>
        <List
          name="Терминалы"
          of={query.status ?? ''}
          version={version}
          columns={columnsOf(changed)}
          keyOf={({ id }) => id}
          ask={({ signal, ...page }) =>
            staff('GET /devices', {
              query: { status: oneOf(query.status, ['WAITING', 'ENROLLED', 'REVOKED']), ...page },
              signal,
            })
          }
          files={
            <ExportLinks
              list="devices"
              filter={{ status: oneOf(query.status, ['WAITING', 'ENROLLED', 'REVOKED']) }}
            />
          }
          empty="Терминалов нет. Добавьте первый: он получит код, который вводят один раз."
        />
      </Beside>
    </div>
  )
}

function columnsOf(changed: () => void): readonly Column<StaffDevice>[] {
  return [
    { title: 'Название', cell: ({ name }) => name },
    {
      title: 'Что это',
      cell: ({ purpose, warehouse_code: code }) =>
        code === null ? purposes[purpose] : `${purposes[purpose]} · ${code}`,
    },
    {
      title: 'Состояние',
      main: true,
      cell: ({ status }) => <Badge tone={statuses[status][0]} word={statuses[status][1]} />,
    },
    { title: 'Им пользовались', cell: ({ last_used_at: at }) => <Moment at={at} none="ещё нет" /> },
    { title: 'Кто входил', cell: ({ last_name: name }) => name },
    {
      title: 'Действия',
      cell: ({ id, name, purpose, status }) =>
        status !== 'REVOKED' && (
          <ConfirmButton
            label="Отозвать"
            question={`Отозвать ${revoked[purpose][0]} ${quoted(name)}?`}
            consequence={revoked[purpose][1]}
            danger
            act={async () => {
              await staff('POST /devices/{id}/revoke', { path: { id } })
              changed()
            }}
          />
        ),
    },
  ]
}

function NewDevice({ onIssued }: { readonly onIssued: (device: IssuedStaffDevice) => void }) {
  const [purpose, setPurpose] = useState<Purpose>('HANDHELD')
  return (
    <OpenedForm
      title="Новый терминал"
      submit="Получить код"
      act={async (values) => {
        const own = { name: values.text('name'), purpose }
        const body =
          purpose === 'HANDHELD' ? own : { ...own, warehouse_code: values.text('warehouse_code') }
        onIssued(await staff('POST /devices', { body }))
      }}
    >
      <TextField
        name="name"
        label="Название"
        hint="По нему терминал узнают на складе"
        required
        autofocus
      />
      <Choice
        name="purpose"
        label="Что это"
        options={Object.entries(purposes).map(([value, text]) => ({ value, text }))}
        value={purpose}
        hint="Станции печати и экрану вход не нужен: станция печатает, экран показывает путь заказов"
        onChange={(value) => setPurpose(oneOf(value, devicePurposes) ?? 'HANDHELD')}
      />
      {purpose !== 'HANDHELD' && <WarehouseChoice />}
    </OpenedForm>
  )
}
