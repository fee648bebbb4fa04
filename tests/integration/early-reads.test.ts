import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/platform/db/connection.ts'
import type { Executable, Executed, Executor } from '../../src/platform/db/statements/executor.ts'
import { newSandboxKey } from '../support/client.ts'
import { scenarioDatabase } from '../support/scenario.ts'
import { startService } from '../support/service.ts'

// The services must stop before their database is dropped.
const ends: (() => Promise<void>)[] = []
after(() => Promise.all(ends.map((end) => end())))
const { db, target } = await scenarioDatabase()

type Run = (statement: Executable, run: Executor['execute']) => Promise<Executed>

/** A service whose reads that travel with admission are run by `run`. */
async function startReadingBy(run: Run) {
  const own = openDatabase(target)
  const reserve = async () => {
    const reservation = await db.reserve()
    const { execute } = reservation
    return Object.assign(reservation, { execute: (each: Executable) => run(each, execute) })
  }
  const service = await startService(undefined, 'api', async () => Object.assign(own, { reserve }))
  ends.push(async () => {
    await service.stop()
    await own.end()
  })
  return service
}

let travelled = 0
const travelling = await startReadingBy((statement, run) => {
  travelled += 1
  return run(statement)
})
const alone = await startReadingBy(() => Promise.reject(new Error('nothing travels')))

const key = await newSandboxKey(alone)

async function textOf(baseUrl: string, path: string): Promise<string> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, path)
  return answer.text()
}

async function firstOf(list: string, field: string): Promise<string> {
  const { items } = JSON.parse(await textOf(alone.baseUrl, `/v1/${list}`)) as {
    items: Record<string, string>[]
  }
  return `/v1/${list.split('?')[0]}/${items[0]?.[field]}`
}

// Guarantee (http): An object that is read together with admission is the same as one read after it.
test('an object that travels with admission is the same, byte for byte, as one that is read after it', async () => {
  const paths = ['/v1/me', await firstOf('stock', 'barcode'), await firstOf('orders', 'id')]
  for (const path of paths) {
    travelled = 0
    const early = await textOf(travelling.baseUrl, path)
    assert.equal(travelled, 1, `${path} travels with its admission`)
    const late = await textOf(alone.baseUrl, path)
    const withoutUse = (text: string) => text.replace(/"last_used_at":[^}]*/, '')
    assert.equal(withoutUse(early), withoutUse(late), path)
  }
})

test('goods and an order are alone the same, byte for byte, as in their lists', async () => {
  for (const [list, field] of [
    ['stock', 'barcode'],
    ['orders', 'id'],
  ] as const) {
    const single = await textOf(travelling.baseUrl, await firstOf(list, field))
    const page = await textOf(travelling.baseUrl, `/v1/${list}?limit=1`)
    assert.ok(page.startsWith(`{"items":[${single}],"total":`), page)
  }
})
