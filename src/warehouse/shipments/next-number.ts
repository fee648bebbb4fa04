import type { Queryable } from '../../platform/db/connection.ts'
import {
  type Instant,
  midnight,
  moscowDate,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'

/**
 * The number of a shipment that nobody has named: its day and its place in the day, `28.11.26-3`. A connected cabinet
 * keeps it as the name, because the marketplace gives the number.
 */
export async function nextShipmentNumber(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  now: Instant,
): Promise<string> {
  const today = moscowDate(now)
  const [year = '', month, date] = today.split('-')
  const prefix = `${date}.${month}.${year.slice(2)}-`
  const rows = await db<{ names: readonly (string | null)[] }[]>`
    select array[external_id, name] as names from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and created_at >= ${toTimestamp(midnight(today))}::timestamptz`
  const taken = rows.flatMap(({ names }) =>
    names.map((name) => (name?.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0)),
  )
  return `${prefix}${Math.max(0, ...taken.filter(Number.isSafeInteger)) + 1}`
}
