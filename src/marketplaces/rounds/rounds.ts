import type { Marketplace } from '../../clients/marketplace.ts'
import type { Database, Queryable, Transaction } from '../../db/connection.ts'
import { newId } from '../../kernel/ids.ts'
import type { Timestamp } from '../../kernel/moscow-time.ts'

/**
 * Whose turn it is to be synced, and who does it. A cabinet is leased by one process at a time; the
 * lease is renewed while a round goes on and checked in every transaction of it, so a process that
 * slept past its lease writes nothing more. All times are the database's.
 */

/** A killed process holds a cabinet up for so long. */
export const leaseSeconds = 6

export interface Round {
  readonly clientId: string
  readonly cabinetId: string
  readonly lease: string
  /** Sealed. */
  readonly credentials: Buffer
  readonly mirrorsShipments: boolean
  /** Whose data the cabinet has; null where no credentials have told so far. */
  readonly seller: string | null
  readonly connectedAt: Timestamp
  readonly ordersFrom: Timestamp | null
  readonly shipmentsFrom: Timestamp | null
  readonly cardsMark: string | null
  readonly cardsAt: Timestamp | null
  /** What could not be read of the cards then. */
  readonly cardsFailure: string | null
  readonly stockAt: Timestamp | null
  readonly accessAt: Timestamp | null
  /** Null where nobody has said so. */
  readonly credentialsExpireAt: Timestamp | null
  readonly endedAt: Timestamp | null
  /** Where it stopped then (orders/ended.ts); null: at the oldest. */
  readonly endedAfter: string | null
}

/** Cabinets that were connected since the last look get their row. */
export async function enrolCabinets(db: Database): Promise<void> {
  await db`
    insert into cabinet_syncs (client_id, cabinet_id, connected_at, next_at)
    select k.client_id, k.id, coalesce(k.credentials_at, k.created_at), now() from cabinets k
    where k.credentials is not null and k.active
      and not exists (
        select from cabinet_syncs s where s.client_id = k.client_id and s.cabinet_id = k.id)
    on conflict do nothing`
}

/** Next to a cabinet `k` and its row `s`; new credentials are due at once. */
function isDue(db: Queryable) {
  return db`
    (k.credentials is not null and k.active
      and (s.next_at <= now() or k.credentials_at > s.started_at)
      and (s.leased_until is null or s.leased_until < now()))`
}

/**
 * Leases up to `max` cabinets of a marketplace that are due, those that have waited longest first.
 * A client has no more than `clientMax` of them leased at once, here and elsewhere together, so that
 * one whose cabinets hang leaves room for others.
 */
export async function claimRounds(
  db: Database,
  marketplace: Marketplace,
  max: number,
  clientMax: number,
): Promise<Round[]> {
  return db<Round[]>`
    with ranked as (
      -- Those that are leased have their client's places already.
      select s.client_id, s.cabinet_id, row_number() over (
        partition by s.client_id
        order by coalesce(s.leased_until >= now(), false) desc, s.next_at) as place
      from cabinet_syncs s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where k.marketplace = ${marketplace} and (s.leased_until >= now() or ${isDue(db)})
    ),
    due as (
      -- Asked again of the locked row: another process may have been faster.
      select s.client_id, s.cabinet_id
      from ranked r
      join cabinet_syncs s on s.client_id = r.client_id and s.cabinet_id = r.cabinet_id
      join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where r.place <= ${clientMax} and ${isDue(db)}
      order by s.next_at limit ${max} for update of s skip locked
    )
    update cabinet_syncs s set
      lease = ${newId()}::uuid, leased_until = now() + ${`${leaseSeconds} seconds`}::interval,
      started_at = now(), next_at = least(s.next_at, now())
    from due join cabinets k on k.client_id = due.client_id and k.id = due.cabinet_id
    where s.client_id = due.client_id and s.cabinet_id = due.cabinet_id
    returning s.client_id as "clientId", s.cabinet_id as "cabinetId", s.lease,
      k.credentials, k.shipments = 'mirrored' as "mirrorsShipments",
      s.seller, s.connected_at as "connectedAt", s.orders_from as "ordersFrom",
      s.shipments_from as "shipmentsFrom", s.cards_mark as "cardsMark", s.cards_at as "cardsAt",
      s.cards_failure as "cardsFailure",
      s.stock_at as "stockAt",
      case when k.credentials_at > s.access_at then null else s.access_at end as "accessAt",
      s.credentials_expire_at as "credentialsExpireAt", s.ended_at as "endedAt",
      s.ended_after as "endedAfter"`
}

