import type { Today } from '../../api/staff-calls.ts'
import { moment } from '../../words/format.ts'
import { pathOf } from '../paths.ts'
import { Section, Thing } from './section.tsx'

type Problem = Today['cabinets']['items'][number]['problems'][number]

const problems: Readonly<Record<Problem, string>> = {
  credentials_refused: 'ключи не приняты',
  sync_error: 'не удалась синхронизация',
  warehouses_not_chosen: 'не выбраны склады',
  credentials_expiring: 'ключи скоро истекут',
}

export function Cabinets({ cabinets }: { readonly cabinets: Today['cabinets'] }) {
  return (
    <Section
      title="Кабинеты с проблемами"
      {...cabinets}
      keyOf={({ cabinet_id: id }) => id}
      item={(cabinet) => (
        <Thing
          href={pathOf('cabinet', cabinet.cabinet_id)}
          title={`${cabinet.marketplace} ${cabinet.name}`}
        >
          {cabinet.client_name} · {cabinet.problems.map((each) => problems[each]).join(', ')}
          {cabinet.sync_error && `: ${cabinet.sync_error}`}
        </Thing>
      )}
    />
  )
}

export function Webhooks({ webhooks }: { readonly webhooks: Today['webhooks'] }) {
  return (
    <Section
      title="Вебхуки отключены"
      {...webhooks}
      keyOf={({ webhook_id: id }) => id}
      item={({
        webhook_id: id,
        url,
        client_name: client,
        disabled_at: at,
        disabled_reason: reason,
      }) => (
        <Thing href={pathOf('webhook', id)} title={url}>
          {client} · {moment(at)}
          {reason && ` · ${reason}`}
        </Thing>
      )}
    />
  )
}
