import type { Database } from '../db/connection.ts'
import { checks } from './checks.ts'
import { checkJournals } from './journals.ts'

/**
 * The audit: everything that is kept as a sum or a copy is computed again from first facts, over all
 * clients, by the database, and what differs is named. Memory stays small whatever the history: each
 * check brings back only differences, and at most so many of them.
 */
export interface Finding {
  /** The invariant that does not hold. */
  readonly check: string
  readonly client: string
  /** Which row, and what was found and expected. */
  readonly what: string
}

export interface AuditReport {
  readonly checks: number
  readonly findings: readonly Finding[]
}

/** Differences shown of one check. */
const shownMax = 100

export async function audit(db: Database): Promise<AuditReport> {
  const findings: Finding[] = []
  const all = checks(db)
  for (const { name, differences } of all) {
    const rows = await db<{ client_id: string; what: string }[]>`
      select client_id, what from (${differences}) d order by client_id, what limit ${shownMax}`
    findings.push(...rows.map(({ client_id, what }) => ({ check: name, client: client_id, what })))
  }
  findings.push(...(await checkJournals(db, shownMax)))
  return { checks: all.length + 1, findings }
}
