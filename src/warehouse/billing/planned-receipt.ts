import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import {
  day,
  type Instant,
  moscowDate,
  toMidnight,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { stepsInForce } from './derive.ts'
import { roubles } from './money.ts'
import { monthOf } from './run.ts'

/** What the units of a receipt that has not come yet would cost, by today's prices. Stores nothing. */

const sum = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], examples: ['1250.00'], description })

export const PlannedCost = Type.Object(
  {
    receiving: sum(
      'Приёмка заявленных единиц с надбавкой за маркировку, рубли; null — у склада нет её цены.',
    ),
    storage_day: sum(
      'Хранение всех единиц за день, рубли; null — цены нет или хранение считают по местам.',
    ),
  },
  { $id: 'PlannedCost', description: 'Сколько будет стоить заявленная поставка.' },
)
export type PlannedCost = Static<typeof PlannedCost>

/** Steps go on from what the month has used already. Undefined where the client has no such receipt. */
export async function plannedCost(
  db: Queryable,
  { clientId, receiptId }: { readonly clientId: string; readonly receiptId: string },
  now: Instant,
): Promise<PlannedCost | undefined> {
  const today = moscowDate(now)
  const [client] = await db<{ warehouse: string }[]>`
    select c.warehouse_code as warehouse from clients c
    join receipts r on r.client_id = c.id and r.id = ${receiptId} where c.id = ${clientId}`
  if (client === undefined) return undefined
  const from = toMidnight(today)
  const scope = {
    clientId,
    warehouse: client.warehouse,
    from,
    to: toTimestamp(Date.parse(from) + day),
    asOf: toTimestamp(now),
  }
  const rows = await db<{ service: string; amount: number }[]>`
    with terms as (
      select way, assumed_litres from storage_terms
      where client_id = ${clientId} and first_day <= ${today} order by first_day desc limit 1
    ),
    planned as (
      select coalesce(sum(i.expected_qty), 0) as units,
        sum(i.expected_qty) filter (where i.honest_mark) as marked,
        coalesce(sum(i.expected_qty * coalesce(p.litres, (select assumed_litres from terms), 0)), 0) as litres
      from receipt_items i
      left join lateral (
        select ceil(m.length_mm::numeric * m.width_mm * m.height_mm / 100000) / 10 as litres from product_measures m
        where m.client_id = i.client_id and m.barcode = i.barcode and m.first_day <= ${today}
        order by m.first_day desc limit 1
      ) p on true
      where i.client_id = ${clientId} and i.receipt_id = ${receiptId}
    ),
    asked as (
      select s.service, s.quantity, coalesce((
        select sum(c.quantity) from charges c
        where c.client_id = ${clientId} and c.month = ${monthOf(today)} and c.day >= c.month and c.service = s.service
      ), 0) as used
      from planned cross join lateral (values ('UNIT_RECEIVED', units), ('MARKED_UNIT_RECEIVED', marked),
        (case coalesce((select way from terms), 'unit') when 'unit' then 'STORAGE_UNIT_DAY' when 'litre' then
          'STORAGE_LITRE_DAY' end, case (select way from terms) when 'litre' then litres else units end)
      ) s (service, quantity)
      where s.quantity is not null
    )
    select a.service, sum(round(greatest(0, least(a.used + a.quantity, p.high) - greatest(a.used, p.low)) * p.price))::bigint
      as amount
    from asked a join (${stepsInForce(db, scope)}) p on p.service = a.service group by 1`
  const of = (part: string) => {
    const found = rows.filter(({ service }) => service.includes(part))
    return found.length === 0 ? null : roubles(found.reduce((sum, { amount }) => sum + amount, 0))
  }
  return { receiving: of('UNIT_RECEIVED'), storage_day: of('STORAGE_') }
}
