import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import {
  forgetFullAccounts,
  openSharedLimits,
} from '../../src/exchange/marketplaces/calls/account-buckets.ts'
import { MarketplaceError } from '../../src/exchange/marketplaces/calls/failure.ts'
import { AccountHeld, type LimitRule } from '../../src/exchange/marketplaces/calls/limits.ts'
import { makeConnect } from '../../src/exchange/marketplaces/connecting/open-connector.ts'
import { type Database, openBeside, openDatabase } from '../../src/platform/db/connection.ts'
import { makeSecretBox } from '../../src/platform/kernel/secret-box.ts'
import { sealCredentials } from '../../src/warehouse/clients/credentials.ts'
import { testDatabase } from '../support/database.ts'
import type { FakeAccount } from '../support/marketplaces/fake.ts'
import { takePlace } from '../support/marketplaces/in-memory-limits.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { hostsOf } from '../support/sync-scene.ts'

/**
 * The limits of marketplace accounts, shared by processes. A wait is recorded and ends at once, and it
 * ends every hold.
 */
const { db, target } = await testDatabase()
const other = openDatabase(target, { max: 3 })
after(() => other.end({ timeout: 1 }))

const minute = 60_000
/** So slow that the bucket regains no call during a test. */
const slow: LimitRule = { burst: 5, intervalMs: 3_000 }

/** The limits as one process has them. */
function openProcess(pool: Database = db, rule = slow) {
  const waits: number[] = []
  const limits = openSharedLimits(pool, rule, {
    async wait(ms) {
      waits.push(ms)
      await db`
        update marketplace_buckets set held_until = now_micros() where held_until > now_micros()`
    },
  })
  return { ...limits, waits }
}

/** Moves the account's bucket into the past, as if time had passed. */
async function pass(account: string, ms: number): Promise<void> {
  await db`
    update marketplace_buckets
    set full_at = full_at - ${ms * 1000}::bigint, held_until = held_until - ${ms * 1000}::bigint,
      held_at = held_at - ${ms * 1000}::bigint
    where account = ${account}`
}

