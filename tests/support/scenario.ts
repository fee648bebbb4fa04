import assert from 'node:assert/strict'
import { openClientTurns } from '../../src/identity/keys/client-turns.ts'
import type { Database, Queryable } from '../../src/platform/db/connection.ts'
import { readKey } from '../../src/platform/kernel/api-key.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import {
  administer,
  cloneDatabase,
  databaseOn,
  migratedTemplate,
  scenarioNames,
  serverTarget,
  testDatabase,
} from './database.ts'

/**
 * A fresh database with the sandbox's scenario. The first test file of a run restores it for all.
 */
export async function scenarioDatabase(): ReturnType<typeof testDatabase> {
  return await testDatabase({ template: await scenarioTemplate() })
}

function scenarioTemplate(): Promise<string> {
  const server = serverTarget()
  const template = migratedTemplate()
  const [finished, draft] = scenarioNames(template)
  return administer(server, async (admin) => {
    await admin`select pg_advisory_lock(hashtext(${finished}))`
    const known = await admin`select from pg_database where datname = ${finished}`
    if (known.length > 0) return finished
    await admin`drop database if exists ${admin(draft)} with (force)`
    await cloneDatabase(admin, draft, template)
    await administer(databaseOn(server, draft), (db) =>
      openSandbox({ db, clock: systemClock, turns: openClientTurns(1), idleHours: 24 }).build(),
    )
    await admin`alter database ${admin(draft)} rename to ${admin(finished)}`
    return finished
  })
}

type Sandbox = ReturnType<typeof openSandbox>

/** The client that a new sandbox key belongs to. */
export async function issuedTo(db: Database, sandbox: Sandbox): Promise<string> {
  return clientOfKey(db, await sandbox.issueKey())
}

export async function clientOfKey(db: Queryable, key: string): Promise<string> {
  const hash = readKey(key)?.hash
  assert.ok(hash)
  const [row] = await db<{ client_id: string }[]>`
    select client_id from key_hashes where hash = ${hash}`
  assert.ok(row)
  return row.client_id
}

/** The same, with its copy of the scenario. */
export async function preparedFor(db: Database, sandbox: Sandbox): Promise<string> {
  const clientId = await issuedTo(db, sandbox)
  await sandbox.prepare(clientId)
  return clientId
}
