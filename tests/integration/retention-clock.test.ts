import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveRetentionClock, openMaintenance } from '../../src/operations/maintenance.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { day, hour, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { announce } from '../../src/warehouse/events/outbox.ts'
import { testDatabase } from '../support/database.ts'
import { deliveriesOf } from '../support/deliveries.ts'
import { eventually } from '../support/faults.ts'
import { addSubscription } from '../support/subscription.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const year = 365 * day

test('the retention clock follows the clock, by an hour at most where it jumps ahead, and back at once', async () => {
  const { db } = await testDatabase()
  const moved = async (now: number) => (await moveRetentionClock(db, now)) - noon
  assert.equal(await moved(noon), 0)
  assert.equal(await moved(noon + hour / 60), hour / 60)
  assert.equal(await moved(noon + year), hour / 60 + hour)
  assert.equal(await moved(noon + year), hour / 60 + 2 * hour)
  assert.equal(await moved(noon + 2 * hour), 2 * hour)
  assert.equal(await moved(noon - day), -day)
})

// Guarantee (maintenance): A clock that jumps ahead drops no young event and no unsent one.
test('maintenance by a clock that is a year ahead drops no event and no delivery that waits', async () => {
  const { db } = await testDatabase()
  const { id: clientId } = await makeClient(db)
  const { id: webhookId } = await addSubscription(db, clientId)
  const clock = new ManualClock(noon)
  const retentionDays = 30

  /** The last step of maintenance ends this recording, so its end shows that the run is over. */
  async function maintain(recordingUnusedSince: number): Promise<void> {
    const { id } = await makeClient(db)
    const since = toTimestamp(recordingUnusedSince)
    await db`
      insert into event_feeds (client_id, recording, since, first_number, used_at)
      values (${id}, gen_random_uuid(), ${since}, 0, ${since})`
    const errors: unknown[] = []
    const maintenance = openMaintenance({
      db,
      clock,
      sandbox: { build: async () => {}, sweep: async () => 0 },
      config: { callJournalDays: 365, webhooks: { retentionDays } },
      log: { error: (error) => void errors.push(error) },
    })
    maintenance.start()
    await eventually('maintenance has run', async () => {
      const rows = await db`select from event_feeds where client_id = ${id} and since is null`
      return rows.length === 1
    })
    await maintenance.stop()
    assert.deepEqual(errors, [])
  }

  await maintain(noon - 31 * day)
  await at(db, noon, (work) =>
    announce(work, clientId, 'receipt.created', async () => [{ object: { name: 'waits' } }]),
  )
  clock.set(noon + year)
  await maintain(noon - retentionDays * day + hour / 2)

  const events = await db`select from events where client_id = ${clientId}`
  assert.equal(events.length, 1)
  const [delivery] = await deliveriesOf(db, webhookId)
  assert.equal(delivery?.status, 'PENDING')
})
