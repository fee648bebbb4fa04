import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitAddress, admitKeys, forgetFullBuckets } from '../../src/identity/keys/admission.ts'
import { clientOfKeyHash, issueApiKey, revokeApiKey } from '../../src/identity/keys/api-keys.ts'
import { openDatabase } from '../../src/platform/db/connection.ts'
import type { Executable } from '../../src/platform/db/statements/executor.ts'
import type { Tag } from '../../src/platform/db/statements/tag.ts'
import { readKey } from '../../src/platform/kernel/api-key.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db, target } = await testDatabase()

/** So slow that no bucket gets a token back while a test runs. */
const rule = { capacity: 20, intervalMicros: 3_600_000_000 }

async function makeKey() {
  const client = await makeClient(db)
  const issued = await at(db, noon, (work) =>
    issueApiKey(work, client.id, { name: 'Проверка', receiptsEnabled: true }),
  )
  const hash = readKey(issued.key)?.hash
  assert.ok(hash)
  return { ...issued, client, hash }
}

test('a burst takes the tokens one by one, and further calls are limited', async () => {
  const admit = admitKeys(db, rule)
  const { hash } = await makeKey()
  for (let left = 19; left >= 0; left--) {
    const admission = await admit(hash)
    assert.ok(admission.kind === 'passed')
    assert.equal(admission.bucket.remaining, left)
  }
  const refused = await admit(hash)
  assert.ok(refused.kind === 'limited')
  assert.ok(refused.bucket.retryAfterSeconds > 3500 && refused.bucket.retryAfterSeconds <= 3600)
  assert.equal(refused.bucket.remaining, 0)
})

test('calls that share a statement get their own decisions', async () => {
  const admit = admitKeys(db, rule)
  const { hash } = await makeKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => admit(hash)))
  const left = answers.flatMap((answer) =>
    answer.kind === 'passed' ? [answer.bucket.remaining] : [],
  )
  assert.deepEqual(
    left,
    Array.from({ length: 20 }, (_, n) => 19 - n),
  )
  assert.equal(answers.filter((answer) => answer.kind === 'limited').length, 30)
})

// Guarantee (keys): All processes together admit no more requests of a key than its limit.
test('two processes share the bucket of a key', async () => {
  const other = openDatabase(target)
  try {
    const admits = [admitKeys(db, rule), admitKeys(other, rule)]
    const { hash } = await makeKey()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => admits[n % 2]?.(hash)))
    assert.equal(answers.filter((answer) => answer?.kind === 'passed').length, 20)
  } finally {
    await other.end()
  }
})

test('tokens come back with time, up to the capacity', async () => {
  const admit = admitKeys(db, { capacity: 3, intervalMicros: 1_000_000 })
  const { hash, client, id } = await makeKey()
  for (let n = 0; n < 3; n++) assert.equal((await admit(hash)).kind, 'passed')
  assert.equal((await admit(hash)).kind, 'limited')
  const age = (micros: number) =>
    db`update rate_buckets set full_at = full_at - ${micros}
       where client_id = ${client.id} and key_id = ${id}`
  await age(2_000_000)
  assert.equal((await admit(hash)).kind, 'passed')
  assert.equal((await admit(hash)).kind, 'passed')
  assert.equal((await admit(hash)).kind, 'limited')
  await age(3_600_000_000)
  for (let n = 0; n < 3; n++) assert.equal((await admit(hash)).kind, 'passed')
  assert.equal((await admit(hash)).kind, 'limited')
})

test('a clock that goes back an hour locks out neither keys nor addresses', async () => {
  const second = { capacity: 3, intervalMicros: 1_000_000 }
  const admit = admitKeys(db, second)
  const { hash, client, id } = await makeKey()
  const address = '192.0.2.9'
  assert.equal((await admit(hash)).kind, 'passed')
  assert.equal((await admitAddress(db, second, address)).passed, true)
  const ahead = (micros: number) =>
    Promise.all([
      db`update rate_buckets set full_at = full_at + ${micros}
       where client_id = ${client.id} and key_id = ${id}`,
      db`update address_buckets set full_at = full_at + ${micros} where address = ${address}`,
    ])
  await ahead(3_600_000_000)
  for (const { bucket } of [await admit(hash), await admitAddress(db, second, address)].map(
    (refused) => ('bucket' in refused ? refused : assert.fail()),
  )) {
    assert.deepEqual([bucket.remaining, bucket.retryAfterSeconds], [0, 1])
  }
  await ahead(-1_000_000)
  assert.equal((await admit(hash)).kind, 'passed')
  assert.equal((await admitAddress(db, second, address)).passed, true)
  await db`delete from address_buckets where address = ${address}`
})

test('a revoked key is refused from the next call on and takes no token', async () => {
  const admit = admitKeys(db, rule)
  const { hash, id, client } = await makeKey()
  const admission = await admit(hash)
  assert.ok(admission.kind === 'passed')
  assert.equal(admission.caller.clientId, client.id)
  await at(db, noon, (work) => revokeApiKey(work, client.id, id))
  assert.equal((await admit(hash)).kind, 'revoked')
  await at(db, noon, (work) => revokeApiKey(work, client.id, id))
})

test('an unknown key is unknown, also in one statement with known keys', async () => {
  const admit = admitKeys(db, rule)
  const [one, other] = [await makeKey(), await makeKey()]
  const answers = await Promise.all(
    [one.hash, Buffer.alloc(32), other.hash, one.hash].map((hash) => admit(hash)),
  )
  assert.deepEqual(
    answers.map((answer) => answer.kind),
    ['passed', 'unknown', 'passed', 'passed'],
  )
})

