import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { findCabinet } from '../../src/warehouse/clients/cabinet-queries.ts'
import { openReturnBatch } from '../../src/warehouse/returns/batches.ts'
import { recordReturns } from '../../src/warehouse/returns/expected.ts'
import { listExpectedReturns } from '../../src/warehouse/returns/expected-queries.ts'
import type { ExpectedReturn } from '../../src/warehouse/returns/expected-view.ts'
import type { ReturnState } from '../../src/warehouse/returns/state.ts'
import { cabinetState, openScene } from '../support/sync-scene.ts'
import { at, stockUp } from '../support/warehouse.ts'

/** What marketplaces send back. */
const scene = await openScene()
const { db, wb, ozon } = scene
const barcode = '4600000000017'
const listPath = '/v1/returns/list'

async function expected(
  clientId: string,
  given: { readonly state?: ReturnState; readonly cabinet_id?: string } = {},
): Promise<ExpectedReturn[]> {
  const filter = { client_id: clientId, cabinet_id: undefined, state: undefined, ...given }
  const page = await listExpectedReturns(db, filter, { limit: 100, after: undefined })
  assert.equal(page.total, page.items.length)
  return page.items.toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1))
}

const states = async (clientId: string) =>
  (await expected(clientId)).map((one) => `${one.external_id} ${one.state}`)

async function ozonCabinet() {
  const connected = await scene.connect(ozon)
  const { account } = connected
  const card = ozon.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const order = ozon.addOrder(account, { lines: [line] })
  await scene.sync()
  const callsTo = (path: string) =>
    ozon.calls().filter((call) => call.account === account.id && call.path === path)
  return { ...connected, card, order, callsTo }
}

test('OZON: a return is expected with its order, goods, place and the code to fetch it', async () => {
  const { clientId, cabinetId, account, card, order } = await ozonCabinet()
  const changedAt = Date.now() - day
  ozon.setReturn(account, { id: 7, postingNumber: order, state: 'MovingToSeller', changedAt })
  ozon.setReturn(account, { id: 8, postingNumber: '1-1-1', state: 'MovingToSeller', changedAt })
  await scene.sync()
  const [known, unknown] = await expected(clientId)
  assert.ok(known && unknown)
  const [row] = await db<{ id: string }[]>`select id from orders where external_id = ${order}`
  assert.deepEqual(
    [known.order_id, known.order_external_id, known.barcode, known.article, known.qty],
    [row?.id, order, barcode, card.article, 1],
  )
  assert.deepEqual(
    [known.marketplace, known.cabinet_id, known.state, known.kind, known.remote_state],
    ['OZON', cabinetId, 'ON_THE_WAY', 'BUYER_RETURN', 'MovingToSeller'],
  )
  assert.deepEqual([known.label_code, known.giveout_code], ['%101%7', null])
  assert.equal(known.place_name, 'САНКТ-ПЕТЕРБУРГ_7')
  assert.deepEqual([unknown.order_id, unknown.barcode], [null, barcode])
  const arrived = { id: 7, postingNumber: order, state: 'ArrivedAtReturnPlace' }
  ozon.setReturn(account, { ...arrived, changedAt: Date.now() })
  await scene.sync()
  const [ready] = await expected(clientId, { state: 'READY', cabinet_id: cabinetId })
  assert.equal(ready?.id, known.id)
  assert.equal(ready?.giveout_code, `%303%${account.id}`)
  assert.notEqual(ready?.disposal_at, null)
  assert.deepEqual(await expected(clientId, { cabinet_id: clientId }), [])
  assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
  assert.deepEqual((await audit(db)).findings, [])
})

test('returns of an observed cabinet are marked as observed, those of others are not', async () => {
  const ordinary = await ozonCabinet()
  const watched = await scene.connect(ozon, { shipments: 'observe' })
  const order = ozon.addOrder(watched.account)
  const state = { state: 'MovingToSeller', changedAt: Date.now() - day }
  ozon.setReturn(ordinary.account, { id: 21, postingNumber: ordinary.order, ...state })
  ozon.setReturn(watched.account, { id: 22, postingNumber: order, ...state })
  ozon.setReturn(watched.account, { id: 23, postingNumber: '1-1-1', ...state })
  await scene.sync()
  const marks = async (clientId: string) =>
    (await expected(clientId)).map(({ external_id, observed }) => `${external_id} ${observed}`)
  assert.deepEqual(await marks(ordinary.clientId), ['21 false'])
  assert.deepEqual(await marks(watched.clientId), ['22 true', '23 true'])
})

