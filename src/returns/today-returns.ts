import Type, { type Static } from 'typebox'
import { marketplaces } from '../clients/marketplace.ts'
import type { Queryable } from '../db/connection.ts'
import type { Fragment } from '../db/fragment.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { count, momentOrNull, oneOfValues, textOrNull } from '../kernel/schema.ts'

/** Places shown at most. */
const shownMax = 50

const ReturnsAtPlace = Type.Object({
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  place_name: textOrNull('Где лежат; null, если маркетплейс не сказал.'),
  place_address: textOrNull('Адрес.'),
  units: Type.Integer({ minimum: 1, description: 'Сколько единиц можно забрать.' }),
  disposal_at: momentOrNull('Когда первые из них утилизируют; null, если срок не назван.'),
})

export const TodayReturns = Type.Object(
  {
    ready: count('Сколько единиц можно забрать.'),
    on_the_way: count('Сколько единиц едут.'),
    open_batches: count('Сколько партий возвратов принимают.'),
    items: Type.Array(ReturnsAtPlace, {
      maxItems: shownMax,
      description: `Где забрать, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Возвраты, которых ждёт склад.' },
)
type TodayReturns = Static<typeof TodayReturns>

type Row = Static<typeof ReturnsAtPlace> & { disposal_at: Timestamp | null }

/** What marketplaces send back to live clients, by the place where it can be fetched. */
export async function returnsOfToday(db: Queryable, seen: Fragment): Promise<TodayReturns> {
  const expected = db`
    expected_returns r join clients c on c.id = r.client_id and ${seen}
    join cabinets k on k.client_id = r.client_id and k.id = r.cabinet_id and k.shipments <> 'observe'`
  const [counts, batches, items] = await Promise.all([
    db<[{ ready: number; on_the_way: number }]>`
      select coalesce(sum(r.units) filter (where r.state = 'READY'), 0)::bigint as ready,
        coalesce(sum(r.units) filter (where r.state = 'ON_THE_WAY'), 0)::bigint as on_the_way
      from ${expected} where r.state in ('READY', 'ON_THE_WAY')`,
    db<[{ open_batches: number }]>`
      select count(*)::int as open_batches
      from clients c join return_batches b on b.client_id = c.id and b.status = 'OPEN'
      where ${seen}`,
    db<Row[]>`
      select r.client_id, c.name as client_name, k.marketplace, r.place_name,
        max(r.place_address) as place_address, sum(r.units)::bigint as units,
        min(r.disposal_at) as disposal_at
      from ${expected} where r.state = 'READY'
      group by r.client_id, c.name, k.marketplace, r.place_name
      order by min(r.disposal_at) nulls last, r.client_id, k.marketplace, r.place_name
      limit ${shownMax}`,
  ])
  return { ...counts[0], ...batches[0], items }
}