test('each address has its own bucket, and full buckets are deleted', async () => {
  const small = { capacity: 2, intervalMicros: 3_600_000_000 }
  assert.equal((await admitAddress(db, small, '192.0.2.1')).passed, true)
  assert.equal((await admitAddress(db, small, '192.0.2.1')).passed, true)
  assert.equal((await admitAddress(db, small, '192.0.2.1')).passed, false)
  assert.equal((await admitAddress(db, small, '192.0.2.2')).passed, true)
  await db`update address_buckets set full_at = 1 where address = '192.0.2.2'`
  await forgetFullBuckets(db)
  const left = await db`select address from address_buckets`
  assert.deepEqual(
    left.map((row) => row.address),
    ['192.0.2.1'],
  )
})

/** A read that travels with the admission of a call, and the rows that come of it. */
function travelling(statement: (tag: Tag) => Promise<unknown>) {
  const rows = Promise.withResolvers<unknown>()
  rows.promise.catch(() => {})
  const read = (tag: Tag) => {
    rows.resolve(statement(tag).then((all) => all))
    return rows.promise
  }
  return { read, rows: rows.promise }
}

// Guarantee (keys): A read together with admission shows data of its own client only.
test('reads that travel with admission are each of their own key’s client', async () => {
  const admit = admitKeys(db, rule)
  const keys = [await makeKey(), await makeKey(), await makeKey()]
  const unknown = Buffer.alloc(32)
  const calls = [...keys.map(({ hash }) => hash), unknown, ...keys.map(({ hash }) => hash)].map(
    (hash) => ({
      hash,
      ...travelling((tag) => tag`select ${clientOfKeyHash(db, hash)} as client`),
    }),
  )
  const answers = await Promise.all(calls.map(({ hash, read }) => admit(hash, read)))
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ['passed', 'passed', 'passed', 'unknown', 'passed', 'passed', 'passed'],
  )
  for (const [index, { rows }] of calls.entries()) {
    const owner = index === 3 ? null : keys[index > 3 ? index - 4 : index]?.client.id
    assert.deepEqual(await rows, [{ client: owner }], `call ${index}`)
  }
})

test('equal reads of one key are made once, and those of other keys and other values by themselves', async () => {
  let sent = 0
  const reserve: typeof db.reserve = async () => {
    const reservation = await db.reserve()
    const { execute } = reservation
    return Object.assign(reservation, {
      execute: (statement: Executable) => {
        sent += 1
        return execute(statement)
      },
    })
  }
  const own = Object.assign(openDatabase(target), { reserve })
  const admit = admitKeys(own, rule)
  const [one, other] = [await makeKey(), await makeKey()]
  await admit(one.hash)
  const calls = [one, other, one, other, one].map(({ hash }, index) => ({
    hash,
    ...travelling(
      (tag) =>
        tag`select ${clientOfKeyHash(db, hash)} as client, ${index === 4 ? '' : null}::text as value`,
    ),
  }))
  await Promise.all(calls.map(({ hash, read }) => admit(hash, read)))
  assert.equal(sent, 3, 'reads')
  for (const [index, { rows }] of calls.entries()) {
    const client = (index % 2 === 0 ? one : other).client.id
    assert.deepEqual(await rows, [{ client, value: index === 4 ? '' : null }])
  }
  await own.end()
})

// Guarantee (keys): A read together with admission refuses no call.
test('a read that fails costs its call nothing, nor the calls beside it', async () => {
  const admit = admitKeys(db, rule)
  const { hash } = await makeKey()
  await admit(hash)
  const reads = [1, 0, 2].map((value) => travelling((tag) => tag`select 1 / ${value}::int`))
  const answers = await Promise.all(reads.map(({ read }) => admit(hash, read)))
  const left = answers.map((answer) =>
    answer.kind === 'passed' ? answer.bucket.remaining : answer.kind,
  )
  assert.deepEqual(left, [18, 17, 16], 'each call took one token')
  const outcomes = await Promise.allSettled(reads.map(({ rows }) => rows))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
    'the route reads for itself, and shows the error',
  )
})

test('a read whose rows cannot be read here costs its call one token, not two', async () => {
  const admit = admitKeys(db, rule)
  const { hash } = await makeKey()
  await admit(hash)
  const reads = ['1', '9007199254740993'].map((value) =>
    travelling((tag) => tag`select ${value}::int8 as value`),
  )
  const answers = await Promise.all(reads.map(({ read }) => admit(hash, read)))
  const left = answers.map((answer) =>
    answer.kind === 'passed' ? answer.bucket.remaining : answer.kind,
  )
  assert.deepEqual(left, [18, 17])
  const [good, bad] = await Promise.allSettled(reads.map(({ rows }) => rows))
  assert.deepEqual([good?.status, bad?.status], ['fulfilled', 'rejected'])
  const next = await admit(hash)
  assert.equal(next.kind === 'passed' && next.bucket.remaining, 16)
})

test('more calls than one message takes are admitted, and a read without a place there is refused', async () => {
  const admit = admitKeys(db, { capacity: 1_000, intervalMicros: 3_600_000_000 })
  const { hash } = await makeKey()
  const reads = Array.from({ length: 100 }, (_, value) =>
    travelling((tag) => tag`select ${value}::int as value`),
  )
  const answers = await Promise.all(reads.map(({ read }) => admit(hash, read)))
  assert.ok(answers.every(({ kind }) => kind === 'passed'))
  const outcomes = await Promise.allSettled(reads.map(({ rows }) => rows))
  const read = outcomes.flatMap((outcome, value) =>
    outcome.status === 'fulfilled' ? [[value, outcome.value]] : [],
  )
  assert.ok(read.length > 1 && read.length < reads.length, `${read.length}`)
  for (const [value, rows] of read) assert.deepEqual(rows, [{ value }])
})
