import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClientTurns } from '../../src/identity/keys/client-turns.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { perform, type Work } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { ServiceError } from '../../src/platform/kernel/errors.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { addOrders, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { correctStock } from '../../src/warehouse/stock/adjustments.ts'
import { putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { recordMarketplaceStock } from '../../src/warehouse/stock/marketplace-stock.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { addBox, addPallet } from '../../src/warehouse/storage/boxes.ts'
import { preparedFor, scenarioDatabase } from '../support/scenario.ts'

/** A reset meets staff and syncs that change the same sandbox. */

const { db } = await scenarioDatabase()
const turns = openClientTurns(10)
const sandbox = openSandbox({ db, clock: systemClock, turns, idleHours: 24 })

const newClient = () => preparedFor(db, sandbox)

const barcode = '2000000010014'
const work = <T>(verbs: (work: Work) => Promise<T>) =>
  perform(db, systemClock, { kind: 'service' }, verbs)

/** What staff and syncs do, by name. Each writes rows that refer to others. */
const changes: Readonly<Record<string, (clientId: string) => Promise<unknown>>> = {
  async scan(clientId) {
    const [row] = await db<{ id: string; barcode: string }[]>`
      select r.id, i.barcode from receipts r
      join receipt_items i on i.client_id = r.client_id and i.receipt_id = r.id
      where r.client_id = ${clientId} and r.status = 'RECEIVING' order by i.line limit 1`
    if (row === undefined) return
    const scan = { scanId: newId(), barcode: row.barcode, units: 1 }
    await work((each) => countScan(each, clientId, row.id, scan, 'optional'))
  },
  correct: (clientId) =>
    work((each) => correctStock(each, clientId, { barcode, delta: 1, reason: 'FOUND' })),
  store: (clientId) =>
    work(async (each) => {
      const boxId = await addBox(each, clientId, await addPallet(each, clientId))
      await correctStock(each, clientId, { barcode, delta: 1, reason: 'FOUND' })
      await putIntoBox(each, clientId, { boxId, barcode, units: 1 })
    }),
  register: (clientId) =>
    work(async (each) => {
      const item = { barcode: `new-${newId()}`, name: 'Новый', qty: 1 }
      await registerProducts(each, clientId, [{ ...item, honestMark: false }])
      await registerReceipt(each, clientId, { source: 'manual', items: [item] })
    }),
  async ship(clientId) {
    const [order] = await db<{ id: string; cabinet_id: string }[]>`
      select id, cabinet_id from orders
      where client_id = ${clientId} and status = 'NEW' and shipment_id is null and barcode = ${barcode} limit 1`
    if (order === undefined) return
    const draft = { cabinetId: order.cabinet_id, externalId: newId() }
    const id = await work((each) => openShipment(each, clientId, draft))
    await work((each) => addOrders(each, clientId, id, [order.id]))
  },
  async show(clientId) {
    const [cabinet] = await db<{ id: string }[]>`
      select id from cabinets where client_id = ${clientId} limit 1`
    const stock = [{ barcode, itemId: 1, quantity: 1 }]
    await work((each) => recordMarketplaceStock(each, clientId, cabinet?.id ?? '', stock))
  },
}

const rounds = 6

// Guarantee (sandbox): A reset of a sandbox and changes of the same data wait for each other.
test('a reset and changes by staff and syncs meet: neither fails, and the audit finds nothing', async () => {
  const clientId = await newClient()
  const failures: unknown[] = []
  const run = async (name: string, change: () => Promise<unknown>) => {
    try {
      await change()
    } catch (error) {
      // What a change refers to may be gone, and it says so.
      if (!(error instanceof ServiceError)) failures.push([name, error])
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const changing = Object.entries(changes).map(([name, change]) =>
      run(name, () => change(clientId)),
    )
    await Promise.all([...changing, sandbox.reset(clientId)])
  }
  assert.deepEqual(failures, [])
  for (const change of Object.values(changes)) await change(clientId)
  assert.deepEqual((await audit(db)).findings, [])
})
