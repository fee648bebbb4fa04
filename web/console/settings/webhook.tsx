import { useRoute } from 'preact-iso'
import type { DeliveryAttempt } from '../../api/staff-calls.ts'
import { staff } from '../../staff/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Heading } from '../../ui/heading.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ExportLinks } from '../parts/export-links.tsx'

const columns: readonly Column<DeliveryAttempt>[] = [
  { title: 'Когда', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Событие', cell: ({ event_type: type }) => <code>{type}</code> },
  { title: 'Попытка', cell: ({ attempt }) => `№ ${attempt}` },
  {
    title: 'Ответ',
    cell: ({ status_code: status, error }) => (
      <>
        <Badge
          tone={status >= 200 && status < 300 ? 'good' : 'bad'}
          word={status === 0 ? 'нет ответа' : String(status)}
        />
        {error !== undefined && <p class="small">{error}</p>}
      </>
    ),
  },
  { title: 'мс', cell: ({ duration_ms: duration }) => duration, end: true },
]

/** Every attempt of a subscription. */
export default function Webhook() {
  const { params } = useRoute()
  const id = params.id ?? ''
  return (
    <div class="stack">
      <Heading title="Попытки доставки" about="События одной подписки продавца, новые первыми" />
      <p class="quiet">
        Подписка отключается после восьми неудач подряд. Тогда продавец чинит приёмник, создаёт
        подписку заново и запрашивает пропущенные события.
      </p>
      <List
        name="Попытки доставки"
        of={id}
        columns={columns}
        keyOf={({ delivery_id, attempt }) => `${delivery_id} ${attempt}`}
        ask={({ signal, ...page }) =>
          staff('GET /webhooks/{id}/attempts', { path: { id }, query: page, signal })
        }
        files={<ExportLinks list="attempts" filter={{ webhook_id: id }} />}
        empty="Попыток ещё не было: подписке не о чем сообщать."
      />
    </div>
  )
}
