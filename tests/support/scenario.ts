import { openClientTurns } from '../../src/identity/keys/client-turns.ts'
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
