import { hash } from 'node:crypto'
import type { Work } from '../db/work.ts'

/**
 * The journal of receipt requests: the body, the moment and the key of each. The database refuses
 * to change or delete entries of live clients. Each entry's hash covers the entry before it, so
 * `sklad audit` finds an entry that was changed in spite of that.
 */

export interface JournalEntry {
  readonly entry: number
  readonly at: string
  readonly keyId: string
  readonly requestId: string
  readonly receiptId: string
  readonly outcome: 'created' | 'repeated'
  readonly body: string
}

/** The hash of an entry, from the hash of the entry before it (empty for the first). */
export function entryHash(previous: Uint8Array, entry: JournalEntry): Buffer {
  const fields = [
    Buffer.from(previous).toString('hex'),
    entry.entry,
    entry.at,
    entry.keyId,
    entry.requestId,
    entry.receiptId,
    entry.outcome,
    entry.body,
  ]
  return hash('sha256', JSON.stringify(fields), 'buffer')
}

/** Adds an entry in the transaction of the request. The caller holds the lock of the counters. */
export async function recordReceiptRequest(
  work: Work,
  requester: { readonly clientId: string; readonly keyId: string; readonly requestId: string },
  receiptId: string,
  outcome: JournalEntry['outcome'],
  body: unknown,
): Promise<void> {
  const { tx } = work
  const { clientId, keyId, requestId } = requester
  const [head] = await tx<{ entries: number; hash: Buffer }[]>`
    select entries, hash from receipt_journal_heads where client_id = ${clientId}`
  const entry: JournalEntry = {
    entry: (head?.entries ?? 0) + 1,
    at: work.at,
    keyId,
    requestId,
    receiptId,
    outcome,
    body: JSON.stringify(body),
  }
  const sealed = entryHash(head?.hash ?? Buffer.alloc(0), entry)
  await tx`
    with head as (
      insert into receipt_journal_heads (client_id, entries, hash)
      values (${clientId}, ${entry.entry}, ${sealed})
      on conflict (client_id) do update set entries = excluded.entries, hash = excluded.hash
    )
    insert into receipt_journal
      (client_id, entry, at, key_id, request_id, receipt_id, outcome, body, hash)
    values (${clientId}, ${entry.entry}, ${entry.at}, ${keyId}, ${requestId}, ${receiptId},
      ${outcome}, ${entry.body}, ${sealed})`
}
