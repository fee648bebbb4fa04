import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { assertRefused, type Client, openClient } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
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
async function fillDisk(): Promise<void> {
  await db.unsafe(`
    create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await db.unsafe(
    'create trigger no_room before insert on receipts for each row execute function no_room()',
  )
}

test('a receipt request that finds the disk full creates nothing, and says so', async () => {
  const client = await openSeller()
  const items = [{ barcode: '2000000010014', name: 'Товар', qty: 1, honest_mark: false }]
  const request = () => client.post('/v1/receipts', { external_ref: '1', items })
  await fillDisk()
  assertRefused(await request(), 'warehouse_unavailable')
  await db.unsafe('drop trigger no_room on receipts')
  assert.equal((await request()).status, 201)
})
