import { type Database, inTransaction } from '../../platform/db/connection.ts'
import { sharedWorkAt } from '../../platform/db/work.ts'
import {
  day,
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
 * The daily run, in passes: computes the charges of clients whose tariff has begun and whose charges nobody has computed
 * since midnight, after measures that cards report of their goods. A client that fails does not hold up the others. Returns how many were computed.
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
    where c.mode = 'live' and not c.leaving and (p.computed_at is null or p.computed_at < ${toMidnight(today)}) and p.closed_at is null
      and (
        exists (select from warehouse_tariffs t where t.warehouse_code = c.warehouse_code and t.first_day <= ${today})
        or exists (select from client_tariffs t where t.client_id = c.id and t.first_day <= ${today}))
    order by p.computed_at nulls first, c.id limit ${clientsOfPass}`
  return rows.map(({ id }) => id)
}

/**
 * Boxes and pallets with contents at the end of yesterday, counted as soon as it has ended. `taken_at` tells how late:
 * what was filled or emptied until then is in it. A day on which nobody counts stays without.
 */
async function countStoredPlaces(db: Database, now: Instant): Promise<void> {
  await db`
    insert into storage_days (client_id, day, boxes, pallets, taken_at)
    select c.id, ${moscowDate(now - day)}, coalesce(sum(v.boxes), 0), coalesce(sum(v.pallets), 0), ${toTimestamp(now)}
    from clients c left join stock_versions v on v.client_id = c.id
    where c.mode = 'live' and not c.leaving and c.created_at < ${toMidnight(moscowDate(now))} and not exists (
      select from storage_days d where d.client_id = c.id and d.day = ${moscowDate(now - day)})
    group by c.id order by c.id
    on conflict (client_id, day) do nothing`
}