test('OZON: returns that ended are stored only if they were expected, and deleted with age', async () => {
  const { clientId, cabinetId, account } = await ozonCabinet()
  const back = (id: number, state: string, schema: 'Fbs' | 'Fbo' = 'Fbs') =>
    ozon.setReturn(account, { id, postingNumber: '1-1-1', state, schema, changedAt: Date.now() })
  back(1, 'ReceivedBySeller')
  back(2, 'ReturnedToOzon')
  back(3, 'MovingToSeller', 'Fbo')
  back(4, 'MovingToSeller')
  back(5, 'PotentiallyLost')
  await scene.sync()
  assert.deepEqual(await states(clientId), ['4 ON_THE_WAY', '5 OTHER'])
  back(4, 'ReceivedBySeller')
  back(5, 'WriteOff')
  await scene.sync()
  assert.deepEqual(await states(clientId), ['4 RECEIVED', '5 NOT_COMING'])
  await db`
    update expected_returns set changed_at = changed_at - interval '31 days'
    where cabinet_id = ${cabinetId}`
  const old = { postingNumber: '1-1-1', schema: 'Fbs', changedAt: Date.now() - 32 * day } as const
  ozon.setReturn(account, { ...old, id: 4, state: 'ReceivedBySeller' })
  ozon.setReturn(account, { ...old, id: 5, state: 'WriteOff' })
  await scene.sync()
  assert.deepEqual(await states(clientId), [])
})

test('OZON: all pages are read, each return once, and not in every sync run', async () => {
  const { clientId, account, callsTo } = await ozonCabinet()
  const changedAt = Date.now() - 1000
  for (const id of [3, 1, 2]) {
    ozon.setReturn(account, { id, postingNumber: '1-1-1', state: 'MovingToSeller', changedAt })
  }
  ozon.pagesOf(2)
  const before = callsTo(listPath).length
  await scene.sync()
  ozon.heal()
  assert.equal(callsTo(listPath).length - before, 2)
  assert.equal((await expected(clientId)).length, 3)
  assert.equal(callsTo('/v1/return/giveout/barcode').length, 0, 'nothing is ready')
  const read = callsTo(listPath).length
  await db`update cabinet_syncs set next_at = now()`
  await scene.syncing().runOnce()
  assert.equal(callsTo(listPath).length, read)
})

test('OZON: a refusal to list returns does not disturb the cabinet, which says that they are missing', async () => {
  const { clientId, cabinetId, callsTo, account, order } = await ozonCabinet()
  const changedAt = Date.now() - day
  ozon.setReturn(account, { id: 7, postingNumber: order, state: 'MovingToSeller', changedAt })
  await db`update cabinet_syncs set returns_at = null where cabinet_id = ${cabinetId}`
  for (const [status, reason] of [
    [403, /не хватает прав/],
    [404, /отказал \(код 404\)/],
  ] as const) {
    ozon.failNext(100, { status }, listPath)
    const before = callsTo(listPath).length
    await scene.sync()
    ozon.heal()
    assert.ok(callsTo(listPath).length > before)
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
    const [lack, other] = (await findCabinet(db, clientId, cabinetId))?.lacks ?? []
    assert.deepEqual([lack?.what, lack?.withdrawn, other], ['Возвраты', false, undefined])
    assert.match(lack?.reason ?? '', reason)
  }
  await scene.sync()
  assert.deepEqual((await findCabinet(db, clientId, cabinetId))?.lacks, [])
  assert.equal((await expected(clientId)).length, 1, 'what came meanwhile is read')
})

test('OZON: a refusal of the code to fetch returns leaves the list complete', async () => {
  const { clientId, cabinetId, account, order } = await ozonCabinet()
  const changedAt = Date.now() - day
  ozon.setReturn(account, { id: 7, postingNumber: order, state: 'ArrivedAtReturnPlace', changedAt })
  scene.warned()
  ozon.failNext(100, { status: 403 }, '/v1/return/giveout/')
  await db`update cabinet_syncs set returns_at = null where cabinet_id = ${cabinetId}`
  await scene.sync()
  ozon.heal()
  assert.equal((await expected(clientId)).length, 1)
  assert.deepEqual((await findCabinet(db, clientId, cabinetId))?.lacks, [])
  const cabinets = scene.warned().map((warning) => (warning as { cabinet: string }).cabinet)
  assert.ok(cabinets.includes(cabinetId))
})

