import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import {
  count,
  moment,
  momentOrNull,
  oneOfValues,
  textOrNull,
} from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'

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

const OpenBatch = Type.Object({
  return_id: Type.String({ description: 'Приём возвратов.' }),
  number: Type.String({ description: 'Его номер.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  expected_qty: count('Сколько единиц ждут.'),
  came_qty: count('Сколько единиц уже приняли, вместе с теми, кого не ждали.'),
  created_at: moment('Когда начат.'),
})

export const TodayReturns = Type.Object(
  {
    counted_at: moment(
      'Когда посчитано, что ждут и где: если возвратов тысячи — несколько секунд назад.',
    ),
    ready: count('Сколько единиц можно забрать.'),
    on_the_way: count('Сколько единиц едут.'),
    open_batches: count('Сколько партий возвратов принимают.'),
    batches: Type.Array(OpenBatch, {
      maxItems: shownMax,
      description: `Приёмы возвратов, которые идут, сначала самые давние; не больше ${shownMax}.`,
    }),
    items: Type.Array(ReturnsAtPlace, {
      maxItems: shownMax,
      description: `Где забрать, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Возвраты, которых ждёт склад.' },
)
type TodayReturns = Static<typeof TodayReturns>

type Row = Static<typeof ReturnsAtPlace> & { disposal_at: Timestamp | null }

type OpenBatches = Pick<TodayReturns, 'open_batches' | 'batches'>
type Expected = Omit<TodayReturns, keyof OpenBatches>

/** What marketplaces send back to live clients, by the place where it can be fetched, and how many returns were read. */
export async function expectedReturnsOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<{ readonly shown: Expected; readonly returnsRead: number }> {
  const expected = db`
    expected_returns r join clients c on c.id = r.client_id and ${seen}
    join cabinets k on k.client_id = r.client_id and k.id = r.cabinet_id and k.shipments <> 'observe'`
  const [[{ returnsRead, ...units }], items] = await Promise.all([
    db<[{ returnsRead: number; ready: number; on_the_way: number }]>`
      select count(*) as "returnsRead",
        coalesce(sum(r.units) filter (where r.state = 'READY'), 0)::bigint as ready,
        coalesce(sum(r.units) filter (where r.state = 'ON_THE_WAY'), 0)::bigint as on_the_way
      from ${expected} where r.state in ('READY', 'ON_THE_WAY')`,
    db<Row[]>`
      select r.client_id, c.name as client_name, k.marketplace, r.place_name,
        max(r.place_address) as place_address, sum(r.units)::bigint as units,
        min(r.disposal_at) as disposal_at
      from ${expected} where r.state = 'READY'
      group by r.client_id, c.name, k.marketplace, r.place_name
      order by min(r.disposal_at) nulls last, r.client_id, k.marketplace, r.place_name
      limit ${shownMax}`,
  ])
  return { shown: { counted_at: toTimestamp(now), ...units, items }, returnsRead }
}

/** Batches of returns that are being taken in, the oldest first. */
export async function returnBatchesOfToday(db: Queryable, seen: Fragment): Promise<OpenBatches> {
  const batches = await openBatches(db, seen)
  return {
    open_batches: batches[0]?.total ?? 0,
    batches: batches.map(({ total: _, ...batch }) => batch),
  }
}

type BatchRow = Static<typeof OpenBatch> & { created_at: Timestamp; total: number }

/** Rows b of the clients `c` that are seen. */
export function openReturns(db: Queryable, seen: Fragment): Fragment {
  return db`return_batches b join clients c on c.id = b.client_id and ${seen} and b.status = 'OPEN'`
}

function openBatches(db: Queryable, seen: Fragment): Promise<BatchRow[]> {
  return db<BatchRow[]>`
    select b.*, (
        select coalesce(sum(l.units), 0)::bigint from return_lines l
        where l.client_id = b.client_id and l.return_id = b.return_id
      ) as expected_qty, (
        select count(*) from return_scans s
        where s.client_id = b.client_id and s.return_id = b.return_id and s.undone_at is null
      ) as came_qty
    from (
      select count(*) over () as total, b.id as return_id, b.number, b.client_id,
        c.name as client_name, b.created_at
      from ${openReturns(db, seen)}
      order by b.created_at, b.id limit ${shownMax}
    ) b
    order by b.created_at, b.return_id`
}
