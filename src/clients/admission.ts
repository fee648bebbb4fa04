import type { Database } from '../db/connection.ts'
import { inBatches } from '../kernel/batch.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { type BucketRule, type BucketState, describe } from '../kernel/token-bucket.ts'
import type { Mode } from './mode.ts'

/**
 * Admission: whose key is it, is it good, and has it a call left. One statement answers all of it,
 * for one call or, under load, for all calls that came while the last statement ran. The truth is in
 * the database, so any number of service processes share one bucket a key, and a revoked key is
 * refused from the next call on. The buckets are in UNLOGGED tables: no call waits for the disk.
 */

export interface Caller {
  readonly clientId: string
  readonly keyId: string
  readonly mode: Mode
  readonly receiptsEnabled: boolean
  /** The last successful call that the database knows of. */
  readonly lastUsedAt: Timestamp | null
  /** False for a sandbox whose copy of the scenario has yet to be made. */
  readonly dataReady: boolean
}

export type Admission =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked'; readonly caller: Caller }
  | { readonly kind: 'limited' | 'passed'; readonly caller: Caller; readonly bucket: BucketState }

export type Admit = (keyHash: Buffer) => Promise<Admission>

const batchMax = 500

interface KnownKey {
  hash: string
  client_id: string
  key_id: string
  revoked: boolean
  mode: Mode
  receipts_enabled: boolean
  last_used_at: Timestamp | null
  data_ready: boolean
  full_at: number | null
  granted: number | null
  now: number
}

export function admitKeys(db: Database, rule: BucketRule): Admit {
  const ask = inBatches<string, Admission>(batchMax, async (hashes) => {
    const calls = countEach(hashes)
    const rows = await takeTokens(db, rule, calls)
    const known = new Map(rows.map((row) => [row.hash, row]))
    const served = new Map<string, number>()
    return hashes.map((hash) => {
      const call = (served.get(hash) ?? 0) + 1
      served.set(hash, call)
      return admissionOf(rule, known.get(hash), call)
    })
  })
  return (keyHash) => ask(keyHash.toString('hex'))
}

function countEach(hashes: readonly string[]): Map<string, number> {
  const calls = new Map<string, number>()
  for (const hash of hashes) calls.set(hash, (calls.get(hash) ?? 0) + 1)
  return calls
}

/** The verdict on the n-th of the calls that one statement asked tokens for. */
function admissionOf(rule: BucketRule, key: KnownKey | undefined, call: number): Admission {
  if (key === undefined) return { kind: 'unknown' }
  const caller: Caller = {
    clientId: key.client_id,
    keyId: key.key_id,
    mode: key.mode,
    receiptsEnabled: key.receipts_enabled,
    lastUsedAt: key.last_used_at,
    dataReady: key.data_ready,
  }
  if (key.full_at === null || key.granted === null) return { kind: 'revoked', caller }
  return {
    kind: call <= key.granted ? 'passed' : 'limited',
    caller,
    bucket: stateAfter(rule, key.full_at, key.granted, call, key.now),
  }
}

function stateAfter(
  rule: BucketRule,
  fullAt: number,
  granted: number,
  call: number,
  now: number,
): BucketState {
  const notYet = granted - Math.min(call, granted)
  return describe(rule, fullAt - notYet * rule.intervalMicros, now)
}

/** Rows are locked in key order, so that two processes never wait for each other in a circle. */
function takeTokens(
  db: Database,
  rule: BucketRule,
  calls: ReadonlyMap<string, number>,
): Promise<KnownKey[]> {
  return db<KnownKey[]>`
    with asked as (
      select decode(hash, 'hex') as hash, calls
      from unnest(${[...calls.keys()]}::text[], ${[...calls.values()]}::int[]) as a (hash, calls)
    ), known as (
      select a.hash, a.calls, k.client_id, k.id as key_id, k.revoked_at is not null as revoked, c.mode,
        k.receipts_enabled, k.last_used_at, c.mode = 'live' or s.copied_at is not null as data_ready
      from asked a
      join key_hashes h on h.hash = a.hash
      join api_keys k on k.client_id = h.client_id and k.id = h.key_id
      join clients c on c.id = h.client_id
      left join sandboxes s on s.client_id = h.client_id
    ), taken as (
      insert into rate_buckets as b (client_id, key_id, full_at, granted)
      select client_id, key_id,
        now_micros() + least(calls, ${rule.capacity}::int) * ${rule.intervalMicros}::bigint,
        least(calls, ${rule.capacity}::int)
      from known where not revoked order by client_id, key_id
      on conflict (client_id, key_id) do update set
        full_at = greatest(b.full_at, now_micros()) + tokens_to_grant(b.full_at, excluded.granted,
          ${rule.capacity}::int, ${rule.intervalMicros}::bigint) * ${rule.intervalMicros}::bigint,
        granted = tokens_to_grant(b.full_at, excluded.granted,
          ${rule.capacity}::int, ${rule.intervalMicros}::bigint)
      returning client_id, key_id, full_at, granted
    )
    select encode(k.hash, 'hex') as hash, k.client_id, k.key_id, k.revoked, k.mode,
      k.receipts_enabled, k.last_used_at, k.data_ready, t.full_at, t.granted, now_micros() as now
    from known k left join taken t on t.client_id = k.client_id and t.key_id = k.key_id`
}

export interface AddressAdmission {
  readonly passed: boolean
  readonly bucket: BucketState
}

/** The same bucket for a caller without a key, by address. */
export async function admitAddress(
  db: Database,
  rule: BucketRule,
  address: string,
): Promise<AddressAdmission> {
  const [row] = await db<[{ full_at: number; granted: number; now: number }]>`
    insert into address_buckets as b (address, full_at, granted)
    values (${address}, now_micros() + ${rule.intervalMicros}::bigint, 1)
    on conflict (address) do update set
      full_at = greatest(b.full_at, now_micros()) + tokens_to_grant(b.full_at, 1,
        ${rule.capacity}::int, ${rule.intervalMicros}::bigint) * ${rule.intervalMicros}::bigint,
      granted = tokens_to_grant(b.full_at, 1,
        ${rule.capacity}::int, ${rule.intervalMicros}::bigint)
    returning full_at, granted, now_micros() as now`
  return { passed: row.granted > 0, bucket: describe(rule, row.full_at, row.now) }
}

/** Forgets buckets that are full again: a bucket without a row is a full one. */
export async function forgetFullBuckets(db: Database): Promise<void> {
  await db`delete from rate_buckets where full_at < now_micros()`
  await db`delete from address_buckets where full_at < now_micros()`
}
