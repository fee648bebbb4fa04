import { hash } from 'node:crypto'
import type { Work } from '../db/work.ts'

/**
 * The journal of receipt requests: what was asked, when, with which key. The database refuses to
 * change or delete an entry of a live client; and since each entry's hash covers the one before, an
 * entry changed by somebody who got round that shows in `sklad audit`.
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

/** The hash of an entry, given that of the entry before it (empty for the first). */
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

/** Adds an entry in the transaction of the request; the caller holds the lock of the counters. */
export async function recordReceiptRequest(
  work: Work,
  requester: { readonly clientId: string; readonly keyId: string; readonly requestId: string },
  receiptId: string,
  outcome: JournalEntry['outcome'],
  body: unknown,
): Promise<void> {
  const { tx } = work
  const { clientId, keyId, requestId } = requester
  const [last] = await tx<{ journal_entries: number; journal_hash: Buffer }[]>`
    select journal_entries, journal_hash from client_counters where client_id = ${clientId}`
  if (last === undefined) throw new Error(`client ${clientId} has no counters`)
  const entry: JournalEntry = {
    entry: last.journal_entries + 1,
    at: work.at,
    keyId,
    requestId,
    receiptId,
    outcome,
    body: JSON.stringify(body),
  }
  const sealed = entryHash(last.journal_hash, entry)
  await tx`
    with counted as (
      update client_counters set journal_entries = ${entry.entry}, journal_hash = ${sealed}
      where client_id = ${clientId}
    )
    insert into receipt_journal
      (client_id, entry, at, key_id, request_id, receipt_id, outcome, body, hash)
    values (${clientId}, ${entry.entry}, ${entry.at}, ${keyId}, ${requestId}, ${receiptId},
      ${outcome}, ${entry.body}, ${sealed})`
}
