import type { Database } from '../db/connection.ts'
import { entryHash, type JournalEntry } from '../journal/receipt-journal.ts'
import type { Finding } from './audit.ts'

const name = 'chains of the receipt journal'
const batch = 1_000

type Row = JournalEntry & { clientId: string; hash: Buffer }

/**
 * Follows the chain of every client's journal of receipt requests: entries without a gap, each with
 * the hash that its content and the entry before it give, the last one the one that is counted.
 */
export async function checkJournals(db: Database, findingsMax: number): Promise<Finding[]> {
  const findings: Finding[] = []
  let client = ''
  let previous: Buffer = Buffer.alloc(0)
  let expected = 1
  const rows = db<Row[]>`
    select client_id as "clientId", entry, at, key_id as "keyId", request_id as "requestId",
      receipt_id as "receiptId", outcome, body, hash
    from receipt_journal order by client_id, entry`
  for await (const some of rows.cursor(batch)) {
    for (const row of some) {
      if (row.clientId !== client) {
        client = row.clientId
        previous = Buffer.alloc(0)
        expected = 1
      }
      const problem = problemOf(row, previous, expected)
      if (problem !== undefined && findings.length < findingsMax) {
        findings.push({ check: name, client, what: problem })
      }
      previous = row.hash
      expected = row.entry + 1
    }
  }
  const ends = await checkEnds(db, findingsMax)
  return [...findings, ...ends]
}

function problemOf(row: Row, previous: Buffer, expected: number): string | undefined {
  if (row.entry !== expected) return `entry ${expected} is missing before ${row.entry}`
  if (!entryHash(previous, row).equals(row.hash)) return `entry ${row.entry} was changed`
  return undefined
}

async function checkEnds(db: Database, limit: number): Promise<Finding[]> {
  const rows = await db<{ client: string; what: string }[]>`
    select n.client_id as client, format('%s entries counted, the last found is %s',
      n.journal_entries, coalesce(j.entry, 0)) as what
    from client_counters n
    left join lateral (
      select entry, hash from receipt_journal j
      where j.client_id = n.client_id order by entry desc limit 1
    ) j on true
    where n.journal_entries <> coalesce(j.entry, 0) or n.journal_hash <> coalesce(j.hash, '')
    limit ${limit}`
  return rows.map((row) => ({ check: name, ...row }))
}
