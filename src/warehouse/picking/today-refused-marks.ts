import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { markNames } from '../../platform/kernel/codes/unit-mark.ts'
import { count, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'

/** Orders shown at most. */
const shownMax = 50

const RefusedOrder = Type.Object({
  order_id: Type.String({ description: 'Заказ, единицу которого нужно заменить.' }),
  order_external_id: Type.String({ description: 'Номер заказа в кабинете.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  shipment_id: Type.String({ description: 'Отгрузка, которую это держит.' }),
  shipment_external_id: Type.String({ description: 'Её номер в кабинете.' }),
  name: Type.String({ description: 'Название товара; если не приняты разные, одного из них.' }),
  units: count('Сколько единиц заказа не приняты.'),
  reason: Type.String({ description: 'Что не принято и почему, по-русски.' }),
  deadline: momentOrNull('До какого времени заказ нужно передать; null, если срока нет.'),
})

export const TodayRefusedMarks = Type.Object(
  {
    total: count('Скольким заказам нужно заменить единицу.'),
    items: Type.Array(RefusedOrder, {
      maxItems: shownMax,
      description: `Заказы, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Заказы в открытых отгрузках, коды единиц которых маркетплейс не принял.' },
)

type Row = Omit<Static<typeof RefusedOrder>, 'reason'> & {
  total: number
  mark_kind: string | null
  reason: string
}

/** Of the clients `c` that are seen. Units have proofs until their shipment leaves, so these are few. */
export async function refusedMarksOfToday(
  db: Queryable,
  seen: Fragment,
): Promise<Static<typeof TodayRefusedMarks>> {
  const rows = await db<Row[]>`
    select count(*) over () as total, o.id as order_id, o.external_id as order_external_id,
      o.marketplace, o.client_id, c.name as client_name, s.id as shipment_id,
      s.external_id as shipment_external_id, m.name, m.units, m.mark_kind, m.reason, o.deadline_at as deadline
    from (
      select m.client_id, m.order_id, count(*)::int as units, min(g.name) as name,
        (array_agg(m.mark_kind order by m.scan_id))[1] as mark_kind,
        (array_agg(m.reason order by m.scan_id))[1] as reason
      from mark_proofs m
      join picks p on p.client_id = m.client_id and p.task_id = m.task_id and p.scan_id = m.scan_id
      join order_lines l on l.client_id = p.client_id and l.order_id = p.order_id
        and l.line = p.line and l.picked < l.quantity
      join products g on g.client_id = p.client_id and g.barcode = p.barcode
      where m.state = 'refused' group by 1, 2
    ) m
    join clients c on c.id = m.client_id and ${seen}
    join orders o on o.client_id = m.client_id and o.id = m.order_id and o.status <> 'CANCELLED'
    join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and s.status = 'ASSEMBLING'
    order by o.deadline_at nulls last, o.external_id, o.id limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, mark_kind: kind, reason, ...row }) => ({
      ...row,
      reason: `не принял ${markNames[kind ?? ''] ?? 'данные единицы'}: ${reason}`,
    })),
  }
}
