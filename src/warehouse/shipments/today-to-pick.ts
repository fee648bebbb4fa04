import Type, { type Static } from 'typebox'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'
import { earlier, type FlowPart } from './today-flow.ts'

/** Cabinets shown at most. */
const shownMax = 50

const CabinetToPick = Type.Object({
  cabinet_id: Type.String({ description: 'Кабинет.' }),
  cabinet_name: Type.String({ description: 'Его название.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  orders_count: count('Сколько заказов ждут отгрузки.'),
  units: count('Сколько в них единиц.'),
  deadline: momentOrNull('Самый ранний срок этих заказов; null, если срока нет.'),
})

export const TodayToPick = Type.Object(
  {
    counted_at: moment('Когда посчитано: при многих тысячах заказов — несколько секунд назад.'),
    total: count('Сколько заказов ждут отгрузки.'),
    units: count('Сколько в них единиц.'),
    deadline: momentOrNull('Самый ранний срок; null, если срока нет.'),
    items: Type.Array(CabinetToPick, {
      maxItems: shownMax,
      description: `По кабинетам, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Заказы, которых нет ни в одной отгрузке.' },
)

/** Orders in no shipment yet; not those whose shipments are made elsewhere. */
export function toPickOfToday(
  parts: readonly FlowPart[],
  now: Instant,
): Static<typeof TodayToPick> {
  const waiting = parts.filter(({ stage }) => stage === 'to_pick')
  const sumOf = (field: 'orders_count' | 'units') =>
    waiting.reduce((sum, part) => sum + part[field], 0)
  return {
    counted_at: toTimestamp(now),
    total: sumOf('orders_count'),
    units: sumOf('units'),
    deadline: waiting.reduce<FlowPart['deadline']>(
      (first, { deadline }) => earlier(first, deadline),
      null,
    ),
    items: waiting
      .toSorted(mostUrgentFirst)
      .slice(0, shownMax)
      .map(({ stage: _, warehouse_code: __, warehouse_name: ___, ...cabinet }) => cabinet),
  }
}

function mostUrgentFirst(one: FlowPart, other: FlowPart): number {
  if (one.deadline !== other.deadline) {
    return earlier(one.deadline, other.deadline) === one.deadline ? -1 : 1
  }
  return other.orders_count - one.orders_count || one.cabinet_id.localeCompare(other.cabinet_id)
}
