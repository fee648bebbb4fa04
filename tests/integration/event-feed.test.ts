import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsubscribe } from '../../src/exchange/webhooks/subscriptions.ts'
import { type Database, inTransaction } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { firstIdAt, newIdAt } from '../../src/platform/kernel/ids.ts'
import { day, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { failPending } from '../../src/warehouse/events/delivery-log.ts'
import {
  type FeedPage,
  type FeedPosition,
  type FeedRequest,
  readFeed,
} from '../../src/warehouse/events/feed.ts'
import { announce, rotateEvents } from '../../src/warehouse/events/outbox.ts'
import { endUnusedRecordings } from '../../src/warehouse/events/recording.ts'
import { testDatabase } from '../support/database.ts'
import { deliveriesOf } from '../support/deliveries.ts'
import { addSubscription } from '../support/subscription.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 30 })
const actor = { kind: 'service' } as const

interface Reader {
  readonly clientId: string
  readonly clock: ManualClock
  /** The names of the events after a position, and the page. */
  read(request?: Partial<FeedRequest>): Promise<{ names: string[]; page: FeedPage }>
  /** All events from the beginning. */
  readAll(limit?: number): Promise<string[]>
}

async function openReader(): Promise<Reader> {
  const { id: clientId } = await makeClient(db)
  const clock = new ManualClock(noon)
  const read: Reader['read'] = async (request = {}) => {
    const page = await readFeed(
      { db, clock },
      { clientId, actor, mode: {} },
      {
        after: undefined,
        types: undefined,
        limit: 100,
        ...request,
      },
    )
    assert.ok('bodies' in page, 'the position is lost')
    return { names: page.bodies.map((body) => JSON.parse(body).data.name as string), page }
  }
  return {
    clientId,
    clock,
    read,
    async readAll(limit = 100) {
      const all: string[] = []
      for (let after: FeedPosition | undefined; ; ) {
        const { names, page } = await read({ after, limit })
        all.push(...names)
        if (!page.hasMore) return all
        after = page.next
      }
    },
  }
}

const write = (clientId: string, names: readonly string[], now = noon, on: Database = db) =>
  at(on, now, (work) =>
    announce(work, clientId, 'receipt.created', async () =>
      names.map((name) => ({ object: { name } })),
    ),
  )

/** Writes an event and commits on request. */
async function writeSlowly(clientId: string, name: string) {
  const written = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const committed = at(db, noon, async (work) => {
    await announce(work, clientId, 'receipt.created', async () => [{ object: { name } }])
    written.resolve()
    await commit.promise
  })
  await written.promise
  return {
    commit() {
      commit.resolve()
      return committed
    },
  }
}

// Guarantee (events): No event ever appears before a position that a reader of the feed already has.
test('an event that commits late appears after every position that was given out', async () => {
  const { clientId, read, readAll } = await openReader()
  await read()
  const slow = await writeSlowly(clientId, 'slow')
  await write(clientId, ['quick'])
  const first = await read()
  assert.deepEqual(first.names, ['quick'])
  await slow.commit()
  const second = await read({ after: first.page.next })
  assert.deepEqual(second.names, ['slow'])
  assert.deepEqual(await readAll(), ['quick', 'slow'])
  assert.deepEqual((await read({ after: second.page.next })).names, [])
})

// Guarantee (events): The feed shows every event of a client once, in the same order to all readers.
test('sixteen writers and four readers: each event once, in one order for all', async () => {
  const { clientId, read, readAll } = await openReader()
  await read()
  const all = Array.from({ length: 16 }, (_, writer) =>
    Array.from({ length: 20 }, (_, n) => `${writer}/${n}`),
  )
  let writing = true
  const writers = all.map(async (names) => {
    for (const name of names) {
      const slow = await writeSlowly(clientId, name)
      // Some statements later, a different number for each.
      for (let n = name.length % 5; n > 0; n -= 1) await db`select 1`
      await slow.commit()
    }
  })
  const readers = Array.from({ length: 4 }, async (_, reader) => {
    const seen: string[] = []
    for (let after: FeedPosition | undefined; ; ) {
      const last = !writing
      const { names, page } = await read({ after, limit: reader + 1 })
      seen.push(...names)
      after = page.next
      if (last && !page.hasMore) return seen
    }
  })
  await Promise.all(writers)
  writing = false
  const [one, ...others] = await Promise.all(readers)
  assert.deepEqual(one?.toSorted(), all.flat().toSorted())
  for (const other of others) assert.deepEqual(other, one)
  assert.deepEqual(await readAll(7), one)
})

test('events of one object keep the order of its changes, whichever transaction began first', async () => {
  const { clientId, read } = await openReader()
  await read()
  const [began, mayChange] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const change = (work: Parameters<Parameters<typeof at>[2]>[0], name: string) =>
    work.tx`select from clients where id = ${clientId} for update`.then(() =>
      announce(work, clientId, 'receipt.created', async () => [{ object: { name } }]),
    )
  const later = at(db, noon - 1, async (work) => {
    await work.tx`select pg_current_xact_id()`
    began.resolve()
    await mayChange.promise
    await change(work, 'second')
  })
  await began.promise
  await at(db, noon, (work) => change(work, 'first'))
  mayChange.resolve()
  await later
  assert.deepEqual((await read()).names, ['first', 'second'])
})

test('pages have at most the limit and say whether more follows; latest is the end', async () => {
  const { clientId, read } = await openReader()
  await read()
  await write(clientId, ['a', 'b', 'c'])
  const first = await read({ limit: 2 })
  assert.deepEqual([first.names, first.page.hasMore], [['a', 'b'], true])
  const second = await read({ limit: 2, after: first.page.next })
  assert.deepEqual([second.names, second.page.hasMore], [['c'], false])
  await write(clientId, ['d'])
  const end = await read({ after: 'latest' })
  assert.deepEqual([end.names, end.page.hasMore], [[], false])
  await write(clientId, ['e'])
  assert.deepEqual((await read({ after: end.page.next })).names, ['e'])
})

test('a filter by type passes over other events, and its position moves on with them', async () => {
  const { clientId, read } = await openReader()
  await read()
  await write(clientId, ['created'])
  await at(db, noon, (work) =>
    announce(work, clientId, 'receipt.completed', async () => [{ object: { name: 'completed' } }]),
  )
  await write(clientId, ['created later'])
  const { names, page } = await read({ types: ['receipt.completed'] })
  assert.deepEqual([names, page.hasMore], [['completed'], false])
  assert.deepEqual((await read({ after: page.next })).names, [])
})

test('nothing is written for a client who has neither a subscription nor read the feed', async () => {
  const { clientId, read } = await openReader()
  let rendered = 0
  const announceOne = () =>
    at(db, noon, (work) =>
      announce(work, clientId, 'receipt.created', async () => {
        rendered += 1
        return [{ object: { name: 'x' } }]
      }),
    )
  await announceOne()
  assert.equal(rendered, 0)
  await read()
  await announceOne()
  assert.equal(rendered, 1)
  assert.deepEqual((await read()).names, ['x'])
})

test('events before the oldest that is kept are gone, and a position among them is lost', async () => {
  const { clientId, clock, read } = await openReader()
  await read()
  await write(clientId, ['old', 'older'], noon - 40 * day)
  const { page } = await read({ limit: 1 })
  const kept = await read({ after: page.next })
  await write(clientId, ['young'])
  await rotateEvents(db, noon, 30)
  assert.deepEqual((await read()).names, ['young'])
  assert.deepEqual((await read({ after: kept.page.next })).names, ['young'])
  const lost = await readFeed(
    { db, clock },
    { clientId, actor, mode: {} },
    {
      after: page.next,
      types: undefined,
      limit: 10,
    },
  )
  assert.ok('lostSince' in lost)
})

test('old events are dropped whole with the deliveries that have ended or still wait, and younger ones stay', async () => {
  const { clientId, clock, read } = await openReader()
  const { id: webhookId } = await addSubscription(db, clientId)
  const deliveries = async () => (await deliveriesOf(db, webhookId)).map(({ status }) => status)
  const partitions = async () => {
    const rows = await db<{ name: string }[]>`
      select partition::text as name from event_partitions where finish <= ${toTimestamp(noon)}`
    return rows.map(({ name }) => name)
  }
  await rotateEvents(db, noon - 50 * day, 30)
  await write(clientId, ['failed'], noon - 50 * day)
  await inTransaction(db, (tx) => failPending(tx, clientId, webhookId, 'Нет'))
  const { page } = await read()
  await write(clientId, ['waits'], noon - 49 * day)
  await write(clientId, ['young'])
  assert.deepEqual(await deliveries(), ['FAILED', 'PENDING', 'PENDING'])
  assert.ok((await partitions()).length > 0)
  await rotateEvents(db, noon, 30)
  assert.deepEqual(await partitions(), [])
  assert.deepEqual(await deliveries(), ['PENDING'])
  assert.deepEqual((await read()).names, ['young'])
  const request = { after: page.next, types: undefined, limit: 10 }
  assert.ok('lostSince' in (await readFeed({ db, clock }, { clientId, actor, mode: {} }, request)))
})

test('the database and the service agree on which ids a moment has', async () => {
  for (const at of [0, noon, noon + 1, Date.parse('9999-12-31T00:00:00Z')]) {
    const [row] = await db<[{ first: string; moment: number }]>`
      select first_id(${toTimestamp(at)}::timestamptz) as first,
        (extract(epoch from moment_of_id(${newIdAt(at)})) * 1000)::float8 as moment`
    assert.deepEqual(row, { first: firstIdAt(at), moment: at })
  }
})

test('an event that came before its partition moves there with its deliveries, and keeps its position', async () => {
  const { clientId, read } = await openReader()
  const { id: webhookId } = await addSubscription(db, clientId)
  const ahead = noon + 300 * day
  await read()
  await write(clientId, ['first', 'second'], ahead)
  await inTransaction(db, (tx) => failPending(tx, clientId, webhookId, 'Нет'))
  const { page } = await read({ limit: 1 })
  const lies = async () => {
    const rows = await db<{ partition: string }[]>`
      select tableoid::regclass::text as partition from events where client_id = ${clientId}
      union select tableoid::regclass::text from ended_deliveries where client_id = ${clientId} order by 1`
    return rows.map(({ partition }) => partition)
  }
  assert.deepEqual(await lies(), ['ended_deliveries_default', 'events_default'])
  await rotateEvents(db, ahead, 30)
  const [deliveries = '', events = ''] = await lies()
  assert.match(deliveries, /^ended_deliveries_\d{8}$/)
  assert.match(events, /^events_\d{8}$/)
  assert.deepEqual((await read({ after: page.next })).names, ['second'])
  assert.equal((await deliveriesOf(db, webhookId)).length, 2)
})

// Guarantee (events): A reader who comes after events were deleted learns it.
test('whoever slept while unread events expired learns it instead of skipping them', async () => {
  const { clientId, clock, read } = await openReader()
  const { page } = await read()
  await write(clientId, ['never read'], noon - 40 * day)
  await rotateEvents(db, noon, 30)
  const request = { after: page.next, types: undefined, limit: 10 }
  assert.ok('lostSince' in (await readFeed({ db, clock }, { clientId, actor, mode: {} }, request)))
  await write(clientId, ['young'])
  assert.deepEqual((await read()).names, ['young'])
})

test('a feed that vanishes while it is read, by a reset, begins anew, and a position of before is lost', async () => {
  const { clientId, clock, read } = await openReader()
  const { page } = await read()
  await write(clientId, ['of before'])
  const { answer, waited } = await meanwhile(
    db,
    (tx) => tx`delete from event_feeds where client_id = ${clientId}`,
    () =>
      readFeed(
        { db, clock },
        { clientId, actor, mode: {} },
        { after: page.next, types: undefined, limit: 10 },
      ),
  )
  assert.ok(waited)
  assert.ok('lostSince' in answer)
  await write(clientId, ['of after'])
  assert.deepEqual((await read()).names, ['of after'])
})

test('recording ends after a time without use, and positions of before are lost', async () => {
  const { clientId, clock, read } = await openReader()
  const { page } = await read()
  const used = await addSubscription(db, clientId)
  await endUnusedRecordings(db, noon + day)
  await write(clientId, ['recorded'])
  await perform(db, clock, actor, (work) => unsubscribe(work, clientId, used.id))
  await endUnusedRecordings(db, noon)
  await write(clientId, ['recorded still'])
  await endUnusedRecordings(db, noon + day)
  await write(clientId, ['not recorded'])
  const request = { after: page.next, types: undefined, limit: 10 }
  assert.ok('lostSince' in (await readFeed({ db, clock }, { clientId, actor, mode: {} }, request)))
  await write(clientId, ['recorded again'])
  assert.deepEqual((await read()).names, ['recorded again'])
})

test('reading the feed now and then keeps the recording', async () => {
  const { clientId, clock, read } = await openReader()
  await read()
  clock.advance(2 * day)
  await read()
  await endUnusedRecordings(db, noon + day)
  await write(clientId, ['recorded'])
  assert.deepEqual((await read()).names, ['recorded'])
})
