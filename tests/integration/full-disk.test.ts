import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { assertRefused, type Client, openClient } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { at } from '../support/warehouse.ts'

/** The database has no room for what a request writes. */

const service = await startService({}, 'api', async () => (await testDatabase()).db)
const { db } = service

async function openSeller(): Promise<Client> {
  const key = await at(db, Date.now(), async (work) => {
    const clientId = await createClient(work, { mode: 'live', name: 'ООО «Полный диск»' })
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'WB' })
    return issueApiKey(work, clientId, { name: '1С', receiptsEnabled: true })
  })
  return openClient(service.baseUrl, key.key)
}

/** What the server reports where a file cannot grow. */
async function fillDisk(table: string): Promise<void> {
  await db.unsafe(`
    create or replace function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await db.unsafe(
    `create trigger no_room before insert on ${table} for each row execute function no_room()`,
  )
}

test('a receipt request that finds the disk full creates nothing, and says so', async () => {
  const client = await openSeller()
  const items = [{ barcode: '2000000010014', name: 'Товар', qty: 1, honest_mark: false }]
  const request = () => client.post('/v1/receipts', { external_ref: '1', items })
  await fillDisk('receipts')
  assertRefused(await request(), 'warehouse_unavailable')
  await db.unsafe('drop trigger no_room on receipts')
  assert.equal((await request()).status, 201)
})

test('a photo that finds the disk full is asked to come again, scans go on, and what comes again is kept once', async () => {
  const { client, manager, worker } = await openFloor(service, { A: 1 })
  const items = [{ barcode: 'A', name: 'A', qty: 2 }]
  const draft = await manager.post(`/clients/${client}/receipts`, { items })
  const { id } = good<{ id: string }>(draft, 201)
  good(await worker.post(`/receipts/${id}/start`))
  const path = `/receipts/${id}/photos`
  const send = () => worker.put(`${path}/${photo}`, fakePhoto('full'))
  const photo = randomUUID()
  await fillDisk('photos')
  const refused = await send()
  assertRefused(refused, 'unavailable')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  good(await worker.post(`/receipts/${id}/scans`, { scan_id: '1', barcode: 'A' }))
  await db.unsafe('drop trigger no_room on photos')
  for (let times = 0; times < 2; times++) good(await send())
  assert.equal(good<{ items: readonly object[] }>(await worker.get(path)).items.length, 1)
})
