import { type Database, inTransaction } from '../../platform/db/connection.ts'
import { sharedWorkAt } from '../../platform/db/work.ts'
import {
  day,
  hour,
  type Instant,
  moscowDate,
  toMidnight,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { takeCardMeasures } from './measures.ts'
import { computeCharges, monthOf, settledBy } from './run.ts'

/** Clients in a pass of the daily run; the next minute goes on. */
const clientsOfPass = 100

/**
 * The daily run, in passes. It takes clients whose tariff has begun and whose charges nobody has computed since
 * midnight, or somebody whose clock ran ahead. For each it stores the measures that cards report, then computes the
 * charges. A client that fails does not hold up the others. Returns how many were computed.
 */
export async function computeDueCharges(db: Database, now: Instant): Promise<number> {
  await countStoredPlaces(db, now)
  const errors: unknown[] = []
  const due = await dueClients(db, settledBy(now))
  for (const id of due) {
    await inTransaction(db, async (tx) => {
      const work = sharedWorkAt(tx, now)
      await takeCardMeasures(work, id)
      await computeCharges(work, id)
    }).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw new AggregateError(errors, 'charges of clients were not computed')
  return due.length
}

async function dueClients(db: Database, asOf: Instant): Promise<string[]> {
  const today = moscowDate(asOf)
  const rows = await db<{ id: string }[]>`
    select c.id from clients c
    left join billing_periods p on p.client_id = c.id and p.month = ${monthOf(today)}
    where c.mode = 'live' and not c.leaving and p.closed_at is null
      and (p.computed_at is null or p.computed_at < ${toMidnight(today)} or p.computed_at > ${toTimestamp(asOf + hour)})
      and (
        exists (select from warehouse_tariffs t where t.warehouse_code = c.warehouse_code and t.first_day <= ${today})
        or exists (select from client_tariffs t where t.client_id = c.id and t.first_day <= ${today}))
    order by p.computed_at nulls first, c.id limit ${clientsOfPass}`
  return rows.map(({ id }) => id)
}

/** A server that was away counts at most so many days anew. */
const countedDays = 31

/**
 * Counts boxes and pallets with contents at the end of yesterday, as soon as it has ended, and for earlier days on
 * which nobody counted. `taken_at` tells how late: it includes what was filled or emptied until then.
 */
async function countStoredPlaces(db: Database, now: Instant): Promise<void> {
  const [yesterday, today] = [moscowDate(now - day), moscowDate(now)]
  // A clock that ran ahead counted days that have not ended: each is counted anew at its end.
  await db`
    update storage_days d set taken_at = ${toTimestamp(now)} from clients c
    where d.client_id = c.id and d.day >= ${today} and d.taken_at > ${toTimestamp(now + hour)}`
  await db`
    insert into storage_days as k (client_id, day, boxes, pallets, taken_at)
    select c.id, d.day, v.boxes, v.pallets, ${toTimestamp(now)}
    from clients c
    cross join lateral (
      select coalesce(sum(boxes), 0) as boxes, coalesce(sum(pallets), 0) as pallets from stock_versions
      where client_id = c.id
    ) v
    cross join lateral generate_series(
      greatest(${yesterday}::date - ${countedDays}::integer, coalesce(
        (select max(day) + 1 from storage_days where client_id = c.id and day < ${yesterday}), ${yesterday}))::timestamp,
      ${yesterday}::timestamp, interval '1 day') d (day)
    where c.mode = 'live' and not c.leaving and c.created_at < ${toMidnight(today)} and not exists (
      select from storage_days where client_id = c.id and day = ${yesterday} and taken_at >= ${toMidnight(today)})
    order by 1, 2
    on conflict (client_id, day) do update set
      boxes = excluded.boxes, pallets = excluded.pallets, taken_at = excluded.taken_at
    where k.taken_at < ${toMidnight(today)}`
}