/** The round is not to go on here. */
export class RoundBroken extends Error {}

/** Another process has the cabinet now: whatever this one still wants to write, it may not. */
export class LeaseLost extends RoundBroken {
  override readonly name = 'LeaseLost'
}

/** Holds the lease for the rest of the transaction. Throws LeaseLost. */
export async function holdLease(tx: Transaction, round: Round): Promise<void> {
  const held = await tx`
    select lease from cabinet_syncs
    where client_id = ${round.clientId} and cabinet_id = ${round.cabinetId}
      and lease = ${round.lease} for no key update`
  if (held.length === 0) throw new LeaseLost('another process syncs the cabinet')
}

/** Throws LeaseLost. */
export async function renewLease(db: Database, round: Round): Promise<void> {
  const renewed = await db`
    update cabinet_syncs set leased_until = now() + ${`${leaseSeconds} seconds`}::interval
    where client_id = ${round.clientId} and cabinet_id = ${round.cabinetId}
      and lease = ${round.lease} returning lease`
  if (renewed.length === 0) throw new LeaseLost('another process syncs the cabinet')
}

export interface Progress {
  readonly orders_from?: Timestamp
  readonly shipments_from?: Timestamp
  readonly cards_mark?: string | null
  readonly cards_at?: Timestamp
  readonly cards_failure?: string | null
  readonly stock_at?: Timestamp
  readonly access_at?: Timestamp
  readonly ended_at?: Timestamp
  readonly ended_after?: string | null
  readonly credentials_expire_at?: Timestamp | null
}

export async function noteProgress(tx: Transaction, round: Round, made: Progress): Promise<void> {
  await tx`
    update cabinet_syncs set ${tx({ ...made })}
    where client_id = ${round.clientId} and cabinet_id = ${round.cabinetId}`
}

/** Repeated failures wait longer, up to so many intervals. */
const backoffMax = 4

export interface RoundEnd {
  readonly failed: boolean
  readonly credentialsRefused: boolean
}

/** Ends the round; the next one is due an interval after this one began, or when it was asked for meanwhile. */
export async function endRound(
  tx: Transaction,
  round: Round,
  intervalMs: number,
  end: RoundEnd,
): Promise<void> {
  await tx`
    update cabinet_syncs set
      lease = null, leased_until = null, credentials_refused = ${end.credentialsRefused},
      failures = case when ${end.failed} then failures + 1 else 0 end,
      next_at = case when next_at > started_at then next_at
        else greatest(now(), started_at + ${`${intervalMs} milliseconds`}::interval
          * case when ${end.failed} then least(power(2, least(failures, 10)), ${backoffMax}) else 1 end)
        end
    where client_id = ${round.clientId} and cabinet_id = ${round.cabinetId}
      and lease = ${round.lease}`
}

/** Gives the cabinet back untouched, to be gone on with after a pause, here or elsewhere. */
export async function releaseRound(db: Database, round: Round, pauseMs = 0): Promise<void> {
  await db`
    update cabinet_syncs set lease = null, leased_until = null,
      next_at = now() + ${`${pauseMs} milliseconds`}::interval
    where client_id = ${round.clientId} and cabinet_id = ${round.cabinetId}
      and lease = ${round.lease}`
}

/**
 * A round of this cabinet starts at once, or after a pause; after the one that is under way, if one
 * is. Returns false where the cabinet is not connected.
 */
export async function askForRound(
  tx: Transaction,
  clientId: string,
  cabinetId: string,
  pauseMs = 0,
): Promise<boolean> {
  const at = tx`now() + ${`${pauseMs} milliseconds`}::interval`
  const asked = await tx`
    insert into cabinet_syncs as s (client_id, cabinet_id, connected_at, next_at)
    select client_id, id, coalesce(credentials_at, created_at), ${at} from cabinets
    where client_id = ${clientId} and id = ${cabinetId} and credentials is not null and active
    on conflict (client_id, cabinet_id) do update set
      next_at = case when s.lease is null then least(s.next_at, excluded.next_at)
        else excluded.next_at end
    returning s.cabinet_id`
  return asked.length > 0
}
