import { quoted } from '../../../src/platform/kernel/quoted.ts'
import type { Today, WaitingKeyRequests } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { ActionButton } from '../../ui/forms/action-button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { moment } from '../../words/format.ts'
import { pathOf } from '../paths.ts'
import { ButtonLink, type Item, Thing } from './section.tsx'

type Problem = Today['cabinets']['items'][number]['problems'][number]

const problems: Readonly<Record<Problem, string>> = {
  credentials_refused: 'ключи не приняты',
  sync_error: 'не удалась синхронизация',
  warehouses_not_chosen: 'заказы не загружаются, пока не выбраны склады',
  credentials_expiring: 'ключи скоро истекут',
}

interface CabinetProps {
  readonly cabinet: Item<Today['cabinets']>
  readonly reload: () => void
}

export function CabinetCard({ cabinet, reload }: CabinetProps) {
  return (
    <>
      <Thing
        href={pathOf('cabinet', cabinet.cabinet_id)}
        title={`${cabinet.marketplace} ${cabinet.name}`}
      >
        {cabinet.client_name} · {cabinet.problems.map((each) => problems[each]).join(', ')}
        {cabinet.sync_error && `: ${cabinet.sync_error}`}
      </Thing>
      <Remedy cabinet={cabinet} reload={reload} />
    </>
  )
}

/** What mends the worst problem: without keys nothing else helps. */
function Remedy({ cabinet: { cabinet_id: id, name, problems: has }, reload }: CabinetProps) {
  if (has.includes('credentials_refused') || has.includes('credentials_expiring')) {
    return <ButtonLink href={pathOf('cabinet', id, 'settings')} label="Заменить ключи" of={name} />
  }
  if (has.includes('warehouses_not_chosen')) {
    return (
      <ButtonLink href={pathOf('cabinet', id, 'warehouses')} label="Выбрать склады" of={name} />
    )
  }
  return (
    <ActionButton
      label="Синхронизировать"
      act={async () => {
        const { message } = await staff('POST /cabinets/{id}/sync', { path: { id } })
        showToast(`${name}: ${message}`)
        reload()
      }}
    />
  )
}

export function WebhookCard({ webhook }: { readonly webhook: Item<Today['webhooks']> }) {
  const { webhook_id: id, client_id, url, client_name: client, disabled_at: at } = webhook
  return (
    <>
      <Thing href={pathOf('client', client_id, 'webhooks')} title={url}>
        {client} · {moment(at)}
        {webhook.disabled_reason && ` · ${webhook.disabled_reason}`}
      </Thing>
      <ButtonLink href={pathOf('webhook', id)} label="Попытки" of={url} />
    </>
  )
}

/** Its client's page shows what the key is for, and decides. */
export function KeyRequestCard({ request }: { readonly request: Item<WaitingKeyRequests> }) {
  const { client_id, client_name: client, name, created_at: at } = request
  const href = pathOf('client', client_id, 'keys')
  return (
    <>
      <Thing href={href} title={client}>
        Ключ {quoted(name)} · {moment(at)}
      </Thing>
      <ButtonLink href={href} label="Решить" of={name} />
    </>
  )
}
