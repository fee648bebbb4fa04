import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { assertRefused } from '../support/client.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { startService } from '../support/service.ts'
import { chooseUsualPoint, good, openFloor } from '../support/shipping.ts'

/** Staff choose where shipments of WB go, and make their boxes; WB's stand-in wants both. */
const { wb, settings } = await startFakes()
const service = await startService(settings)
const barcode = '4600000000017'
const [sortingCentre, pickupPoint, warehouseOfWb] = [100, 200, 400]
const city = encodeURIComponent('Москва')

interface Points {
  readonly items: readonly { readonly id: number; readonly kind: string | null }[]
}
interface Boxes {
  readonly items: readonly { readonly id: string }[]
  readonly max: number
}

/** A cabinet of a seller in Russia, and a shipment whose orders are picked. */
async function openPicked(count = 4) {
  const floor = await openFloor(service, { [barcode]: count })
  const { cabinet, client, manager, worker } = floor
  const account = wb.account()
  wb.requireShippingMethod(account)
  const card = wb.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const draft = { credentials: account.credentials, shipments: 'ours' }
  good(await manager.patch(`/cabinets/${cabinet}`, draft))
  good(await manager.patch(`/cabinets/${cabinet}`, { warehouses: [wb.ownWarehouse] }))
  const drafts = Array.from({ length: count }, () => ({
    cabinet_id: cabinet,
    external_id: wb.addOrder(account, { lines: [line] }),
    barcode,
  }))
  const made = await manager.post(`/clients/${client}/orders`, drafts)
  const orders = good<{ items: StaffOrder[] }>(made, 201).items
  const shipment = good<StaffShipment>(
    await worker.post('/shipments', { cabinet_id: cabinet, external_id: 'утро' }),
    201,
  )
  good(
    await floor.add(
      shipment.id,
      orders.map(({ id }) => id),
    ),
  )
  for (const { id } of orders) {
    good(await floor.pick(shipment.picking_task_id, { scan_id: id, order_id: id, barcode }))
  }
  const path = `/shipments/${shipment.id}`
  return {
    ...floor,
    account,
    path,
    supply: shipment.external_id,
    points: `/cabinets/${cabinet}/shipping-points`,
    defaults: `/cabinets/${cabinet}/shipping-defaults`,
    close: () => worker.post(`${path}/close`),
    choose: (body: object) => worker.put(`${path}/shipping-method`, body),
    /** Calls that changed something at WB, since the last look. */
    changes: callsOf(account.id),
    sent: () => wb.shippingMethodOf(account, shipment.external_id),
  }
}

function callsOf(account: string) {
  let seen = 0
  return () => {
    const calls = wb.calls().filter((call) => call.account === account)
    const since = calls.slice(seen)
    seen = calls.length
    return since.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  }
}

