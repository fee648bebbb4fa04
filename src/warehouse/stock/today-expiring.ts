import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type Instant, moscowDate, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, named } from '../../platform/kernel/schema.ts'
import { lotsOfClients, StockLot } from './lot-queries.ts'

/** Lots shown at most. */
const shownMax = 50

export const TodayExpiring = Type.Object(
  {
    counted_at: moment('Когда посчитано: если партий тысячи — несколько секунд назад.'),
    total: count('Сколько партий.'),
    items: Type.Array(named(StockLot), {
      maxItems: shownMax,
      description: `Партии, сначала те, чей срок раньше; не больше ${shownMax}.`,
    }),
  },
  { description: 'Партии, срок годности которых истёк или скоро истечёт.' },
)
type TodayExpiring = Static<typeof TodayExpiring>

/** Lots that have expired or expire soon, of the clients `c` that are seen. */
export async function expiringOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<TodayExpiring> {
  const clients = db`(select c.id from clients c where ${seen}) c`
  const filter = { clients, barcode: undefined, state: 'expiring' } as const
  const page = { limit: shownMax, after: undefined }
  const { items, total } = await lotsOfClients(db, filter, page, moscowDate(now))
  return { counted_at: toTimestamp(now), total, items: [...items] }
}
