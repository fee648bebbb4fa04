import { hash } from 'node:crypto'
import type { SharedWork } from '../../platform/db/work.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * The journal of receipt requests: the body, the moment and the key or user of each. The database refuses
 * to change or delete entries of live clients. Each entry's hash covers the entry before it, so
 * `sklad audit` finds an entry that was changed in spite of that.
 */

export interface JournalEntry {
  readonly entry: number
  readonly at: string
  readonly keyId: string | null
  /** The seller's user who announced the receipt, where no key did. */
  readonly userId: string | null
  readonly requestId: string
  readonly receiptId: string
  readonly outcome: 'created' | 'repeated' | 'changed'
  readonly body: string
  /** The key that the caller gave the request, on the entry that created the receipt. */
  readonly idempotencyKey: string | null
}

/** The hash of an entry, from the hash of the entry before it (empty for the first). */
export function entryHash(previous: Uint8Array, entry: JournalEntry): Buffer {
  const fields = [
    Buffer.from(previous).toString('hex'),
    entry.entry,
    entry.at,
    entry.keyId ?? `user ${entry.userId}`,
    entry.requestId,
    entry.receiptId,
    entry.outcome,
    entry.body,
    // Entries without a key keep the hash that they had before there were keys.
    ...(entry.idempotencyKey === null ? [] : [entry.idempotencyKey]),
  ]
  return hash('sha256', JSON.stringify(fields), 'buffer')
}

/** Who announces a receipt: a program by its key, or a seller's user. */
export type Requester = {
  readonly clientId: string
  readonly requestId: string
} & ({ readonly keyId: string } | { readonly userId: string })

/** A request of a receipt and what came of it. */
export interface ReceiptRequestRecord {
  readonly requester: Requester
  readonly receiptId: string
  readonly outcome: JournalEntry['outcome']
  readonly body: unknown
  readonly idempotencyKey?: string | undefined
}

/** Adds entries, in order, in the transaction of the requests. The caller holds the locks of the clients' counters. */
export async function recordReceiptRequests(
  { tx, at }: SharedWork,
  records: readonly ReceiptRequestRecord[],
): Promise<void> {
  if (records.length === 0) return
  const byClient = Map.groupBy(records, ({ requester }) => requester.clientId)
  const heads = await tx<{ clientId: string; entries: number; hash: Buffer }[]>`
    select client_id as "clientId", entries, hash from receipt_journal_heads
    where client_id = any(${[...byClient.keys()]}::uuid[])`
  const headOf = new Map(heads.map((head) => [head.clientId, head]))
  const chains = [...byClient].map(([clientId, own]) => chained(own, at, headOf.get(clientId)))
  const ends = chains.flatMap((chain) => chain.slice(-1))
  await tx`
    with entered as materialized (
      select e.*, decode(e.sealed, 'hex') as hash
      from jsonb_to_recordset(${tx.json(chains.flat())}) as e (client_id uuid, entry bigint, key_id uuid,
        user_id uuid, request_id text, receipt_id uuid, outcome text, body text, idempotency_key text, sealed text)
    ), head as (
      insert into receipt_journal_heads (client_id, entries, hash)
      select client_id, entry, hash from entered
      where (client_id, entry) in (
        select * from unnest(${ends.map((end) => end.client_id)}::uuid[], ${ends.map((end) => end.entry)}::bigint[])
      )
      on conflict (client_id) do update set entries = excluded.entries, hash = excluded.hash
    )
    insert into receipt_journal
      (client_id, entry, at, key_id, user_id, request_id, receipt_id, outcome, body, idempotency_key, hash)
    select client_id, entry, ${at}, key_id, user_id, request_id, receipt_id, outcome, body, idempotency_key, hash
    from entered`
}

/** Rows of one client's entries, each sealed with the hash of the one before it. */
function chained(
  records: readonly ReceiptRequestRecord[],
  at: Timestamp,
  head: { readonly entries: number; readonly hash: Buffer } | undefined,
) {
  let { entries, hash: last } = head ?? { entries: 0, hash: Buffer.alloc(0) }
  return records.map(({ requester, receiptId, outcome, body, idempotencyKey = null }) => {
    const { clientId, requestId } = requester
    const keyId = 'keyId' in requester ? requester.keyId : null
    const userId = 'userId' in requester ? requester.userId : null
    entries += 1
    const entry = {
      entry: entries,
      at,
      keyId,
      userId,
      requestId,
      receiptId,
      outcome,
      body: JSON.stringify(body),
      idempotencyKey,
    }
    last = entryHash(last, entry)
    return {
      client_id: clientId,
      entry: entries,
      key_id: keyId,
      user_id: userId,
      request_id: requestId,
      receipt_id: receiptId,
      outcome,
      body: entry.body,
      idempotency_key: idempotencyKey,
      sealed: last.toString('hex'),
    }
  })
}
