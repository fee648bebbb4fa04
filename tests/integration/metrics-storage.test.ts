import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { readStorage, rememberStorage } from '../../src/metrics/storage-now.ts'
import { writeOff } from '../../src/stock/adjustments.ts'
import { addBox } from '../../src/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase()

test('remembered figures of storage follow every change of units, boxes and pallets', async () => {
  const { id } = await makeClient(db)
  const remembered = rememberStorage()
  const none = { units: 0, in_question: 0, sku_count: 0, boxes: 0, pallets: 0 }
  const shows = async (what: string, figures: Partial<typeof none>) => {
    for (const read of [remembered, remembered, readStorage]) {
      assert.deepEqual(await read(db, id), { ...none, ...figures }, what)
    }
  }
  await shows('a client without goods', {})
  await stockUp(db, id, { A: 2, B: 1 })
  await shows('goods', { units: 3, sku_count: 2 })
  const put = (boxId: string) => db`insert into box_contents values (${id}, ${boxId}, 'A', 1)`
  const [first, second] = await at(db, noon, async (work) => [
    await addBox(work, id),
    await addBox(work, id),
  ])
  await shows('empty boxes', { units: 3, sku_count: 2 })
  await put(first ?? '')
  await put(second ?? '')
  await shows('filled boxes', { units: 3, sku_count: 2, boxes: 2 })
  const pallet = newId()
  await db`insert into pallets (client_id, id, created_at) values (${id}, ${pallet}, now())`
  await db`update boxes set pallet_id = ${pallet} where client_id = ${id}`
  await shows('a pallet', { units: 3, sku_count: 2, boxes: 2, pallets: 1 })
  await db`delete from box_contents where client_id = ${id}`
  await at(db, noon, (work) => writeOff(work, id, { barcode: 'B', units: 1, reason: 'LOST' }))
  await shows('less', { units: 2, sku_count: 1 })
})

test('figures of storage are read again only for another version of the stock', async () => {
  const { id } = await makeClient(db)
  await stockUp(db, id, { A: 2 })
  const remembered = rememberStorage()
  const before = await remembered(db, id)
  await db.begin(async (tx) => {
    await tx`alter table stock_balances disable trigger user`
    await tx`update stock_balances set in_question = 1 where client_id = ${id}`
    await tx`alter table stock_balances enable trigger user`
  })
  assert.deepEqual(await remembered(db, id), before, 'nothing tells of the change')
  await db`update stock_versions set version = version + 1 where client_id = ${id}`
  assert.deepEqual(await remembered(db, id), { ...before, in_question: 1 })
})