test('an older report changes nothing, and several workers add a return once', async () => {
  const { clientId, cabinetId } = await ozonCabinet()
  const none = undefined
  const reported = (state: ReturnState) => ({
    ...({ externalId: '9', kind: 'REFUSAL', state, remoteState: none, reason: none } as const),
    ...{ orderNumber: none, itemId: none, article: none, name: 'Плед', units: 1 },
    ...{ since: none, changedAt: none, place: { name: none, address: none } },
    ...{ labelCode: none, disposalAt: none },
  })
  const now = Date.now()
  const record = (state: ReturnState, at: number) =>
    db.begin((tx) =>
      recordReturns(workAt(tx, at, { kind: 'sync', cabinetId }), clientId, cabinetId, [
        reported(state),
      ]),
    )
  await Promise.all(Array.from({ length: 8 }, () => record('READY', now)))
  assert.deepEqual(await states(clientId), ['9 READY'])
  await record('ON_THE_WAY', now - 1)
  assert.deepEqual(await states(clientId), ['9 READY'])
  await record('RECEIVED', now + 1)
  assert.deepEqual(await states(clientId), ['9 RECEIVED'])
})

test('WB: orders that were cancelled after their units left are expected, others are not', async () => {
  const { clientId, cabinetId, account } = await scene.connect(wb, { shipments: 'mirrored' })
  await stockUp(db, clientId, { [barcode]: 3 })
  const card = wb.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const status = { supplier: 'confirm', buyer: 'waiting' }
  const add = () => wb.addOrder(account, { lines: [line], status })
  const [refused, cancelled, delivered, early] = [add(), add(), add(), add()]
  const supply = wb.addShipment(account, { orders: [refused, cancelled, delivered, early] })
  await scene.sync()
  wb.setStatus(account, early, { supplier: 'cancel', buyer: 'canceled' })
  await scene.sync()
  wb.acceptShipment(account, supply)
  await scene.sync()
  assert.deepEqual(await expected(clientId), [])
  wb.setStatus(account, refused, { supplier: 'complete', buyer: 'canceled_by_client' })
  wb.setStatus(account, cancelled, { supplier: 'complete', buyer: 'defect' })
  await scene.sync()
  await scene.sync()
  const found = await expected(clientId)
  assert.deepEqual(
    found.map((one) => [one.external_id, one.kind, one.state, one.remote_state, one.qty]),
    [
      [refused, 'REFUSAL', 'ON_THE_WAY', 'canceled_by_client', 1],
      [cancelled, 'CANCELLATION', 'ON_THE_WAY', 'defect', 1],
    ],
  )
  assert.deepEqual(
    found.map((one) => [one.order_external_id, one.barcode, one.article]),
    [
      [refused, barcode, card.article],
      [cancelled, barcode, card.article],
    ],
  )
  const [balance] = await db<{ quantity: number }[]>`
    select quantity from stock_balances where client_id = ${clientId} and barcode = ${barcode}`
  assert.equal(balance?.quantity, 0, 'no unit moves')
  const batch = await at(db, Date.now(), (work) => openReturnBatch(work, clientId, { cabinetId }))
  const lines = await db<{ external_id: string; barcode: string; units: number }[]>`
    select external_id, barcode, units from return_lines where return_id = ${batch} order by line`
  assert.deepEqual(
    lines.map((line) => [line.external_id, line.barcode, line.units]).toSorted(),
    [refused, cancelled].toSorted().map((number) => [number, barcode, 1]),
  )
  await db`
    update expected_returns set since = since - interval '91 days'
    where cabinet_id = ${cabinetId} and external_id = ${refused}`
  await scene.sync()
  assert.deepEqual(await states(clientId), [`${refused} NOT_COMING`, `${cancelled} ON_THE_WAY`])
  assert.deepEqual((await audit(db)).findings, [])
})
