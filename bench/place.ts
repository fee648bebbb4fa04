import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUser, issueToken } from '../src/identity/staff/users.ts'
import { audit } from '../src/operations/audit/audit.ts'
import { type Database, openDatabase } from '../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../src/platform/db/connections/address.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { perform } from '../src/platform/db/work.ts'
import { systemClock } from '../src/platform/kernel/clock.ts'
import { startEmbedded } from '../src/platform/postgres/supervisor.ts'
import { log } from './report.ts'

/** Where a benchmark works: a directory, and in it the embedded PostgreSQL with the tables of the service. */
export interface Place extends AsyncDisposable {
  readonly dataDir: string
  readonly target: DatabaseTarget
  readonly db: Database
}

/** Opens a directory that stays, or a temporary one. */
export async function openPlace(kept?: string): Promise<Place> {
  await using open = new AsyncDisposableStack()
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'sklad-bench-'))
  mkdirSync(dataDir, { recursive: true })
  if (kept === undefined) {
    open.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  }
  const { target, stop } = await startEmbedded({ dataDir, as: 'command' })
  open.defer(stop)
  const db = openDatabase(target, { applicationName: 'bench' })
  open.defer(() => db.end({ timeout: 5 }))
  await migrate(db)
  const opened = open.move()
  return { dataDir, target, db, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Adds a manager of all warehouses. Returns a token. */
export function addManager(db: Database): Promise<string> {
  const login = `bench-${Date.now().toString(36)}`
  return perform(db, systemClock, { kind: 'service' }, async (work) => {
    const user = await createUser(work, { login, role: 'manager', passwordHash: null })
    return (await issueToken(work, user, 'bench')).token
  })
}

export interface StaffApi {
  readonly url: string
  readonly token: string
}

/** Throws where the service refuses. */
export async function postToStaff(
  { url, token }: StaffApi,
  path: string,
  body: object,
): Promise<{ readonly id: string }> {
  const answer = await fetch(`${url}/staff/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

/** Counts the differences that the audit finds, and names some. */
export async function timeAudit(db: Database): Promise<{ seconds: number; findings: number }> {
  const began = performance.now()
  const { findings, omitted } = await audit(db)
  for (const { check, client, object, what } of findings.slice(0, 20)) {
    log(`${check}: ${client} ${object}: ${what}`)
  }
  return { seconds: (performance.now() - began) / 1000, findings: findings.length + omitted }
}
