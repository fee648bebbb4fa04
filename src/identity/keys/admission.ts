import { batchCalls } from '../../platform/concurrency/batching.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Executed, Executor } from '../../platform/db/statements/executor.ts'
import { type Statement, type Tag, tagOf } from '../../platform/db/statements/tag.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { type BucketRule, type BucketState, describe } from '../../platform/kernel/token-bucket.ts'

/**
 * Admission decides on every call: whose key it is, whether it is revoked, whether its bucket has a
 * call left.
 *
 * - Any number of service processes share one bucket per key: the buckets are rows of the database.
 * - A revoked key is refused from the next call on: no process remembers keys.
 * - One statement decides. Under load it decides on all calls that arrived while the last one ran.
 * - The read of a call may follow it in the same message.
 * - No call waits for the disk: the buckets are in UNLOGGED tables. After a crash of the database every
 *   bucket is full.
 */

/** Whose data a request is about, and who makes it: a program with a key, or a person in the account. */
export interface Caller {
  readonly clientId: string
  readonly mode: Mode
  readonly actor: Extract<Actor, { readonly kind: 'key' | 'seller' }>
  readonly receiptsEnabled: boolean
  /** False for a sandbox that has no copy of the scenario yet. */
  readonly dataReady: boolean
}

export interface KeyCaller extends Caller {
  readonly keyId: string
  /** The last successful call in the database; the journal writes it with a delay. */
  readonly lastUsedAt: Timestamp | null
}

export type Admission =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked'; readonly caller: KeyCaller }
  /** The client's warehouse is in another cell now, and the proxy will soon know it. */
  | { readonly kind: 'moved'; readonly bucket: BucketState }
  | {
      readonly kind: 'limited' | 'passed'
      readonly caller: KeyCaller
      readonly bucket: BucketState
    }

/** A read that may travel with the admission of its call. If the read fails, the admission still holds. */
export type TravellingRead = (db: Tag) => Promise<unknown>

export type Admit = (keyHash: Buffer, read?: TravellingRead) => Promise<Admission>

const batchMax = 500
/** The reads of one message run one after the other. */
const readsMax = 32

interface Call {
  readonly hash: string
  readonly read: TravellingRead | undefined
}

interface KnownKey {
  hash: string
  client_id: string
  key_id: string
  revoked: boolean
  mode: Mode | 'moved'
  receipts_enabled: boolean
  last_used_at: Timestamp | null
  data_ready: boolean
  full_at: number | null
  granted: number | null
  now: number
}

export function admitKeys(db: Database, rule: BucketRule): Admit {
  const ask = batchCalls<Call, Admission>(batchMax, async (batch) => {
    const hashes = batch.map(({ hash }) => hash)
    const reads = batch.flatMap(({ read }) => read ?? [])
    const rows = await withReads(db, reads, (tag) => takeTokens(tag, rule, countEach(hashes)))
    const known = new Map(rows.map((row) => [row.hash, row]))
    const served = new Map<string, number>()
    return hashes.map((hash) => {
      const call = (served.get(hash) ?? 0) + 1
      served.set(hash, call)
      return admissionOf(rule, known.get(hash), call)
    })
  })
  return (keyHash, read) => ask({ hash: keyHash.toString('hex'), read })
}

/** Runs the statement of admission, and the reads behind it on the same connection. */
async function withReads<Row extends object>(
  db: Database,
  reads: readonly TravellingRead[],
  admit: (db: Tag) => Statement<Row[]>,
): Promise<readonly Row[]> {
  if (reads.length === 0) return admit(db)
  const connection = await db.reserve()
  const admitted = admit(connection).then()
  const tag = tagOf(readingOnce(connection))
  const results = reads.map((read) => read(tag))
  void Promise.allSettled([admitted, ...results]).then(connection.release)
  return admitted
}

/** Sends equal reads once: the connections of one program often ask for the version of its stock at the same moment. */
function readingOnce(connection: Executor): Executor {
  const sent = new Map<string, Promise<Executed>>()
  return {
    async execute(statement) {
      const key = JSON.stringify([statement.text, statement.values])
      const known = sent.get(key)
      if (known !== undefined) return known
      if (sent.size === readsMax) throw new Error('the message is full: the route reads for itself')
      const executed = connection.execute(statement)
      sent.set(key, executed)
      return executed
    },
  }
}

function countEach(hashes: readonly string[]): Map<string, number> {
  const calls = new Map<string, number>()
  for (const hash of hashes) calls.set(hash, (calls.get(hash) ?? 0) + 1)
  return calls
}

function callerOf(row: KnownKey, mode: Mode): KeyCaller {
  return {
    clientId: row.client_id,
    keyId: row.key_id,
    mode,
    actor: { kind: 'key', keyId: row.key_id },
    receiptsEnabled: row.receipts_enabled,
    lastUsedAt: row.last_used_at,
    dataReady: row.data_ready,
  }
}

/** Decides on one of the calls of a key that share a statement: `call` counts them from 1. */
function admissionOf(rule: BucketRule, row: KnownKey | undefined, call: number): Admission {
  if (row === undefined) return { kind: 'unknown' }
  const { mode, full_at: fullAt, granted } = row
  const caller = callerOf(row, mode === 'moved' ? 'live' : mode)
  if (fullAt === null || granted === null) return { kind: 'revoked', caller }
  const bucket = stateAfter(rule, fullAt, granted, call, row.now)
  if (mode === 'moved') return { kind: 'moved', bucket }
  return { kind: call <= granted ? 'passed' : 'limited', caller, bucket }
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

/** Locks buckets in key order, so that two processes never deadlock. */
function takeTokens(
  db: Tag,
  rule: BucketRule,
  calls: ReadonlyMap<string, number>,
): Statement<KnownKey[]> {
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
        full_at = bucket_base(b.full_at, ${rule.capacity}::int, ${rule.intervalMicros}::bigint)
          + tokens_to_grant(b.full_at, excluded.granted,
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

/** Takes a token from the bucket of an address, for a caller without a valid key. */
export async function admitAddress(
  db: Database,
  rule: BucketRule,
  address: string,
): Promise<AddressAdmission> {
  const [row] = await db<[{ full_at: number; granted: number; now: number }]>`
    insert into address_buckets as b (address, full_at, granted)
    values (${address}, now_micros() + ${rule.intervalMicros}::bigint, 1)
    on conflict (address) do update set
      full_at = bucket_base(b.full_at, ${rule.capacity}::int, ${rule.intervalMicros}::bigint)
        + tokens_to_grant(b.full_at, 1,
        ${rule.capacity}::int, ${rule.intervalMicros}::bigint) * ${rule.intervalMicros}::bigint,
      granted = tokens_to_grant(b.full_at, 1,
        ${rule.capacity}::int, ${rule.intervalMicros}::bigint)
    returning full_at, granted, now_micros() as now`
  return { passed: row.granted > 0, bucket: describe(rule, row.full_at, row.now) }
}

/** Takes a token from the bucket of a session of the account. */
export function admitSession(
  db: Database,
  rule: BucketRule,
  sessionId: string,
): Promise<AddressAdmission> {
  return admitAddress(db, rule, `session ${sessionId}`)
}

/** Deletes full buckets: a bucket without a row is full. */
export async function forgetFullBuckets(db: Database): Promise<void> {
  await db`delete from rate_buckets where full_at < now_micros()`
  await db`delete from address_buckets where full_at < now_micros()`
}
