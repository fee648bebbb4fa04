import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { openBlobStore } from '../../src/exchange/pictures/blob-store.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { inTransaction } from '../../src/platform/db/connection.ts'
import { clearLeftover, moveWaitingPhoto } from '../../src/warehouse/photos/stored-bytes.ts'
import { assertRefused } from '../support/client.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { eventually } from '../support/faults.ts'
import { openS3Server } from '../support/s3-server.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

const s3 = await openS3Server()
const service = await startService({ BLOB_URL: s3.url })
const { db, baseUrl } = service
const { blobs } = readConfig({ HOST: '127.0.0.1', BLOB_URL: s3.url })
assert.ok(blobs)
const shortMs = 200
const store = openBlobStore(blobs, { now: () => Date.now() }, shortMs)
const moveAll = async () => {
  while (await inTransaction(db, (tx) => moveWaitingPhoto(tx, store)));
  while (await inTransaction(db, (tx) => clearLeftover(tx, store)));
}

interface Photo {
  readonly id: string
  readonly photo: string
}

async function openOrder() {
  const floor = await openFloor(service, { A: 5 })
  const [order] = await floor.orders({ [`S-${floor.client}`]: 'A' })
  const photos = `/orders/${order?.id}/photos`
  const add = async (name: string) =>
    good<Photo>(await floor.worker.put(`${photos}/${randomUUID()}`, fakePhoto(name)))
  return { ...floor, order: order?.id, photos, add }
}

const read = (photo: string, token: string) =>
  fetch(`${baseUrl}${photo}`, { headers: { Authorization: `Bearer ${token}` } })
const bytesOf = async (photo: string, token: string) => {
  const answer = await read(photo, token)
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}
const here = async (client: string) => {
  const [row] = await db<[{ here: number; all: number }]>`
    select count(bytes)::int as here, count(*)::int as all from photos where client_id = ${client}`
  return [row.here, row.all]
}

test('a photo goes to the store by its hash, and is read from there', async () => {
  s3.trouble = undefined
  const { client, worker, manager, order, add } = await openOrder()
  const one = await add('one')
  assert.deepEqual(await bytesOf(one.photo, worker.token), fakePhoto('one'))
  await moveAll()
  assert.deepEqual(await here(client), [0, 1])
  assert.deepEqual(
    [...s3.objects.keys()].filter((key) => key.startsWith(client)).length,
    1,
    'under the client',
  )
  assert.deepEqual(await bytesOf(one.photo, worker.token), fakePhoto('one'))
  const paper = await read(`/staff/v1/orders/${order}/evidence`, manager.token)
  assert.equal(paper.status, 200)
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (photos): While the bucket is away, photos are acknowledged and wait in the database.
test('while the store is away, photos wait in the database and lose nothing', async (t) => {
  for (const trouble of ['hang', 'drip', 403, 500] as const) {
    await t.test(`it answers ${trouble}`, async () => {
      const { client, worker, add } = await openOrder()
      s3.trouble = undefined
      const moved = await add('moved')
      await moveAll()
      s3.trouble = trouble
      const waiting = await add('waiting')
      await assert.rejects(moveAll())
      assert.deepEqual(await here(client), [1, 2])
      assert.deepEqual(await bytesOf(waiting.photo, worker.token), fakePhoto('waiting'))
      if (typeof trouble === 'number') {
        const answer = await worker.get(moved.photo.replace('/staff/v1', ''))
        assertRefused(answer, 'unavailable', 'Хранилище фото не отвечает')
      }
      s3.trouble = undefined
      await moveAll()
      assert.deepEqual(await here(client), [0, 2])
      assert.deepEqual(await bytesOf(waiting.photo, worker.token), fakePhoto('waiting'))
    })
  }
})

test('a photo that the store has lost, or changed, is not there, and an endless answer is broken off', async () => {
  s3.trouble = undefined
  const { client, worker, manager, order, add } = await openOrder()
  const photo = await add('lost')
  await moveAll()
  const key = [...s3.objects.keys()].find((each) => each.startsWith(client)) ?? ''
  const asked = () => worker.get(photo.photo.replace('/staff/v1', ''))
  s3.objects.set(key, fakePhoto('another'))
  assertRefused(await asked(), 'not_found', 'в хранилище фото больше нет')
  s3.objects.delete(key)
  assertRefused(await asked(), 'not_found', 'в хранилище фото больше нет')
  assert.equal(
    (await read(`/staff/v1/orders/${order}/evidence`, manager.token)).status,
    200,
    'without it',
  )
  s3.trouble = 'flood'
  assertRefused(await asked(), 'unavailable')
  s3.trouble = undefined
})

test('what is removed here is removed from the store, unless another photo has the same bytes', async () => {
  s3.trouble = undefined
  const { client, manager, photos, add } = await openOrder()
  const [other] = await openFloorOrders(client)
  const same = `/orders/${other}/photos`
  const first = await add('same')
  good(await manager.put(`${same}/${randomUUID()}`, fakePhoto('same')))
  await moveAll()
  const kept = () => [...s3.objects.keys()].filter((key) => key.startsWith(client)).length
  assert.equal(kept(), 1)
  assert.equal((await manager.delete(`${photos}/${first.id}`)).status, 204)
  await moveAll()
  assert.equal(kept(), 1, 'another order has it')
  s3.trouble = 500
  await db`delete from photos where client_id = ${client}`
  await assert.rejects(moveAll())
  s3.trouble = undefined
  await moveAll()
  assert.equal(kept(), 0)
  assert.equal((await db`select from photo_leftovers where client_id = ${client}`).length, 0)
})

async function openFloorOrders(client: string): Promise<string[]> {
  const manager = await staffClient(service, 'manager')
  const [cabinet] = await db<{ id: string }[]>`select id from cabinets where client_id = ${client}`
  const draft = {
    cabinet_id: cabinet?.id,
    external_id: `T-${client}`,
    barcode: 'A',
    marketplace_status: { supplier: 'new', buyer: 'waiting' },
  }
  const made = good<{ items: { id: string }[] }>(
    await manager.post(`/clients/${client}/orders`, [draft]),
    201,
  )
  return made.items.map(({ id }) => id)
}

test('two processes that move at once bring every photo to the store', async () => {
  s3.trouble = undefined
  const { client, worker, add } = await openOrder()
  const added: Photo[] = []
  for (let n = 0; n < 10; n += 1) added.push(await add(`many ${n}`))
  await Promise.all([moveAll(), moveAll(), moveAll()])
  await moveAll()
  assert.deepEqual(await here(client), [0, 10])
  for (const [n, { photo }] of added.entries()) {
    assert.deepEqual(await bytesOf(photo, worker.token), fakePhoto(`many ${n}`))
  }
})

test('a worker moves photos by itself', async () => {
  s3.trouble = undefined
  const { client, add } = await openOrder()
  await add('by itself')
  await startService({ BLOB_URL: s3.url }, 'worker', async () => db)
  await eventually('the photo is in the store', async () => (await here(client))[0] === 0)
})
