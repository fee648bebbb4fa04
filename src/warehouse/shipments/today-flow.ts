import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import {
  type Instant,
  midnight,
  moscowDate,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import { type FlowStage, flowStages, flowStageWords } from '../orders/flow-stages.ts'
import { ordersInShipments, ordersToPick, shipmentsGone } from '../orders/stages.ts'

const amounts = {
  stage: oneOfValues(flowStages, `Этап. ${flowStageWords}`),
  orders_count: count('Сколько заказов.'),
  units: count('Сколько в них единиц.'),
  deadline: momentOrNull('Самый ранний срок; null, если срока нет или они уже уехали.'),
}
const countedAt = moment('Когда посчитано: при многих тысячах заказов — несколько секунд назад.')

export const TodayFlow = Type.Object(
  {
    counted_at: countedAt,
    items: Type.Array(
      Type.Object({ ...amounts, marketplace: oneOfValues(marketplaces, 'Маркетплейс.') }),
      { description: 'По этапам и маркетплейсам; этапов без заказов нет.' },
    ),
  },
  { description: 'Где сейчас заказы, которые должны уехать, и сколько уехало сегодня.' },
)

/** By what the flow can be broken down. */
export const flowGroups = ['marketplace', 'client', 'warehouse'] as const
export type FlowGroup = (typeof flowGroups)[number]

export const GroupedFlow = Type.Object(
  {
    counted_at: countedAt,
    by: oneOfValues(flowGroups, 'По чему разбито.'),
    items: Type.Array(
      Type.Object({
        ...amounts,
        group: Type.String({ description: 'Маркетплейс, клиент или код склада.' }),
        group_name: Type.String({ description: 'Его название.' }),
      }),
      { description: 'По этапам, внутри этапа по названию; пустых строк нет.' },
    ),
  },
  { $id: 'GroupedFlow', description: 'Путь заказов по маркетплейсам, клиентам или складам.' },
)

/** The orders of one cabinet at one stage. */
export interface FlowPart {
  readonly stage: FlowStage
  readonly client_id: string
  readonly client_name: string
  readonly warehouse_code: string
  readonly warehouse_name: string
  readonly cabinet_id: string
  readonly cabinet_name: string
  readonly marketplace: Marketplace
  readonly orders_count: number
  readonly units: number
  readonly deadline: Timestamp | null
}

/** The way of the orders of the clients `c` that are seen. The cost grows with the orders that are under way. */
export function flowParts(db: Queryable, seen: Fragment, now: Instant): Promise<FlowPart[]> {
  const ofSeen = (rows: Fragment, columns: Fragment) => db`
    select r.stage, r.client_id, r.cabinet_id, ${columns}
    from (${rows}) r join clients c on c.id = r.client_id and ${seen}`
  const order = db`1 as orders, r.units, r.deadline`
  return db<FlowPart[]>`
    select f.stage, f.client_id, c.name as client_name, c.warehouse_code, h.name as warehouse_name,
      f.cabinet_id, k.name as cabinet_name, k.marketplace, f.orders_count, f.units, f.deadline
    from (
      select stage, client_id, cabinet_id, sum(orders)::int as orders_count,
        sum(units)::bigint as units, min(deadline) as deadline
      from (
        ${ofSeen(ordersToPick(db), order)}
        union all ${ofSeen(ordersInShipments(db), order)}
        union all ${ofSeen(
          shipmentsGone(db, midnight(moscowDate(now))),
          db`r.orders_count, r.units, null::timestamptz`,
        )}
      ) f
      group by 1, 2, 3
    ) f
    join clients c on c.id = f.client_id
    join warehouses h on h.code = c.warehouse_code
    join cabinets k on k.client_id = f.client_id and k.id = f.cabinet_id`
}

export function flowOfToday(parts: readonly FlowPart[], now: Instant): Static<typeof TodayFlow> {
  const items = sumsBy(parts, ({ marketplace }) => marketplace)
  return {
    counted_at: toTimestamp(now),
    items: items
      .map(({ first: { marketplace }, sum }) => ({ ...sum, marketplace }))
      .sort((one, other) => other.marketplace.localeCompare(one.marketplace))
      .sort(byStage),
  }
}

const groupOf: Readonly<Record<FlowGroup, (part: FlowPart) => { id: string; name: string }>> = {
  marketplace: ({ marketplace }) => ({ id: marketplace, name: marketplace }),
  client: ({ client_id: id, client_name: name }) => ({ id, name }),
  warehouse: ({ warehouse_code: id, warehouse_name: name }) => ({ id, name }),
}

export function groupedFlow(
  parts: readonly FlowPart[],
  by: FlowGroup,
  now: Instant,
): Static<typeof GroupedFlow> {
  const groupIn = groupOf[by]
  const items = sumsBy(parts, (part) => groupIn(part).id)
  return {
    counted_at: toTimestamp(now),
    by,
    items: items
      .map(({ first, sum }) => {
        const { id, name } = groupIn(first)
        return { ...sum, group: id, group_name: name }
      })
      .sort((one, other) => one.group_name.localeCompare(other.group_name, 'ru'))
      .sort(byStage),
  }
}

function byStage(one: { stage: FlowStage }, other: { stage: FlowStage }): number {
  return flowStages.indexOf(one.stage) - flowStages.indexOf(other.stage)
}

type Amounts = Pick<FlowPart, 'stage' | 'orders_count' | 'units' | 'deadline'>

/** The parts of each group at each stage, added up. */
function sumsBy(parts: readonly FlowPart[], keyOf: (part: FlowPart) => string) {
  const groups = new Map<string, { readonly first: FlowPart; readonly sum: Amounts }>()
  for (const part of parts) {
    const key = `${part.stage} ${keyOf(part)}`
    const { first, sum } = groups.get(key) ?? { first: part, sum: undefined }
    groups.set(key, { first, sum: added(sum, part) })
  }
  return [...groups.values()]
}

function added(sum: Amounts | undefined, { stage, orders_count, units, deadline }: Amounts) {
  return {
    stage,
    orders_count: (sum?.orders_count ?? 0) + orders_count,
    units: (sum?.units ?? 0) + units,
    deadline: earlier(sum?.deadline ?? null, deadline),
  }
}

/** Timestamps of one form: their order is that of their text. */
export function earlier(one: Timestamp | null, other: Timestamp | null): Timestamp | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
