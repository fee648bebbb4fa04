import type { Database, Queryable, Transaction } from '../../../platform/db/connection.ts'
import { isStaying } from '../../../platform/db/leaving.ts'
import { newId } from '../../../platform/kernel/ids.ts'
import type { Timestamp } from '../../../platform/kernel/moscow-time.ts'
import type { Marketplace, ShipmentsPlace } from '../../../warehouse/clients/marketplace.ts'
import type { Lack } from './lacks.ts'

/**
 * The schedule of sync runs, one row of `cabinet_syncs` for each connected cabinet.
 *
 *   waiting --next_at or new credentials--> due --claim--> leased --end----> waiting
 *                                            ^               |----release--> waiting, for the pause
 *                                            +---------------+ lease expired
 *
 * One process at a time holds the lease of a cabinet. It renews the lease during the run and checks it
 * in every transaction, so a process that slept past its lease writes nothing more. All times are those
 * of the database.
 */

/** How long a killed process delays its cabinets. */
export const leaseSeconds = 6

export interface SyncRun {
  readonly clientId: string
  readonly cabinetId: string
  readonly lease: string
  /** Sealed. */
  readonly credentials: Buffer
  /** The marketplace accepted them at their entry. */
  readonly isChecked: boolean
  readonly shipments: ShipmentsPlace
  /** Sellers do not see yet what was read while the cabinet was observed. */
  readonly hasHiddenRows: boolean
  /** Somebody chose the warehouses whose orders are collected here: until then no order is taken in. */
  readonly hasChoice: boolean
  readonly callsRecordedUntil: Timestamp | null
  /** The owner of the cabinet's data, sealed; null until credentials name one. */
  readonly seller: Buffer | null
  readonly connectedAt: Timestamp
  /** When a run last read all; null: never. */
  readonly syncedAt: Timestamp | null
  /** What the marketplace refused in the last run. */
  readonly lacks: readonly Lack[]
  /** The last run failed. */
  readonly hasFailed: boolean
  readonly ordersFrom: Timestamp | null
  readonly shipmentsFrom: Timestamp | null
  /** How far the look back for earlier shipments has come; null: it is over, or has not begun. */
  readonly shipmentsBackTo: Timestamp | null
  readonly cardsCursor: string | null
  readonly cardsAt: Timestamp | null
  /** The first unreadable card of the last reading; null: all were readable. */
  readonly cardsFailure: string | null
  readonly stockAt: Timestamp | null
  readonly accessAt: Timestamp | null
  /** When the reshipment list was last read. */
  readonly reshipmentsAt: Timestamp | null
  readonly labelsAt: Timestamp | null
  /** When returns were last read. */
  readonly returnsAt: Timestamp | null
  /** Null where the marketplace does not say. */
  readonly credentialsExpireAt: Timestamp | null
  readonly terminalCheckedAt: Timestamp | null
  /** Where the last listing of terminal orders stopped; null: it reached the oldest. */
  readonly terminalAfter: string | null
}

/** Adds rows for cabinets that were connected since the last call. */
export async function enrolCabinets(db: Database): Promise<void> {
  await db`
    insert into cabinet_syncs (client_id, cabinet_id, connected_at, next_at, planned_at)
    select k.client_id, k.id, coalesce(k.credentials_at, k.created_at), now(), now() from cabinets k
    where k.credentials is not null and k.active and ${isStaying(db, 'k.client_id')}
      and not exists (
        select from cabinet_syncs s where s.client_id = k.client_id and s.cabinet_id = k.id)
    on conflict do nothing`
}

/**
 * SQL condition on a cabinet `k` and its row `s`. New credentials make the cabinet due at once. So does a database
 * clock that was set back, which a run that began, or was planned, in the future shows. Then neither the next run nor
 * the end of a lease waits for that time.
 */
function isDue(db: Queryable) {
  const isSetBack = db`coalesce(greatest(s.started_at, s.planned_at) > now() + interval '1 minute', false)`
  return db`
    (k.credentials is not null and k.active and ${isStaying(db, 'k.client_id')}
      and (s.next_at <= now() or k.credentials_at > s.started_at or ${isSetBack})
      and (s.leased_until is null or s.leased_until < now() or ${isSetBack}))`
}

export interface ClaimLimits {
  readonly max: number
  /** Of a client, in all processes. */
  readonly clientMax: number
  /** Runs that take longer do not count for their client. */
  readonly longAfterMs: number
}

/**
 * Leases up to `max` cabinets of a marketplace that are due, the longest waiting first. All processes
 * together lease at most `clientMax` cabinets of a client, beside those whose run takes long, so that a
 * client whose cabinets hang leaves room for others.
 */
