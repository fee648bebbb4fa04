import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { photosKeptForMs } from '../../src/warehouse/photos/kinds.ts'
import { addPhoto, deleteOldPhotos, photosOf } from '../../src/warehouse/photos/photos.ts'
import { testDatabase } from '../support/database.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { at, makeClient, newOrder, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()

async function openOrder() {
  const { id: clientId, cabinets } = await makeClient(db)
  await at(db, noon, (work) =>
    takeInOrders(work, clientId, cabinets[0] ?? '', [newOrder('1', 'A')]),
  )
  const [order] = await db<{ id: string }[]>`select id from orders where client_id = ${clientId}`
  return { clientId, kind: 'order', objectId: order?.id ?? '' } as const
}

const photoOf = (name: string) => ({
  id: randomUUID(),
  scanId: undefined,
  takenAt: undefined,
  bytes: fakePhoto(name),
})

// Guarantee (photos): A photo is deleted when the time of its kind is over, and not before.
test('a photo goes when its time is over', async () => {
  const subject = await openOrder()
  await at(db, noon, (work) => addPhoto(work, subject, photoOf('old')))
  await at(db, noon + day, (work) => addPhoto(work, subject, photoOf('new')))
  const end = noon + photosKeptForMs.order
  const kept = async (now: number) => {
    await deleteOldPhotos(db, now)
    return (await photosOf(db, subject)).length
  }
  assert.equal(await kept(end), 2)
  assert.equal(await kept(end + 1), 1)
  assert.equal(await kept(end + day + 1), 0)
})

test('of the same photo that comes twice at once one is kept', async () => {
  const subject = await openOrder()
  const photo = photoOf('twice')
  const sent = Array.from({ length: 8 }, (_, n) => ({
    ...photo,
    ...(n % 2 ? {} : { id: randomUUID() }),
  }))
  const added = await Promise.all(
    sent.map((each) => at(db, noon, (work) => addPhoto(work, subject, each))),
  )
  assert.equal(added.filter(({ isNew }) => isNew).length, 1)
  assert.equal((await photosOf(db, subject)).length, 1)
})