suite('the shipping method', () => {
  // Guarantee (wildberries): A WB shipment goes only where staff chose.
  test('must be chosen before a shipment is closed, and nothing is changed at WB until then', async () => {
    const at = await openPicked()
    at.changes()
    assertRefused(await at.close(), 'conflict', 'Не выбран пункт отгрузки')
    assert.deepEqual(at.changes(), [])
    assertRefused(await at.choose({ point_id: sortingCentre }), 'not_found', 'в списке пунктов')
    good(await at.worker.get(`${at.points}?city=${city}`))
    const chosen = { point_id: sortingCentre, date: '2020-01-01', type: 'transportCompany' }
    const { shipping_method } = good<StaffShipment>(await at.choose(chosen))
    assert.deepEqual(shipping_method, {
      ...chosen,
      name: 'Москва (Складская)',
      address: 'Москва, 100',
      city: 'Москва',
      kind: 'sc',
    })
    const before = moscowDate(Date.now())
    const closed = good<StaffShipment>(await at.close())
    assert.equal(closed.status, 'HANDED_OVER')
    assert.equal(closed.shipping_method?.point_id, sortingCentre)
    const sent = at.sent()
    assert.ok([before, moscowDate(Date.now())].includes(sent?.shippingDt ?? ''))
    assert.deepEqual([sent?.shippingPointId, sent?.shippingType], [100, 'transportCompany'])
    assert.equal(at.changes().filter((path) => path.includes('deliver')).length, 1)
    assertRefused(await at.choose(chosen), 'conflict', 'Передана')
  })

  test('of the cabinet serves all shipments, unless one is chosen for the shipment itself', async () => {
    const at = await openPicked()
    await chooseUsualPoint(at.manager, at.cabinet)
    good(await at.close())
    assert.equal(at.sent()?.shippingPointId, sortingCentre)
    const other = await openPicked()
    await chooseUsualPoint(other.manager, other.cabinet)
    wb.setShippingMethod(other.account, other.supply, { shippingPointId: 300 })
    good(await other.close())
    assert.equal(other.sent()?.shippingPointId, 300, 'somebody chose it in the cabinet of WB')
  })

  test('of the cabinet can be read and replaced, by managers', async () => {
    const at = await openPicked()
    good(await at.worker.get(`${at.points}?city=${city}`))
    assertRefused(await at.worker.put(at.defaults, { items: [] }), 'forbidden', '')
    const put = (...items: object[]) => at.manager.put(at.defaults, { items })
    good(await put({ cargo_type: 1, point_id: pickupPoint }, { cargo_type: 2, point_id: 100 }))
    const { items } = good<{ items: { cargo_type: number; kind: string; type: string }[] }>(
      await at.worker.get(at.defaults),
    )
    assert.deepEqual(
      items.map(({ cargo_type, kind, type }) => [cargo_type, kind, type]),
      [
        [1, 'pp', 'selfShipping'],
        [2, 'sc', 'selfShipping'],
      ],
    )
    const bulky = { cargo_type: 3, point_id: pickupPoint }
    assertRefused(await put(bulky), 'conflict', 'не принимает груз типа 3')
    assertRefused(await put({ cargo_type: 1, point_id: 9 }), 'not_found', 'Пункт отгрузки 9')
    const twice = { cargo_type: 1, point_id: 100 }
    assertRefused(await put(twice, twice), 'validation_error', 'items[1].cargo_type')
    assert.equal(good<{ items: [] }>(await at.worker.get(at.defaults)).items.length, 2)
    good(await put())
    assert.deepEqual(good<{ items: [] }>(await at.worker.get(at.defaults)).items, [])
  })

  test('is not needed by sellers whose cabinet says so', async () => {
    const at = await openPicked()
    const account = at.account
    good(await at.manager.patch(`/cabinets/${at.cabinet}`, { shipping_method_required: false }))
    assertRefused(await at.close(), 'conflict', 'выберите пункт')
    assert.deepEqual(wb.shippingMethodOf(account, at.supply), undefined)
    wb.requireShippingMethod(account, false)
    assert.equal(good<StaffShipment>(await at.close()).status, 'HANDED_OVER')
    assert.deepEqual(wb.shippingMethodOf(account, at.supply), undefined)
  })

  test('that WB refuses keeps the shipment open, and says why', async () => {
    const at = await openPicked()
    await chooseUsualPoint(at.manager, at.cabinet)
    wb.closePoint(at.account, sortingCentre)
    at.changes()
    assertRefused(await at.close(), 'conflict', 'выберите другой пункт')
    assert.ok(!at.changes().some((path) => path.includes('deliver')))
    assert.equal(good<StaffShipment>(await at.worker.get(at.path)).status, 'ASSEMBLING')
  })

  test('of a carrier is handed over once the cabinet has the waybill that WB wants', async () => {
    const at = await openPicked(1)
    good(await at.worker.get(`${at.points}?city=${city}`))
    wb.requireWaybill(at.account)
    good(await at.choose({ point_id: sortingCentre, type: 'transportCompany' }))
    assertRefused(await at.close(), 'conflict', 'ЭТрН')
    assert.equal(good<StaffShipment>(await at.worker.get(at.path)).status, 'ASSEMBLING')
    wb.setWaybill(at.account, at.supply)
    assert.equal(good<StaffShipment>(await at.close()).status, 'HANDED_OVER')
    assert.ok(!at.changes().some((path) => path.includes('waybill')))
  })

  test('has points by city, of WB alone', async () => {
    const at = await openPicked(1)
    for (const query of ['', '?city=', '?city=%20']) {
      assertRefused(await at.worker.get(`${at.points}${query}`), 'bad_request', 'city')
    }
    const found = good<Points>(await at.worker.get(`${at.points}?city=${city}&cargo_type=3`))
    assert.deepEqual(
      found.items.map(({ id }) => id),
      [sortingCentre],
    )
    const other = await openFloor(service, {}, ['OZON', 'WB'])
    const [carriages = '', unconnected = ''] = other.cabinets
    const ask = (cabinet: string) =>
      other.worker.get(`/cabinets/${cabinet}/shipping-points?city=${city}`)
    assertRefused(await ask(carriages), 'conflict', 'только для WB')
    assertRefused(await ask(unconnected), 'conflict', 'не подключён')
    assertRefused(await at.choose({ point_id: 100, date: 'завтра' }), 'validation_error', 'date')
  })
})

