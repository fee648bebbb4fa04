import type { NoticeSettings, NoticeSettingsDraft } from '../../api/account-calls.ts'
import { Choice, Form, type FormValues, TextField } from '../forms/form.tsx'
import { type Column, Table } from '../lists/table.tsx'
import { showToast } from '../toast.tsx'

type Kind = NoticeSettings['kinds'][number]
type Pace = Kind['email']

const paces: Readonly<Record<Pace, string>> = {
  now: 'сразу',
  digest: 'в сводке',
  off: 'не присылать',
}
const paceNames = Object.keys(paces) as Pace[]

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), text: `${hour}:00` }))
const hoursOrNone = [{ value: '', text: 'нет' }, ...hours]

interface NoticeChoicesProps {
  readonly settings: NoticeSettings
  readonly keep: (draft: NoticeSettingsDraft) => Promise<unknown>
  readonly changed: () => void
}

/** What a user wants to learn, where and when. */
export function NoticeChoices({ settings, keep, changed }: NoticeChoicesProps) {
  const { kinds, digest_hour, quiet_from, quiet_to, low_days: lowDays } = settings
  return (
    <section class="panel stack">
      <Form
        title="Что присылать"
        submit="Сохранить"
        act={async (values) => {
          await keep(draftOf(kinds, values))
          showToast('Настройки уведомлений сохранены')
          changed()
        }}
      >
        <Table name="Что присылать" rows={kinds} columns={columns} keyOf={({ kind }) => kind} />
        <div class="fields">
          <Choice
            name="digest_hour"
            label="Сводка раз в сутки, в"
            options={hours}
            value={String(digest_hour)}
          />
          <Choice
            name="quiet_from"
            label="Не беспокоить с"
            options={hoursOrNone}
            value={String(quiet_from ?? '')}
          />
          <Choice
            name="quiet_to"
            label="Не беспокоить до"
            options={hoursOrNone}
            value={String(quiet_to ?? '')}
          />
        </div>
        {lowDays !== undefined && (
          <TextField
            type="number"
            name="low_days"
            label="Скоро закончится: запас меньше, дней"
            value={String(lowDays)}
            min={1}
            max={90}
            required
          />
        )}
        <p class="small quiet">Время московское. Что случится ночью, придёт утром.</p>
      </Form>
    </section>
  )
}

const columns: readonly Column<Kind>[] = [
  { title: 'О чём', cell: ({ label }) => label },
  {
    title: 'На странице',
    cell: ({ kind, label, bell }) => (
      <input
        type="checkbox"
        name={`${kind} bell`}
        aria-label={`${label}: на странице`}
        defaultChecked={bell}
      />
    ),
  },
  { title: 'Почта', cell: (kind) => <PaceChoice kind={kind} channel="email" name="почта" /> },
  {
    title: 'Telegram',
    cell: (kind) => <PaceChoice kind={kind} channel="telegram" name="Telegram" />,
  },
]

function PaceChoice({
  kind,
  channel,
  name,
}: {
  readonly kind: Kind
  readonly channel: 'email' | 'telegram'
  readonly name: string
}) {
  return (
    <select name={`${kind.kind} ${channel}`} aria-label={`${kind.label}: ${name}`}>
      {paceNames.map((pace) => (
        <option key={pace} value={pace} selected={pace === kind[channel]}>
          {paces[pace]}
        </option>
      ))}
    </select>
  )
}

function draftOf(kinds: readonly Kind[], values: FormValues): NoticeSettingsDraft {
  const paceOf = (name: string): Pace =>
    paceNames.find((pace) => pace === values.text(name)) ?? 'off'
  return {
    kinds: kinds.map(({ kind }) => ({
      kind,
      bell: values.isChecked(`${kind} bell`),
      email: paceOf(`${kind} email`),
      telegram: paceOf(`${kind} telegram`),
    })),
    digest_hour: values.number('digest_hour') ?? 0,
    quiet_from: values.number('quiet_from') ?? null,
    quiet_to: values.number('quiet_to') ?? null,
    low_days: values.number('low_days'),
  }
}
