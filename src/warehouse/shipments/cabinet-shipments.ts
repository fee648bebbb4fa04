import type { Database, Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import {
  type Instant,
  midnight,
  moscowDate,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'

/** A bound on the result; a cabinet normally has a handful of such shipments. */
const max = 2_000

export interface NonTerminalShipment {
  readonly externalId: string
  /** Closed here; otherwise orders may still join it. */
  readonly closed: boolean
}

/** Shipments of a cabinet that the marketplace has and did not accept yet, the newest first. */
export async function nonTerminalShipments(
  db: Database,
  clientId: string,
  cabinetId: string,
  createdFrom: Timestamp,
): Promise<NonTerminalShipment[]> {
  return db<NonTerminalShipment[]>`
    select external_id as "externalId", status <> 'ASSEMBLING' as closed from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and status in ('ASSEMBLING', 'HANDED_OVER') and not awaits_creation and created_at >= ${createdFrom}
    order by created_at desc limit ${max}`
}

/** Shows the observed shipments of a cabinet to sellers, as if they were just taken in. */
export async function showObservedShipments(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    update shipments set observed = false
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and observed`
}

/** Numbers of the cabinet's shipments that are still being assembled, at most ten. */
export async function openShipmentNumbers(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
): Promise<string[]> {
  const rows = await tx<{ number: string }[]>`
    select external_id as number from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and status = 'ASSEMBLING'
      and not observed
    order by created_at limit 10`
  return rows.map(({ number }) => number)
}

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
