import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { stockVersion } from '../../src/warehouse/stock/queries.ts'
import { openClient } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { at, makeClient, stockUp } from '../support/warehouse.ts'

// The other process must stop before the first one, whose end drops the database.
after(() => other.stop())
const service = await startService(undefined, 'api', async () => (await testDatabase()).db)
const { db } = service
const other = await startService(undefined, 'api', async () => db)

const { id: clientId } = await makeClient(db)
const { key } = await at(db, Date.now(), (work) =>
  issueApiKey(work, clientId, { name: '1С', receiptsEnabled: false }),
)
await stockUp(db, clientId, { A: 5, B: 3 })

async function poll(baseUrl: string, etag?: string) {
  const headers = etag === undefined ? undefined : { 'If-None-Match': etag }
  const answer = await openClient(baseUrl, key).get('/v1/stock', headers)
  return { status: answer.status, etag: answer.headers.get('ETag') ?? '' }
}

// Guarantee (stock): An unchanged answer keeps its ETag.
test('the same answer has the same ETag, though its stock has a new version', async () => {
  const { etag } = await poll(service.baseUrl)
  await db`update stock_versions set version = version + 1 where client_id = ${clientId}`
  assert.deepEqual(await poll(service.baseUrl, etag), { status: 304, etag })
  assert.deepEqual(await poll(service.baseUrl, etag), { status: 304, etag })
})

test('a process that has not made the answer yet knows its ETag', async () => {
  const { etag } = await poll(service.baseUrl)
  assert.deepEqual(await poll(other.baseUrl, etag), { status: 304, etag })
})

test('another answer has another ETag, in every process', async () => {
  const before = await poll(service.baseUrl)
  await poll(other.baseUrl)
  await stockUp(db, clientId, { C: 1 })
  const changed = await poll(service.baseUrl, before.etag)
  assert.equal(changed.status, 200)
  assert.notEqual(changed.etag, before.etag)
  assert.deepEqual(await poll(other.baseUrl, before.etag), changed)
})

// Guarantee (stock): Even after a failover that loses changes no ETag stands for other stock.
test('changes that come in the place of lost ones lead to another version', async () => {
  const versions: number[] = []
  for (const units of [7, 8]) {
    const lost = db.begin(async (tx) => {
      await tx`update stock_balances set quantity = ${units} where client_id = ${clientId} and barcode = 'A'`
      versions.push(await stockVersion(tx, clientId))
      throw new Error('lost')
    })
    await assert.rejects(lost, /lost/)
  }
  assert.equal(new Set(versions).size, 2)
})