async function took<T>(act: () => Promise<T>): Promise<number> {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

// Guarantee (marketplaces): All processes together call a marketplace no more often than it allows.
test('two processes take from one bucket, and no period has more calls than the rule allows', async () => {
  const processes = [openProcess(db), openProcess(other)]
  const calls = 20
  const elapsedMs = await took(() =>
    Promise.all(Array.from({ length: calls }, (_, call) => processes[call % 2]?.take('both'))),
  )
  const waits = processes.flatMap(({ waits }) => waits).toSorted((a, b) => a - b)
  const ofAll = [...Array.from({ length: calls - waits.length }, () => 0), ...waits]
  assert.equal(ofAll.length, calls)
  for (const [place, waitMs] of ofAll.entries()) {
    const exact = Math.max(0, place + 1 - slow.burst) * slow.intervalMs
    // A statement reads the clock before it waits for the row of the bucket, so the last call of the burst may wait as long as that.
    assert.ok(Math.abs(waitMs - exact) <= elapsedMs + 1, `${place}: ${waitMs}`)
  }
})

// Guarantee (marketplaces): A restart keeps what an account has used of its limit.
test('a restarted process continues with the bucket that the last one left', async () => {
  const last = openDatabase(target, { max: 1 })
  const before = openProcess(last)
  for (let call = 0; call < slow.burst; call++) await before.take('restart')
  await before.charge('restart', 2)
  await last.end({ timeout: 1 })
  const anew = openProcess(other)
  await anew.take('restart')
  const [waitMs = 0] = anew.waits
  assert.ok(waitMs > 2 * slow.intervalMs && waitMs <= 3 * slow.intervalMs, `${waitMs}`)
})

test('calls of one path start apart in all processes, and no other account waits for them', async () => {
  const processes = [openProcess(db), openProcess(other)]
  const apartMs = 60_000 / 10
  const elapsedMs = await took(() =>
    Promise.all(
      Array.from({ length: 4 }, (_, call) =>
        processes[call % 2]?.take('paced', 1, 'paced /list', apartMs),
      ),
    ),
  )
  const waits = processes.flatMap(({ waits }) => waits).toSorted((a, b) => a - b)
  assert.equal(waits.length, 3)
  for (const [place, waitMs] of waits.entries()) {
    assert.ok(Math.abs(waitMs - (place + 1) * apartMs) <= elapsedMs + 1, `${place}: ${waitMs}`)
  }
  const { take, waits: none } = openProcess()
  await take('paced', 1, 'paced /get')
  await take('quiet', 1, 'quiet /list', apartMs)
  assert.deepEqual(none, [])
})

test('a second part that is held holds the account', async () => {
  const { holdPart, take } = openProcess()
  await holdPart('parts', 'parts /list', 10 * minute)
  await assert.rejects(take('parts', 1, 'parts /list'), AccountHeld)
  await take('parts', 1, 'parts /get')
  await holdPart('parts', 'parts /get', 10 * minute)
  await assert.rejects(take('parts', 1, 'parts /other'), AccountHeld)
  await holdPart('other parts', 'other parts /get', 10 * minute)
  await take('other parts', 1, 'other parts /other')
})

test('accounts have buckets of their own', async () => {
  const { take, hold, waits } = openProcess()
  await hold('held', 30 * minute)
  for (let call = 0; call < slow.burst; call++) await take('free')
  assert.deepEqual(waits, [])
})

test('a held account fails at once in every process, until it is close enough to wait', async () => {
  const [one, two] = [openProcess(db), openProcess(other)]
  await one.hold('long', 30 * minute)
  await two.hold('long', minute)
  for (const { take } of [one, two]) await assert.rejects(take('long'), AccountHeld)
  await pass('long', 29 * minute + 1)
  await two.take('long')
  const [waitMs = 0] = two.waits
  assert.ok(waitMs > 50_000 && waitMs <= minute, `${waitMs}`)
})

test('a refused call takes no place', async () => {
  const { take, hold, waits } = openProcess()
  await hold('refused', 2 * minute)
  for (let call = 0; call < 10; call++) await assert.rejects(take('refused'), AccountHeld)
  await pass('refused', 2 * minute)
  for (let call = 0; call < slow.burst; call++) await take('refused')
  assert.deepEqual(waits, [])
})

test('what a marketplace leaves of the limit never gives places back', async () => {
  const { take, leave, waits } = openProcess()
  await leave('left', 2)
  for (let call = 0; call < 2; call++) await take('left')
  await leave('left', 4)
  await leave('left', 9)
  assert.deepEqual(waits, [])
  await take('left')
  const [waitMs = 0] = waits
  assert.ok(waitMs > slow.intervalMs - 1_000 && waitMs <= slow.intervalMs, `${waitMs}`)
})

test('an account is held for an hour at most', async () => {
  const { take, hold, waits } = openProcess()
  await hold('hour', 24 * 60 * minute)
  await pass('hour', 60 * minute)
  await take('hour')
  assert.deepEqual(waits, [])
})

test('a clock that goes back an hour stops an account for a minute and prolongs no hold', async () => {
  const { take, hold } = openProcess()
  await take('back')
  await hold('back/part', 50 * minute)
  for (const name of ['back', 'back/part']) await pass(name, -60 * minute)
  await assert.rejects(take('back'), AccountHeld)
  await assert.rejects(take('back', 1, 'back/part'), AccountHeld)
  await pass('back', minute)
  await take('back')
  await pass('back/part', 60 * minute)
  await take('back', 1, 'back/part')
})

test('all parts of an account wait for the same minute after a clock went back', async () => {
  const { take } = openProcess()
  const names = ['whole', 'whole orders', 'whole cards']
  const passAll = (ms: number) => Promise.all(names.map((name) => pass(name, ms)))
  await take('whole', 1, 'whole orders', 100)
  await take('whole', 1, 'whole cards', 100)
  await passAll(-60 * minute)
  await assert.rejects(take('whole', 1, 'whole orders', 100), AccountHeld)
  await passAll(2 * minute)
  await take('whole', 1, 'whole cards', 100)
  await take('whole')
})

// Guarantee (marketplaces): A database clock that is set back prolongs no pause of a marketplace.
test('a hold of a few seconds is no longer one after a clock went back by less than an hour', async () => {
  const { take, hold } = openProcess()
  await hold('short', 5_000)
  await hold('short part', 5_000)
  for (const name of ['short', 'short part']) await pass(name, -50 * minute)
  await assert.rejects(take('short'), AccountHeld)
  for (const name of ['short', 'short part']) await pass(name, 6_000)
  await take('short', 1, 'short part')
})

test('a hold counts for itself where the last one was made by a later clock', async () => {
  const { take, hold } = openProcess()
  await hold('again', 5_000)
  await pass('again', -50 * minute)
  await hold('again', 5_000)
  await pass('again', 6_000)
  await take('again')
})

test('a waiting call waits longer after another process holds the account', async () => {
  const another = openProcess(other)
  const waits: number[] = []
  const { take } = openSharedLimits(db, slow, {
    async wait(ms) {
      waits.push(ms)
      if (waits.length === 1) await another.hold('meanwhile', 20_000)
      else await pass('meanwhile', ms)
    },
  })
  for (let call = 0; call <= slow.burst; call++) await take('meanwhile')
  assert.equal(waits.length, 2)
  assert.ok((waits[0] ?? 0) <= slow.intervalMs && (waits[1] ?? 0) > 15_000, `${waits}`)
})

test('calls that waited for the end of a hold keep the rule afterwards', async () => {
  const calls = slow.burst + 2
  const waits: number[] = []
  const all = Promise.withResolvers<void>()
  const { take, hold } = openSharedLimits(db, slow, {
    async wait(ms) {
      if (waits.push(ms) === calls) all.resolve()
      await all.promise
      await pass('gathered', ms)
    },
  })
  const elapsedMs = await took(async () => {
    await hold('gathered', 20_000)
    await Promise.all(Array.from({ length: calls }, () => take('gathered')))
  })
  for (const [place, waitMs] of waits.toSorted((a, b) => a - b).entries()) {
    const exact = 20_000 + Math.max(0, place - slow.burst + 1) * slow.intervalMs
    assert.ok(waitMs <= exact && waitMs >= exact - elapsedMs - 1, `${place}: ${waitMs}`)
  }
})

test('the database counts places exactly as the rule in TypeScript does', async () => {
  const times = {
    fullIn: fc.integer({ min: -9, max: 70 }),
    heldIn: fc.integer({ min: -9, max: 70 }),
  }
  const rules = { burst: fc.integer({ min: 1, max: 9 }), intervalS: fc.integer({ min: 1, max: 9 }) }
  const scenes = fc.record({ ...times, ...rules, cost: fc.integer({ min: 1, max: 10 }) })
  await fc.assert(
    fc.asyncProperty(scenes, async ({ fullIn, heldIn, burst, intervalS, cost }) => {
      const account = randomUUID()
      const rule = { burst, intervalMs: intervalS * 1000 }
      const { take, waits } = openProcess(db, rule)
      const full = { fullAt: fullIn * 1000 + 500, heldUntil: heldIn * 1000 + 500 }
      let refused = false
      const elapsedMs = await took(async () => {
        await db`
          insert into marketplace_buckets values (${account},
            now_micros() + ${full.fullAt * 1000}::bigint,
            now_micros() + ${full.heldUntil * 1000}::bigint)`
        await take(account, cost).catch((error: unknown) => {
          refused = error instanceof AccountHeld
        })
      })
      const { at } = takePlace(rule, full, cost, 0)
      if (Math.abs(at - minute) <= elapsedMs) return
      assert.equal(refused, at > minute)
      if (refused) return
      const waitMs = waits[0] ?? 0
      assert.ok(waitMs <= at && waitMs >= at - elapsedMs - 1, `${waitMs} and not ${at}`)
    }),
    { numRuns: 60 },
  )
})

test('rows of full buckets without a hold are deleted', async () => {
  await db`delete from marketplace_buckets`
  const { take, hold } = openProcess()
  for (const account of ['full', 'spent']) await take(account)
  await hold('waits', minute)
  await pass('full', minute)
  await forgetFullAccounts(db)
  const left = await db<{ account: string }[]>`
    select account from marketplace_buckets order by account`
  assert.deepEqual(
    left.map(({ account }) => account),
    ['spent', 'waits'],
  )
})

test('all processes share one bucket for a cabinet, and a call about cards takes four places', async () => {
  const { connector, bucket } = await openCabinet()
  const [one, two] = [connector(db), connector(other)]
  await one.access()
  const before = await bucket()
  await Array.fromAsync(two.cards(undefined))
  const { rows, full_at } = await bucket()
  assert.deepEqual([before.rows, rows], [1, 1])
  // One place is 200 ms of the bucket.
  assert.ok(full_at - before.full_at >= 800_000, `${full_at - before.full_at}`)
})

test('a 429 for one process holds the others, whose calls fail at once', async () => {
  const { connector, fake } = await openCabinet()
  fake.failNext(1, { status: 429, headers: { 'X-Ratelimit-Retry': '600' } })
  const failures = []
  for (const pool of [db, other]) {
    const failure = await connector(pool)
      .access()
      .catch((error: unknown) => error)
    assert.ok(failure instanceof MarketplaceError, `${failure}`)
    failures.push([failure.kind, failure.message])
  }
  assert.deepEqual(failures, Array(2).fill(failures[0]))
  assert.match(`${failures[0]}`, /unreachable,WB просит обращаться реже/)
  assert.equal(fake.calls().length, 1)
})

test('a pause from the host of cards holds calls about cards in every process, and no others', async () => {
  const { connector, fake } = await openCabinet()
  fake.failNext(1, { status: 429, headers: { 'X-Ratelimit-Retry': '600' } }, '/content/')
  for (const pool of [db, other]) {
    const cabinet = connector(pool)
    await assert.rejects(Array.fromAsync(cabinet.cards(undefined)), { kind: 'unreachable' })
    await cabinet.access()
  }
  assert.equal(fake.calls().filter(({ path }) => path.includes('/content/')).length, 1)
})

test('a call waits for a held part and then checks it again', async () => {
  const { take, hold, waits } = openProcess()
  await hold('whole/part', 30_000)
  await take('whole', 1, 'whole/part')
  const [waitMs = 0, ...more] = waits
  assert.ok(waitMs > 20_000 && waitMs <= 30_000, `${waitMs}`)
  assert.deepEqual(more, [])
})

test('calls start while transactions hold every connection of the pool', async () => {
  const small = openDatabase(target, { max: 1 })
  const beside = openBeside(small)
  try {
    await small.begin(async (tx) => {
      await tx`select 1`
      await openProcess(beside).take('beside')
    })
  } finally {
    await Promise.all([small.end({ timeout: 1 }), beside.end({ timeout: 1 })])
  }
})

test('a base token has half of the calls: ten at once', async () => {
  const { fake, box, cabinetOf, bucket } = await openCabinet()
  const account = fake.accountWith({ acc: 1 })
  const wildberries = hostsOf(fake.baseUrl)
  const connect = makeConnect({ db, box, wildberries, ozonUrl: fake.baseUrl })
  await connect(cabinetOf(account)).access()
  const [{ wait }] = await db<[{ wait: number }]>`
    select max(full_at) - now_micros() as wait from marketplace_buckets`
  assert.ok(wait > 200_000 && wait <= 400_000, `${wait}`)
  assert.equal((await bucket()).rows, 1)
})

test("a sandbox token calls the sandbox's hosts alone, at most once a second", async () => {
  const { box, cabinetOf } = await openCabinet()
  const [real, sandbox] = await Promise.all([startFakeWildberries(), startFakeWildberries()])
  after(() => Promise.all([real.close(), sandbox.close()]))
  const hosts = {
    production: hostsOf(real.baseUrl).production,
    sandbox: hostsOf(sandbox.baseUrl).sandbox,
  }
  const connect = makeConnect({ db, box, wildberries: hosts, ozonUrl: real.baseUrl })
  const account = sandbox.sandboxAccount()
  const connector = connect(cabinetOf(account))
  await connector.access()
  const [bucket] = await db<{ wait: number }[]>`
    select max(full_at) - now_micros() as wait from marketplace_buckets`
  assert.ok((bucket?.wait ?? 0) > 0 && (bucket?.wait ?? 0) <= 1_000_000, `${bucket?.wait}`)
  await db`delete from marketplace_buckets`
  assert.match(await connector.shipping.create({ name: 'Утро', reference: 'SK-1' }), /^WB-GI-SAND-/)
  assert.equal(sandbox.calls().length, 2)
  assert.equal(real.calls().length, 0)
  assert.match(connector.seller ?? '', /^sandbox /)
})

async function openCabinet() {
  await db`delete from marketplace_buckets`
  const fake = await startFakeWildberries()
  after(() => fake.close())
  const account: FakeAccount<'WB'> = fake.account()
  fake.addCard(account)
  const box = makeSecretBox([randomBytes(32)])
  const cabinetOf = ({ credentials }: FakeAccount<'WB'>) => {
    const id = randomUUID()
    const sealed = sealCredentials(box, id, { marketplace: 'WB', ...credentials })
    return { id, shipments: 'ours' as const, credentials: sealed }
  }
  const cabinet = cabinetOf(account)
  const { baseUrl } = fake
  const urls = { wildberries: hostsOf(baseUrl), ozonUrl: baseUrl }
  return {
    fake,
    box,
    cabinetOf,
    connector: (pool: Database) => makeConnect({ db: pool, box, ...urls })(cabinet),
    async bucket() {
      const [row] = await db<[{ rows: number; full_at: number }]>`
        select count(*)::int as rows, max(full_at) as full_at from marketplace_buckets`
      return row
    },
  }
}
