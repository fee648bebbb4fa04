import type { Webhook } from '../../api/staff-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Failure } from '../../ui/failure.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ExportLinks } from '../parts/export-links.tsx'
import { pathOf } from '../paths.ts'

const columns: readonly Column<Webhook>[] = [
  {
    title: 'Адрес',
    cell: ({ id, url }) => (
      <a class="name" href={pathOf('webhook', id)}>
        {url}
      </a>
    ),
  },
  { title: 'Состояние', main: true, cell: (webhook) => <State webhook={webhook} /> },
  { title: 'События', cell: ({ events }) => <span class="small">{events.join(', ')}</span> },
  {
    title: 'Последняя попытка',
    cell: ({ last_delivery_at: at, last_status_code: status }) => (
      <>
        <Moment at={at} none="ещё не было" />
        {status !== undefined && (
          <p class="small">{status === 0 ? 'нет ответа' : `ответ ${status}`}</p>
        )}
      </>
    ),
  },
  { title: 'Неудач подряд', cell: ({ failures_in_row: failures }) => failures, end: true },
]

/** Where the client's events go. */
export function Webhooks({ clientId }: { readonly clientId: string }) {
  const { data, error, reload } = useAnswer(
    `client webhooks ${clientId}`,
    (signal) => staff('GET /clients/{id}/webhooks', { path: { id: clientId }, signal }),
    { refreshMs: 20_000 },
  )
  if (data === undefined) return <Waiting error={error} retry={reload} />
  const disabled = data.items.filter(({ active }) => !active).length
  return (
    <div class="stack">
      <Failure error={error} retry={reload} />
      {disabled > 0 && (
        <p class="notice warn">
          Отключённая подписка сама не включится: попросите продавца починить приёмник, создать
          подписку заново и запросить пропущенные события. Что отвечал приёмник, видно в попытках.
        </p>
      )}
      <Table
        name="Вебхуки"
        rows={data.items}
        columns={columns}
        keyOf={({ id }) => id}
        files={<ExportLinks list="webhooks" filter={{ client_id: clientId }} />}
        empty={
          <p class="empty">Подписок нет: продавец заводит их в личном кабинете или через API.</p>
        }
      />
    </div>
  )
}

function State({ webhook }: { readonly webhook: Webhook }) {
  const { active, failures_in_row: failures, disabled_reason: reason } = webhook
  if (!active) {
    return (
      <>
        <Badge tone="bad" word="отключена" />
        {reason !== undefined && <p class="small">{reason}</p>}
      </>
    )
  }
  return failures > 0 ? (
    <Badge tone="warn" word="не отвечает" />
  ) : (
    <Badge tone="good" word="работает" />
  )
}
