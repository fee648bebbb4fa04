import assert from 'node:assert/strict'
import { type Database, inTransaction } from '../../src/platform/db/connection.ts'
import type { Work } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { readMarkingCode } from '../../src/platform/kernel/codes/marking-code.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { keepGoodsLabels } from '../../src/warehouse/billing/goods-labels.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { addOtherBarcode } from '../../src/warehouse/catalogue/other-barcodes.ts'
import { uploadPicture } from '../../src/warehouse/catalogue/pictures.ts'
import { putParts } from '../../src/warehouse/catalogue/sets.ts'
import { decideLine } from '../../src/warehouse/counts/decisions.ts'
import { countUnits } from '../../src/warehouse/counts/scans.ts'
import { closeCount, openCount, reviewCount, startCount } from '../../src/warehouse/counts/verbs.ts'
import { failPending } from '../../src/warehouse/events/delivery-log.ts'
import { readFeed } from '../../src/warehouse/events/feed.ts'
import { keepRefusedScan } from '../../src/warehouse/exceptions/verbs.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { addPhoto } from '../../src/warehouse/photos/photos.ts'
import { checkUnit } from '../../src/warehouse/picking/checks.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import {
  cancelReceipt,
  finishReceiving,
  startReceiving,
} from '../../src/warehouse/receipts/verbs.ts'
import { approveReceipt, openWalkIn } from '../../src/warehouse/receipts/walk-in.ts'
import { finishReturnBatch, openReturnBatch } from '../../src/warehouse/returns/batches.ts'
import { takeReturnIn } from '../../src/warehouse/returns/scanning.ts'
import { mirrorShipment } from '../../src/warehouse/shipments/mirror.ts'
import { bringBackOrders } from '../../src/warehouse/shipments/reshipment.ts'
import { addOrders, closeShipment, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { makeAssembly, undoAssembly } from '../../src/warehouse/stock/assemblies.ts'
import { putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { recordMovements } from '../../src/warehouse/stock/ledger.ts'
import { keepLots } from '../../src/warehouse/stock/lots.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { handleShelf } from '../../src/warehouse/stock/put-away.ts'
import { addBox, addPallet, recordBoxScan } from '../../src/warehouse/storage/boxes.ts'
import { addLocation } from '../../src/warehouse/storage/locations.ts'
import { fakePhoto } from './fake-photo.ts'
import { fakePicture } from './marketplaces/fake-picture.ts'
import { ean13, markingCode } from './marking-codes.ts'
import { addSubscription } from './subscription.ts'
import { at, makeClient, newOrder, noon, stockUp } from './warehouse.ts'

/** A live client with a row in every table that the audit reads. */
export interface Scene {
  readonly client: string
  /** The shipped order. */
  readonly shipped: string
}

const marked = ean13('460000000001')

export async function buildScene(db: Database): Promise<Scene> {
  const { id: client, cabinets } = await makeClient(db)
  const [cabinet = ''] = cabinets
  const { id: webhookId } = await addSubscription(db, client)
  await readWholeFeed(db, client)
  await stockUp(db, client, { A: 5, B: 3, D: 2 })
  const picture = { type: 'image/png', bytes: fakePicture('A') } as const
  const goods = { clientId: client, barcode: 'A' }
  await at(db, noon, (work) => uploadPicture(work, goods, picture))
  await at(db, noon, (work) => addOtherBarcode(work, goods, 'A-2'))
  await makeSet(db, client)
  await inTransaction(db, (tx) => failPending(tx, client, webhookId, 'Нет ответа'))
  // A receipt without goods counts as one in the figures, too.
  await stockUp(db, client, {})
  await at(db, noon, (work) => keepLots(work, { clientId: client, barcode: 'D' }, 30))
  await receiveMarked(db, client)
  await receiveUnexpected(db, client)
  await store(db, client)
  await receiveOnPallet(db, client)
  await countGoods(db, client)
  const numbers: readonly (readonly [string, string])[] = [
    ['open order', marked],
    ['closed order', 'A'],
    ['mirrored order', 'B'],
    ['missing order', 'C'],
    ['new order', 'A'],
    ['other open order', 'A'],
    ['returned order', 'A'],
    ['sent back order', 'D'],
    ['marked order', marked],
    ['set order', 'KIT'],
  ]
  await at(db, noon, async (work) => {
    const drafts = numbers.map(([number, barcode]) => newOrder(number, barcode))
    await takeInOrders(work, client, cabinet, drafts)
  })
  const orders = await idsOfOrders(db, client)
  const photo = { id: newId(), scanId: undefined, takenAt: noon, bytes: fakePhoto('A') }
  const ordered = orders.get('open order') ?? ''
  const subject = { clientId: client, kind: 'order', objectId: ordered } as const
  await at(db, noon, (work) => addPhoto(work, subject, photo))
  await ship(db, client, cabinet, orders)
  await sendBack(db, client, cabinet, orders)
  await request(db, client)
  await readWholeFeed(db, client)
  await charge(db, client)
  return { client, shipped: orders.get('closed order') ?? '' }
}

/** A set of B and D. */
async function makeSet(db: Database, client: string): Promise<void> {
  const parts = [
    { barcode: 'B', qty: 1 },
    { barcode: 'D', qty: 1 },
  ]
  await at(db, noon, async (work) => {
    await registerProducts(work, client, [{ barcode: 'KIT', name: 'Набор' }])
    await putParts(work, { clientId: client, barcode: 'KIT' }, parts)
    const one = { barcode: 'KIT', units: 1 }
    const { id } = await makeAssembly(work, client, { kind: 'ASSEMBLE', ...one })
    await undoAssembly(work, client, id)
    await makeAssembly(work, client, { kind: 'ASSEMBLE', ...one })
    await makeAssembly(work, client, { kind: 'TAKE_APART', ...one })
  })
}

/** Computes charges for all that happened, by a tariff of the client. */
async function charge(db: Database, client: string): Promise<void> {
  const price = [{ up_to: null, price: 1_000 }]
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, created_at, created_by)
    values (${client}, 1, '2026-11-01', ${db.json({ UNIT_RECEIVED: price, ORDER_PACKED: price })}, now(), 'test')`
  await at(db, noon + 2 * 60_000, (work) => computeCharges(work, client))
}

async function readWholeFeed(db: Database, client: string): Promise<void> {
  const request = { after: undefined, types: undefined, limit: 1 }
  const reader = { clientId: client, actor: { kind: 'service' }, mode: {} } as const
  await readFeed({ db, clock: new ManualClock(noon) }, reader, request)
}

async function idsOfOrders(db: Database, client: string): Promise<Map<string, string>> {
  const rows = await db<{ id: string; external_id: string }[]>`
    select id, external_id from orders where client_id = ${client}`
  return new Map(rows.map((row) => [row.external_id, row.id]))
}

/** Receives three units with marking codes. */
function receiveMarked(db: Database, client: string): Promise<void> {
  return at(db, noon, async (work) => {
    const items = [{ barcode: marked, name: 'С кодом', qty: 3, honestMark: true }]
    const id = await registerReceipt(work, client, { source: 'file', items })
    await startReceiving(work, client, id)
    for (const unit of [1, 2, 3]) {
      const scan = { scanId: `unit ${unit}`, markingCode: markingCode(marked, unit) }
      await countScan(work, client, id, scan)
    }
    await finishReceiving(work, client, id, new Map())
  })
}

/** Receives goods in two boxes on one pallet, and prints labels for them. */
function receiveOnPallet(db: Database, client: string): Promise<void> {
  return at(db, noon, async (work) => {
    const pallet = await addPallet(work, client, '0000000000')
    const lot = { expiresOn: '2027-06-30', number: 'L1' }
    const items = [{ barcode: 'D', name: 'D', qty: 2 }]
    const id = await registerReceipt(work, client, { source: 'manual', items })
    await startReceiving(work, client, id)
    for (const scanId of ['first', 'second']) {
      const boxId = await addBox(work, client, pallet, '0000000000')
      await countScan(work, client, id, { scanId, barcode: 'D', boxId, lot })
    }
    await finishReceiving(work, client, id, new Map())
    const print = { clientId: client, printId: 'labels' }
    for (let times = 0; times < 2; times++) {
      await keepGoodsLabels(work, print, [{ barcode: 'D', copies: 2 }])
    }
  })
}

/** Receives goods without a document, and cancels a receipt. */
function receiveUnexpected(db: Database, client: string): Promise<void> {
  return at(db, noon, async (work) => {
    const { id } = await openWalkIn(work, client, {})
    await countScan(work, client, id, { scanId: '1', barcode: 'B', units: 2 })
    await approveReceipt(work, client, id)
    await keepRefusedScan(work, {
      clientId: client,
      kind: 'receipt_scan',
      objectId: id,
      scanId: 'late',
      scan: {},
      queuedAt: noon,
      queuedBy: undefined,
      reason: 'Приёмка закончена',
    })
    await countScan(work, client, id, { scanId: '2', barcode: 'B' })
    const items = [{ barcode: 'B', qty: 4 }]
    const late = await registerReceipt(work, client, { source: 'manual', items })
    await cancelReceipt(work, client, late)
  })
}

function store(db: Database, client: string): Promise<void> {
  return at(db, noon, async (work) => {
    const pallet = await addPallet(work, client, '0000000000')
    const boxId = await addBox(work, client, pallet, '0000000000')
    assert.ok(await recordBoxScan(work, client, boxId, 'put'))
    await putIntoBox(work, client, { boxId, barcode: 'A', units: 2 })
    const [location] = await work.tx<{ warehouse_code: string }[]>`
      select warehouse_code from clients where id = ${client}`
    const locationId = await addLocation(work, location?.warehouse_code ?? '', {
      ...{ code: 'A-01', zone: '', order: 0 },
    })
    const put = { kind: 'put', clientId: client, locationId, code: 'A', units: 1 } as const
    await handleShelf(work, { ...put, scanId: 'located' })
  })
}

/** Counts goods, one unit of which is missing. */
function countGoods(db: Database, client: string): Promise<void> {
  return at(db, noon, async (work) => {
    const scope = { barcodes: ['A'], box_ids: [], location_ids: [], blind: true }
    const id = await openCount(work, client, { ...scope, for_client: true })
    await startCount(work, client, id)
    await countUnits(work, client, id, { scanId: 'counted', barcode: 'A', units: 6 })
    await reviewCount(work, client, id)
    await decideLine(work, client, id, 'A', { outcome: 'in_question', reason: 'COUNT' })
    await closeCount(work, client, id)
    await recordMovements(work, client, [
      { kind: 'write_off', barcode: 'A', delta: -1, questionDelta: -1, reason: 'COUNT' },
    ])
  })
}

function ship(
  db: Database,
  client: string,
  cabinetId: string,
  orders: ReadonlyMap<string, string>,
): Promise<void> {
  const id = (number: string) => orders.get(number) ?? ''
  return at(db, noon, async (work) => {
    const open = await openShipment(work, client, { cabinetId, externalId: 'open' })
    await addOrders(work, client, open, [id('open order'), id('other open order'), id('set order')])
    const code = readMarkingCode(markingCode(marked, 1))
    assert.ok(code.ok)
    const task = await pickingTaskOf(work, client, open)
    const marks = { imei: '490154203237518' }
    const pick = { scanId: 'marked', orderId: id('open order'), markingCode: code, marks }
    await pickUnits(work, client, task, [pick])
    const check = { orderId: id('open order'), code: markingCode(marked, 1) }
    await checkUnit(work, { clientId: client, shipmentId: open, scanId: 'check', ...check })

    const closed = await openShipment(work, client, { cabinetId, externalId: 'closed' })
    await addOrders(work, client, closed, [id('closed order')])
    await pickUnits(work, client, await pickingTaskOf(work, client, closed), [
      { scanId: 'plain', orderId: id('closed order'), barcode: 'A' },
    ])
    await haveBoxes(work, { clientId: client, cabinetId, shipmentId: closed })
    await closeShipment(work, client, closed)

    const returned = await openShipment(work, client, { cabinetId, externalId: 'returned' })
    await addOrders(work, client, returned, [id('returned order')])
    await pickUnits(work, client, await pickingTaskOf(work, client, returned), [
      { scanId: 'returned', orderId: id('returned order'), barcode: 'A' },
    ])
    await closeShipment(work, client, returned)
    const missed = { externalId: 'returned order', supply: 'returned' }
    assert.equal((await bringBackOrders(work, client, cabinetId, [missed])).length, 1)

    await registerProducts(work, client, [{ barcode: 'C', name: 'C' }])
    const reported = {
      externalId: 'mirrored',
      name: undefined,
      createdAt: noon,
      closedAt: noon,
      acceptedAt: undefined,
      cancelled: false,
      orders: ['mirrored order', 'missing order'],
    }
    const options = {
      connectedAt: noon - 1,
      adds: true,
      ordersAsOf: noon + 3_600_000,
      mayRemove: () => Promise.resolve(false),
    }
    await mirrorShipment(work, client, cabinetId, reported, options)
  })
}

/** The marketplace was asked for three boxes, one of them was removed, and one more was refused. */
async function haveBoxes(
  { tx, at: moment }: Work,
  ids: { readonly clientId: string; readonly cabinetId: string; readonly shipmentId: string },
): Promise<void> {
  const commands = [
    ['add_boxes', { count: 3 }, 'done'],
    ['remove_boxes', { boxes: ['WB-TRBX-1'] }, 'done'],
    ['add_boxes', { count: 3 }, 'refused'],
  ] as const
  for (const [kind, detail, state] of commands) {
    await tx`
      insert into remote_commands (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor, requested_at,
        attempted_at, finished_at)
      values (${ids.clientId}, ${newId()}, ${ids.cabinetId}, ${ids.shipmentId}, ${kind}, ${tx.json(detail)}, ${state},
        'test', ${moment}, ${moment}, ${moment})`
  }
}

/** Two orders leave; a batch expects one of them, and both come back. */
async function sendBack(
  db: Database,
  client: string,
  cabinetId: string,
  orders: ReadonlyMap<string, string>,
): Promise<void> {
  const [plain = '', coded = ''] = ['sent back order', 'marked order'].map((one) => orders.get(one))
  const code = markingCode(marked, 2)
  await at(db, noon, async (work) => {
    const read = readMarkingCode(code)
    assert.ok(read.ok)
    const shipment = await openShipment(work, client, { cabinetId, externalId: 'sent back' })
    await addOrders(work, client, shipment, [plain, coded])
    const marks = { imei: '352099001761481' }
    await pickUnits(work, client, await pickingTaskOf(work, client, shipment), [
      { scanId: 'D', orderId: plain, barcode: 'D' },
      { scanId: 'coded', orderId: coded, markingCode: read, marks },
    ])
    await closeShipment(work, client, shipment)
  })
  await at(db, noon + 1, async (work) => {
    const batch = await openReturnBatch(work, client, { expected: [{ order_id: plain }] })
    const sellable = { scanId: 'sellable', code: 'sent back order', condition: 'sellable' } as const
    await takeReturnIn(work, client, batch, sellable)
    const damaged = { scanId: 'damaged', code, condition: 'damaged' } as const
    await takeReturnIn(work, client, batch, damaged)
    await finishReturnBatch(work, client, batch)
  })
}

function request(db: Database, client: string): Promise<void> {
  return at(db, noon, async (work) => {
    for (const external_ref of ['1', '2', '3']) {
      await requestReceipt(
        work,
        { clientId: client, keyId: newId(), requestId: newId() },
        { external_ref, items: [{ barcode: 'A', qty: 1, honest_mark: false }] },
      )
    }
  })
}
