import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { openClientTurns } from '../../src/identity/keys/client-turns.ts'
import { openMaintenance } from '../../src/operations/maintenance.ts'
import { refuseWithoutRights } from '../../src/operations/moving/conditions.ts'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { rotateEvents } from '../../src/warehouse/events/outbox.ts'
import { rotateCallJournal } from '../../src/warehouse/journal/calls.ts'
import { newSandbox } from '../support/client.ts'
import { administer, serverTarget, testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { noon } from '../support/warehouse.ts'

/** The files for a database of one's own, whose service changes rows and no tables. */

const suffix = randomBytes(6).toString('hex')
const [owner, runner] = [`owner_${suffix}`, `runner_${suffix}`]
const password = randomBytes(9).toString('hex')

function file(name: string): string {
  const text = readFileSync(new URL(`../../deploy/database/${name}`, import.meta.url), 'utf8')
  return text
    .replaceAll(/\bsklad_owner\b/g, owner)
    .replaceAll(/\bto sklad;|\bfrom sklad;/g, (each) => each.replace('sklad', runner))
    .replace("'sklad'", `'${runner}'`)
}

function as(target: DatabaseTarget, role: string): DatabaseTarget {
  if (!('url' in target)) return { ...target, user: role }
  const address = new URL(target.url)
  address.username = role
  address.password = password
  return { url: address.href }
}

after(() =>
  administer(serverTarget(), async (admin) => {
    await admin.unsafe(`drop role if exists ${owner}`)
    await admin.unsafe(`drop role if exists ${runner}`)
  }),
)

// Roles go after the database that has their rights.
const { db: admin, target, drop } = await testDatabase({ empty: true })

/** What the service does by itself on three days. */
async function playDays(db: Database): Promise<void> {
  const clock = new ManualClock(Date.now())
  const failures: unknown[] = []
  const maintenance = openMaintenance({
    db,
    clock,
    sandbox: openSandbox({ db, clock, turns: openClientTurns(10), idleHours: 24 }),
    config: { callJournalDays: 1, webhooks: { retentionDays: 1 } },
    log: { error: ({ err }) => failures.push(err) },
  })
  for (const _ of [1, 2, 3]) {
    clock.advance(day)
    await maintenance.runOnce()
  }
  assert.deepEqual(failures, [])
}

test('a service whose role may change rows only works, and opens and drops partitions', async () => {
  // A second database of the server has the roles already.
  for (const _ of [1, 2]) await admin.unsafe(file('roles.sql'))
  for (const role of [owner, runner])
    await admin.unsafe(`alter role ${role} password '${password}'`)
  const owning = openDatabase(as(target, owner), { max: 2 })
  await migrate(owning)
  await owning.unsafe(file('rights.sql'))

  const running = openDatabase(as(target, runner), { max: 5 })
  assert.deepEqual(await migrate(running), { applied: [] })
  for (const later of [0, 400]) {
    await rotateCallJournal(running, noon + later * day, 30)
    await rotateEvents(running, noon + later * day, 30)
  }
  const parts = await owning`select from call_journal_partitions where finish > now()`
  assert.ok(parts.length > 0)
  for (const statement of [
    'create table mine (id integer)',
    'drop table staff_journal',
    'alter table call_journal disable trigger user',
    'truncate receipts',
    `insert into schema_migrations values (9999, 'x', 'x')`,
  ]) {
    await assert.rejects(running.unsafe(statement), /permission denied|must be owner/, statement)
  }

  const moves = { db: running, other: owning }
  await assert.rejects(refuseWithoutRights(moves), /role in DATABASE_URL must own the tables/)
  await assert.rejects(
    refuseWithoutRights({ db: owning, other: owning }),
    /role in --to may not leave triggers out/,
  )

  const service = await startService(undefined, 'all', async () => running)
  const seller = await newSandbox(service)
  const me = (await seller.get('/v1/me')).body as { cabinets: { id: string }[] }
  const made = await seller.post('/v1/receipts', {
    cabinet_id: me.cabinets[0]?.id,
    items: [{ barcode: 'B-1', name: 'Товар', qty: 3, honest_mark: false }],
  })
  assert.equal(made.status, 201, made.text)
  await service.stop()
  await playDays(running)
  const open =
    await owning`select from call_journal_partitions where finish > now() + interval '8 days'`
  assert.ok(open.length > 0)
  await Promise.all([running.end({ timeout: 1 }), owning.end({ timeout: 1 })])
  await drop()
})
