import { rowsInBatches } from '../../../platform/db/batches.ts'
import type { Queryable } from '../../../platform/db/connection.ts'
import { entryHash, type JournalEntry } from '../../../warehouse/journal/receipt-journal.ts'
import { type Check, check, type Finding, type Found, findBy, type Place } from '../check.ts'

/** The chained journal of receipt requests, and the history of orders. */

const chains = 'chains of the receipt journal'
const batch = 1_000

type Row = JournalEntry & { clientId: string; hash: Buffer }

/**
 * Follows the chain of each client's journal of receipt requests. Entries have no gap, and each has the hash of its
 * content and of the entry before it. The client's counter names the last one.
 */
async function followChains(place: Place): Promise<Found> {
  const { tx, clients, limit } = place
  const findings: Finding[] = []
  let count = 0
  let client = ''
  let previous: Buffer = Buffer.alloc(0)
  let expected = 1
  const entries = tx`
    select client_id as "clientId", entry, at, key_id as "keyId", user_id as "userId",
      request_id as "requestId", receipt_id as "receiptId", outcome, body,
      idempotency_key as "idempotencyKey", hash
    from receipt_journal where client_id = any(${clients as string[]}::uuid[])
    order by client_id, entry`
  for await (const some of rowsInBatches<Row>(tx, entries, batch)) {
    for (const row of some) {
      if (row.clientId !== client) {
        client = row.clientId
        previous = Buffer.alloc(0)
        expected = 1
      }
      const what = problemOf(row, previous, expected)
      if (what !== undefined) {
        count += 1
        const object = `entry ${row.entry}`
        if (findings.length < limit) findings.push({ check: chains, client, object, what })
      }
      previous = row.hash
      expected = row.entry + 1
    }
  }
  const ends = await checkEnds(tx, clients, limit)
  return { findings: [...findings, ...ends.findings], count: count + ends.count }
}

function problemOf(row: Row, previous: Buffer, expected: number): string | undefined {
  if (row.entry !== expected) return `entry ${expected} is missing before it`
  if (!entryHash(previous, row).equals(row.hash)) return 'was changed'
  return undefined
}

function checkEnds(tx: Queryable, clients: readonly string[], limit: number): Promise<Found> {
  return findBy(
    chains,
    tx,
    tx`
      select c.id as client_id, 'head' as object, format('%s entries counted, the last found is %s',
        coalesce(h.entries, 0), coalesce(j.entry, 0)) as what
      from clients c
      left join receipt_journal_heads h on h.client_id = c.id
      left join lateral (
        select entry, hash from receipt_journal j
        where j.client_id = c.id order by entry desc limit 1
      ) j on true
      where c.id = any(${clients as string[]}::uuid[])
        and (coalesce(h.entries, 0) <> coalesce(j.entry, 0) or h.hash is distinct from j.hash)`,
    limit,
  )
}

export const journalChecks: readonly Check[] = [
  { name: chains, find: followChains },
  check(
    'requests of sellers and their receipts are in the journal',
    (db, own) => db`
      select r.client_id, r.number as object, 'in no entry of the journal' as what
      from receipts r
      join clients c on c.id = r.client_id
      where ${own('r')} and r.source = 'api' and c.mode = 'live' and not exists (
        select from receipt_journal j
        where j.client_id = r.client_id and j.receipt_id = r.id and j.outcome = 'created')
      union all
      select j.client_id, format('entry %s', j.entry), format('of unknown receipt %s', j.receipt_id)
      from receipt_journal j
      where ${own('j')} and not exists (
        select from receipts r where r.client_id = j.client_id and r.id = j.receipt_id)`,
  ),
  check(
    'history is of known orders',
    (db, own) => db`
      select h.client_id, format('entry %s', h.id) as object, format('of unknown order %s', h.order_id) as what
      from order_status_history h
      where ${own('h')} and not exists (
        select from orders o where o.client_id = h.client_id and o.id = h.order_id)`,
  ),
]
