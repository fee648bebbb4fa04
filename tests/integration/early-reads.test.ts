import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Database, openDatabase } from '../../src/db/connection.ts'
import { openClient } from '../support/client.ts'
import { scenarioDatabase } from '../support/scenario.ts'
import { startService } from '../support/service.ts'

// The services must stop before their database is dropped.
const ends: (() => Promise<void>)[] = []
after(() => Promise.all(ends.map((end) => end())))
const { db, target } = await scenarioDatabase()

/** A service whose messages of several statements are sent by `together`. */
async function startSendingBy(together: Database['together']) {
  const own = Object.assign(openDatabase(target), { together })
  const service = await startService(undefined, 'api', async () => own)
  ends.push(async () => {
    await service.stop()
    await own.end()
  })
  return service
}

/** How many statements each message of several had. */
const sent: number[] = []
const travelling = await startSendingBy((statements) => {
  sent.push(statements.length)
  return db.together(statements)
})
const alone = await startSendingBy(() => Promise.reject(new Error('nothing travels')))

const { key } = (await openClient(alone.baseUrl).post('/v1/sandbox/keys')).body as { key: string }

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

// Guarantee (http): An object that travels with admission has the bytes of one that is read after it.
test('an object that travels with admission is the same, byte for byte, as one that is read after it', async () => {
  const paths = ['/v1/me', await firstOf('stock', 'barcode'), await firstOf('orders', 'id')]
  for (const path of paths) {
    sent.length = 0
    const early = await textOf(travelling.baseUrl, path)
    assert.deepEqual(sent, [2], `${path} travels with its admission`)
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