export async function claimSyncRuns(
  db: Database,
  marketplace: Marketplace,
  { max, clientMax, longAfterMs }: ClaimLimits,
): Promise<SyncRun[]> {
  const isRunning = db`
    (s.leased_until >= now()
      and s.started_at > now() - ${`${longAfterMs} milliseconds`}::interval)`
  return db<SyncRun[]>`
    with ranked as (
      -- Leased cabinets take the first places of their client.
      select s.client_id, s.cabinet_id, row_number() over (
        partition by s.client_id
        order by coalesce(${isRunning}, false) desc, s.next_at) as place
      from cabinet_syncs s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where k.marketplace = ${marketplace} and (${isRunning} or ${isDue(db)})
    ),
    due as (
      -- Checked again on the locked row: another process may have leased it meanwhile.
      select s.client_id, s.cabinet_id
      from ranked r
      join cabinet_syncs s on s.client_id = r.client_id and s.cabinet_id = r.cabinet_id
      join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where r.place <= ${clientMax} and ${isDue(db)}
      order by s.next_at limit ${max} for update of s skip locked
    )
    update cabinet_syncs s set
      lease = ${newId()}::uuid, leased_until = now() + ${`${leaseSeconds} seconds`}::interval,
      started_at = now(), planned_at = now(), next_at = least(s.next_at, now())
    from due join cabinets k on k.client_id = due.client_id and k.id = due.cabinet_id
    where s.client_id = due.client_id and s.cabinet_id = due.cabinet_id
    returning s.client_id as "clientId", s.cabinet_id as "cabinetId", s.lease,
      k.credentials, k.credentials_rights is not null as "isChecked", k.shipments,
      k.has_hidden_rows as "hasHiddenRows", k.own_warehouses is not null as "hasChoice",
      k.calls_recorded_until as "callsRecordedUntil",
      k.seller, k.synced_at as "syncedAt", s.connected_at as "connectedAt", s.failures > 0 as "hasFailed", s.orders_from as "ordersFrom",
      s.shipments_from as "shipmentsFrom", s.shipments_back_to as "shipmentsBackTo", s.cards_cursor as "cardsCursor", s.cards_at as "cardsAt",
      s.cards_failure as "cardsFailure", s.lacks,
      s.stock_at as "stockAt", s.reshipments_at as "reshipmentsAt",
      s.returns_at as "returnsAt", s.labels_at as "labelsAt",
      case when k.credentials_at > s.access_at then null else s.access_at end as "accessAt",
      s.credentials_expire_at as "credentialsExpireAt", s.terminal_checked_at as "terminalCheckedAt",
      s.terminal_after as "terminalAfter"`
}

/** Ends a sync run without a result: this process must not write anything more. */
export class SyncRunAborted extends Error {}

/** The lease has expired, and another process may hold it. */
export class LeaseLost extends SyncRunAborted {
  override readonly name = 'LeaseLost'
}

/** Holds the lease for the rest of the transaction. Throws LeaseLost. */
export async function holdLease(tx: Transaction, run: SyncRun): Promise<void> {
  const held = await tx`
    select lease from cabinet_syncs
    where client_id = ${run.clientId} and cabinet_id = ${run.cabinetId}
      and lease = ${run.lease} and ${isStaying(tx, 'client_id')} for no key update`
  if (held.length === 0) throw new LeaseLost('another process syncs the cabinet')
}

/** Throws LeaseLost. */
export async function renewLease(db: Database, run: SyncRun): Promise<void> {
  const renewed = await db`
    update cabinet_syncs set leased_until = now() + ${`${leaseSeconds} seconds`}::interval
    where client_id = ${run.clientId} and cabinet_id = ${run.cabinetId}
      and lease = ${run.lease} returning lease`
  if (renewed.length === 0) throw new LeaseLost('another process syncs the cabinet')
}

/** Columns of `cabinet_syncs` that say how far each part has come. */
export interface SyncProgress {
  readonly orders_from?: Timestamp
  readonly shipments_from?: Timestamp
  readonly shipments_back_to?: Timestamp | null
  readonly cards_cursor?: string | null
  readonly cards_at?: Timestamp
  readonly cards_failure?: string | null
  readonly stock_at?: Timestamp
  readonly access_at?: Timestamp
  readonly reshipments_at?: Timestamp
  readonly returns_at?: Timestamp
  readonly labels_at?: Timestamp
  readonly giveout_code?: string
  readonly terminal_checked_at?: Timestamp
  readonly terminal_after?: string | null
  readonly credentials_expire_at?: Timestamp | null
}

export async function recordProgress(
  tx: Transaction,
  run: SyncRun,
  progress: SyncProgress,
): Promise<void> {
  const changes = Object.entries(progress).map(([column, value]) => tx`${tx(column)} = ${value}`)
  await tx`
    update cabinet_syncs set ${changes.reduce((all, each) => tx`${all}, ${each}`)}
    where client_id = ${run.clientId} and cabinet_id = ${run.cabinetId}`
}

/** Repeated failures double the interval, up to this factor. */
const backoffMax = 4

export interface SyncRunEnd {
  readonly failed: boolean
  readonly credentialsRefused: boolean
  readonly lacks: readonly Lack[]
}

/** Releases the lease. The next run is due an interval after this one began, or at the requested time. */
export async function endSyncRun(
  tx: Transaction,
  run: SyncRun,
  intervalMs: number,
  end: SyncRunEnd,
): Promise<void> {
  await tx`
    update cabinet_syncs set
      lease = null, leased_until = null, credentials_refused = ${end.credentialsRefused},
      lacks = ${tx.json(end.lacks)},
      planned_at = case when next_at > started_at then planned_at else now() end,
      failures = case when ${end.failed} then failures + 1 else 0 end,
      next_at = case when next_at > started_at then next_at
        else greatest(now(), started_at + ${`${intervalMs} milliseconds`}::interval
          * case when ${end.failed} then least(power(2, least(failures, 10)), ${backoffMax}) else 1 end)
        end
    where client_id = ${run.clientId} and cabinet_id = ${run.cabinetId}
      and lease = ${run.lease}`
}

/** Releases the lease of an unfinished run: any process may continue after the pause. */
export async function releaseSyncRun(db: Database, run: SyncRun, pauseMs = 0): Promise<void> {
  await db`
    update cabinet_syncs set lease = null, leased_until = null, planned_at = now(),
      next_at = now() + ${`${pauseMs} milliseconds`}::interval
    where client_id = ${run.clientId} and cabinet_id = ${run.cabinetId}
      and lease = ${run.lease}`
}