suite('boxes', () => {
  test('are needed for a pickup point, are made once, and are printed', async () => {
    const at = await openPicked(4)
    const boxes = `${at.path}/boxes`
    assertRefused(await at.worker.put(boxes, { count: 1 }), 'conflict', 'Не выбран пункт')
    good(await at.worker.get(`${at.points}?city=${city}`))
    good(await at.worker.get(`${at.points}?city=${encodeURIComponent('Тверь')}`))
    good(await at.choose({ point_id: warehouseOfWb }))
    assertRefused(await at.worker.put(boxes, { count: 1 }), 'conflict', 'только отгрузке в пункт')
    good(await at.choose({ point_id: pickupPoint }))
    at.changes()
    assertRefused(await at.close(), 'conflict', 'только в грузоместах')
    assertRefused(await at.worker.put(boxes, { count: 3 }), 'conflict', 'не больше 2')
    assert.deepEqual(at.changes(), [])
    for (let times = 0; times < 2; times++) {
      const made = good<Boxes>(await at.worker.put(boxes, { count: 2 }))
      assert.deepEqual([made.items.length, made.max], [2, 2])
    }
    assert.equal(at.changes().filter((path) => path.endsWith('/trbx')).length, 1)
    const [first, second] = good<Boxes>(await at.worker.get(boxes)).items
    const sticker = await fetch(`${service.baseUrl}/staff/v1${boxes}/${second?.id}/sticker`, {
      headers: { authorization: `Bearer ${at.worker.token}` },
    })
    assert.match(await sticker.text(), new RegExp(`^<svg.*${second?.id}`))
    assertRefused(await at.worker.get(`${boxes}/WB-TRBX-0/sticker`), 'not_found', 'грузоместа')
    for (let times = 0; times < 2; times++) {
      assert.equal((await at.worker.delete(`${boxes}/${first?.id}`)).status, 204)
    }
    assert.deepEqual(good<Boxes>(await at.worker.get(boxes)).items, [second])
    good(await at.close())
    assert.equal(at.sent()?.shippingPointId, pickupPoint)
  })

  test('are made for a sorting centre that wants them, after WB has said so', async () => {
    const at = await openPicked(2)
    good(await at.worker.get(`${at.points}?city=${city}`))
    good(await at.choose({ point_id: sortingCentre }))
    wb.fulfil(at.account, at.supply)
    assertRefused(await at.close(), 'conflict', 'без грузомест: добавьте их в отгрузку')
    good(await at.worker.put(`${at.path}/boxes`, { count: 1 }))
    assert.equal(good<StaffShipment>(await at.close()).status, 'HANDED_OVER')
  })

  test('of equal requests at once are made once', async () => {
    const at = await openPicked(4)
    good(await at.worker.get(`${at.points}?city=${city}`))
    good(await at.choose({ point_id: pickupPoint }))
    const asked = Array.from({ length: 5 }, () => at.worker.put(`${at.path}/boxes`, { count: 2 }))
    for (const answer of await Promise.all(asked)) good(answer)
    assert.equal(wb.boxesOf(at.account, at.supply).length, 2)
  })

  // Guarantee (wildberries): A lost answer of WB makes no box too many.
  test('whose answer was lost are found out, and a repeat makes no more', async () => {
    const at = await openPicked(4)
    good(await at.worker.get(`${at.points}?city=${city}`))
    good(await at.choose({ point_id: pickupPoint }))
    const put = () => at.worker.put(`${at.path}/boxes`, { count: 1 })
    const held = wb.holdNext('shipping-method')
    const asked = put()
    await held.reached
    wb.failNext(1, { status: 504, done: true }, '/trbx')
    held.release()
    assertRefused(await asked, 'marketplace_unavailable', 'временно недоступен')
    good(await put())
    assert.equal(wb.boxesOf(at.account, at.supply).length, 1)
  })
})
