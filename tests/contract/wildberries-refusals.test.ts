import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  account,
  connect,
  failureOf,
  fake,
  filled,
  itemsOf,
  made,
  ordersOf,
  refused,
  shipped,
  supplyOf,
} from '../support/marketplaces/wildberries-fixture.ts'

/** Refusals of WB. Some pass by themselves; for the others the message says what staff must do. */

const coded = (externalId: string) => ({
  externalId,
  units: [{ itemId: null, markingCode: 'x'.repeat(31), marks: {} }],
})

suite('marking codes', () => {
  test('that WB is still checking make the hand-over unreachable', async () => {
    const { shipping, id, ids } = await filled(2)
    for (const order of ids) fake.setCodeDecision(account, order, 'pending')
    const failure = await failureOf(shipping.handOver(id))
    assert.equal(failure.kind, 'unreachable')
    assert.match(failure.message, new RegExp(`ещё проверяет .* ${ids.join(', ')}, повторите позже`))
    for (const order of ids) fake.setCodeDecision(account, order, undefined)
    await shipping.handOver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })

  test('that did not pass are listed by order, up to five', async () => {
    const { shipping, id, ids } = await filled(8)
    const [first = '', second = '', third = '', waiting = '', ...others] = ids
    fake.setCodeDecision(account, first, 'sgtinNotFound')
    fake.setCodeDecision(account, second, 'sgtinNoGS')
    fake.setCodeDecision(account, third, 'sgtinAte')
    fake.setCodeDecision(account, waiting, 'pending')
    for (const order of others.slice(0, 3)) fake.setCodeDecision(account, order, 'required')
    const failure = await failureOf(shipping.handOver(id))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'MetaValidationFail'])
    const lines = [
      `заказ ${first}: кода нет в Честном знаке`,
      `заказ ${second}: в коде нет разделителя GS`,
      `заказ ${third}: sgtinAte`,
      `заказ ${others[0]}: нужен код маркировки`,
      `заказ ${others[1]}: нужен код маркировки и ещё 1`,
    ]
    assert.ok(failure.message.endsWith(lines.join('; ')), failure.message)
  })

  test('without details are refused as well', async () => {
    const { shipping, id } = await filled()
    for (const data of [null, { orders: null }, { orders: [7] }]) {
      const body = { code: 'MetaValidationFail', message: 'No', data }
      fake.failNext(1, { status: 409, body }, '/deliver')
      const failure = await failureOf(shipping.handOver(id))
      assert.equal(failure.kind, 'rejected')
      assert.match(failure.message, /не принял коды маркировки заказов этой поставки/)
    }
  })

  test('that an order refuses fail with its number', async () => {
    const { shipping, ids } = await filled(2)
    const [good = '', cancelled = ''] = ids
    fake.setStatus(account, cancelled, { supplier: 'cancel', buyer: 'declined_by_client' })
    const gone = await failureOf(shipping.attachMarks([coded(cancelled)]))
    assert.deepEqual([gone.kind, gone.code], ['rejected', 'FailedToUpdateMeta'])
    assert.match(gone.message, new RegExp(`Заказ ${cancelled} на WB отменён .*уберите его`))
    fake.failNext(1, refused('FailedToUpdateMeta'), '/meta/sgtin')
    const other = await failureOf(shipping.attachMarks([coded(good)]))
    assert.match(other.message, new RegExp(`не принял коды маркировки заказа ${good}`))
  })

  test('of goods that need none are skipped', async () => {
    const { shipping, ids } = await filled()
    fake.refuseMarkingCodes(account, ids[0] ?? '')
    await shipping.attachMarks([coded(ids[0] ?? '')])
    assert.deepEqual(fake.markingCodesOf(account, ids[0] ?? ''), [])
  })
})

suite('orders that join a supply', () => {
  test('wait while WB processes it, longer each time and not for ever', async () => {
    const { shipping, time } = connect()
    const ids = ordersOf(2)
    const id = fake.addShipment(account)
    const pauses = () => time.waits.filter((ms) => ms % 2000 === 0)
    fake.keepBusy(account, id, 3)
    await shipping.addOrders(id, shipped(ids))
    assert.deepEqual(supplyOf(id)?.orders, ids)
    assert.deepEqual(pauses(), [2000, 4000, 8000])
    fake.keepBusy(account, id, 9)
    const failure = await failureOf(shipping.addOrders(id, shipped(ordersOf(1))))
    assert.equal(failure.kind, 'unreachable')
    assert.match(failure.message, /ещё обрабатывает поставку/)
    assert.equal(pauses().length, 6)
  })

  test('are refused with what to do if the supply is handed over', async () => {
    const { shipping, id } = await filled()
    await shipping.handOver(id)
    const failure = await failureOf(shipping.addOrders(id, shipped(ordersOf(1))))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'SupplyAlreadyClosed'])
    assert.match(failure.message, /уже передана: добавьте эти заказы в другую отгрузку/)
  })

  test('that WB refuses keep no others out, and few calls find them', async () => {
    const { shipping } = connect()
    const ids = ordersOf(250)
    const bad = [ids[17] ?? '', ids[230] ?? '']
    for (const id of bad) fake.holdBack(account, id)
    const externalId = await shipping.create({ name: 'Утро', reference: 'SK-1' })
    const refusedOrders = await shipping.addOrders(externalId, shipped(ids))
    assert.deepEqual(refusedOrders.map((order) => order.externalId).toSorted(), bad.toSorted())
    assert.match(refusedOrders[0]?.reason ?? '', /Не удалось закрепить/)
    assert.deepEqual(
      [...(supplyOf(externalId)?.orders ?? [])].toSorted(),
      ids.filter((id) => !bad.includes(id)).toSorted(),
    )
    assert.ok(made('PATCH').length <= 30, `${made('PATCH').length} calls`)
  })

  test('after some joined before, cancelled ones keep no others out', async () => {
    const { shipping } = connect()
    const [before = '', cancelled = '', other = ''] = ordersOf(3)
    const externalId = fake.addShipment(account, { orders: [before] })
    fake.setStatus(account, cancelled, { supplier: 'cancel', buyer: 'declined_by_client' })
    const ids = [before, cancelled, other]
    const [refused, ...more] = await shipping.addOrders(externalId, shipped(ids))
    assert.deepEqual([refused?.externalId, more], [cancelled, []])
    assert.match(refused?.reason ?? '', /на WB отменён/)
    assert.deepEqual(supplyOf(externalId)?.orders, [before, other])
  })

  test('that WB refuses are looked for in a bounded number of calls', async () => {
    const { shipping } = connect()
    const ids = ordersOf(100)
    for (const id of ids.filter((_, index) => index % 3 === 0)) fake.holdBack(account, id)
    const externalId = await shipping.create({ name: 'Утро', reference: 'SK-1' })
    await shipping.addOrders(externalId, shipped(ids)).catch(() => [])
    assert.ok(made('PATCH').length <= 33, `${made('PATCH').length} calls`)
  })

  test('a failure after some joined leaves the outcome unknown', async () => {
    const { shipping } = connect()
    const ids = ordersOf(150)
    const externalId = await shipping.create({ name: 'Утро', reference: 'SK-1' })
    const held = fake.holdNext(`${externalId}/orders`)
    const adding = failureOf(shipping.addOrders(externalId, shipped(ids)))
    await held.reached
    const next = fake.holdNext(`${externalId}/orders`)
    held.release()
    await next.reached
    fake.refuse(account, 401)
    next.release()
    const failure = await adding
    fake.refuse(account)
    assert.deepEqual([failure.kind, failure.outcomeUnknown], ['credentials', true])
    assert.equal(supplyOf(externalId)?.orders.length, 100)
  })

  test("are refused with WB's text where none joined", async () => {
    const { shipping } = connect()
    const ids = ordersOf(100)
    const odd = fake.addOrder(account, { raw: { cargoType: 2 } })
    const before = ordersOf(1)
    const id = fake.addShipment(account, { orders: before })
    const others = [odd, ...ids]
    for (const order of others) fake.holdBack(account, order)
    const failure = await failureOf(shipping.addOrders(id, shipped(others)))
    assert.deepEqual([failure.kind, failure.code], ['rejected', 'FailedToAddSupplyOrder'])
    assert.deepEqual(supplyOf(id)?.orders, before)
  })
})

suite('warehouses', () => {
  const north = { id: 11, name: 'Север' }
  const south = { id: 12, name: 'Юг' }
  const collectStock = async (pages: { requestedAt: number; items: readonly unknown[] }[]) => {
    async function* goods() {
      for (const itemId of [1, 2]) yield [{ itemId, article: undefined, barcode: `b${itemId}` }]
    }
    for await (const page of connect().stock(goods())) pages.push(page)
  }
  const addStock = () => {
    for (const warehouse of [north, south]) {
      for (const itemId of [1, 2]) fake.setStock(account, { itemId, warehouse, quantity: 5 })
    }
  }

  test('that are being deleted or changed are skipped', async () => {
    for (const changing of ['isDeleting', 'isProcessing'] as const) {
      addStock()
      fake.changeWarehouse(account, north.id, changing)
      const pages: Parameters<typeof collectStock>[0] = []
      await collectStock(pages)
      assert.equal(pages.flatMap(({ items }) => items).length, 2)
      assert.equal(made(`stocks/${north.id}`).length, 0)
    }
  })

  test('that WB refuses do not hide the others', async () => {
    addStock()
    fake.failNext(9, { status: 404 }, `stocks/${north.id}`)
    const pages: Parameters<typeof collectStock>[0] = []
    const failure = await failureOf(collectStock(pages))
    assert.deepEqual([failure.kind, failure.status], ['rejected', 404])
    assert.equal(pages.flatMap(({ items }) => items).length, 2)
    assert.equal(made(`stocks/${north.id}`).length, 1)
  })
})

test('an unpaid service is unreachable and says so', async () => {
  fake.failNext(1, { status: 402, body: { title: 'payment required', detail: 'no' } })
  const failure = await failureOf(connect().access())
  assert.deepEqual([failure.kind, failure.status], ['unreachable', 402])
  assert.match(failure.message, /пополните баланс/)
})

test('an order is cancelled if the carrier missed the buyer', async () => {
  const id = fake.addOrder(account, {
    status: { supplier: 'complete', buyer: 'canceled_by_missed_call' },
  })
  const [status] = await itemsOf(connect().statuses([id]))
  assert.equal(status?.reading.status, 'CANCELLED')
})

test('an order without a customs declaration costs only its own sticker, and one refused call', async () => {
  const { shipping, ids } = await filled(30)
  const [first = '', second = ''] = [ids[3], ids[28]]
  for (const id of [first, second]) fake.requireDeclaration(account, id)
  fake.sendPlainPictures(account)
  const stickers = await shipping.stickers(ids)
  assert.deepEqual([made('/orders/stickers').length, made('/orders/meta').length], [2, 1])
  assert.deepEqual(
    stickers.map(({ externalId }) => externalId).toSorted(),
    ids.filter((id) => id !== first && id !== second),
  )
  assert.match(String(stickers[0]?.bytes), /^<svg/)
  const failure = await failureOf(shipping.stickers([first, second]))
  assert.match(failure.message, /без номера таможенной декларации/)
})

test('where no marks say which order is undeclared, few calls find it', async () => {
  const { shipping, ids } = await filled(30)
  fake.requireDeclaration(account, ids[7] ?? '')
  fake.failNext(1, { status: 200, body: { orders: [] } }, '/orders/meta')
  assert.equal((await shipping.stickers(ids)).length, 29)
  assert.ok(made('/orders/stickers').length <= 12)
})

test('a sticker without a customs declaration is refused and says so', async () => {
  fake.failNext(1, refused('CustomsDeclarationIsRequired'), '/orders/stickers')
  const failure = await failureOf(connect().shipping.stickers(ordersOf(1)))
  assert.match(failure.message, /номера таможенной декларации/)
})

test('an order in no supply has no sticker, and the failure says what to do first', async () => {
  const { shipping, ids } = await filled()
  const [fresh = ''] = ordersOf(1)
  fake.failNext(2, { status: 200, body: { stickers: [] } }, '/orders/stickers')
  const failure = await failureOf(shipping.stickers([fresh]))
  assert.equal(failure.kind, 'rejected')
  assert.match(failure.message, new RegExp(`${fresh}: сначала добавьте его в отгрузку`))
  assert.deepEqual(await shipping.stickers(ids), [])
})

test('a supply has a barcode only after the hand-over, and the failure says so', async () => {
  const { shipping, id } = await filled()
  assert.match((await failureOf(shipping.pass(id))).message, /сначала закройте отгрузку/)
  assert.match((await failureOf(shipping.pass('WB-GI-404'))).message, /больше нет/)
  await shipping.handOver(id)
  fake.failNext(1, refused('Broken'), '/barcode')
  assert.equal((await failureOf(shipping.pass(id))).code, 'Broken')
})

suite('a hand-over whose response was lost', () => {
  const lost = { status: 504, done: true } as const

  test('has an unknown outcome, whatever is refused later', async () => {
    const keyRefused = async (id: string) => {
      const { shipping } = connect()
      const failure = await failureOf(shipping.handOver(id))
      assert.deepEqual([failure.kind, failure.outcomeUnknown], ['credentials', true])
      assert.notEqual(supplyOf(id)?.closedAt, undefined)
    }
    const atOnce = await filled()
    fake.failNext(1, lost, '/deliver')
    fake.failNext(1, { status: 401 }, '/deliver')
    await keyRefused(atOnce.id)
    const atLook = await filled()
    fake.failNext(1, lost, '/deliver')
    fake.failNext(1, refused('SupplyAlreadyClosed'), '/deliver')
    fake.failNext(1, { status: 401 }, atLook.id)
    await keyRefused(atLook.id)
    const atWork = await filled()
    fake.failNext(1, lost, '/deliver')
    fake.failNext(1, refused('SupplyIsProcessing'), '/deliver')
    fake.failNext(1, { status: 401 }, '/deliver')
    await keyRefused(atWork.id)
  })

  test('succeeds if WB refuses it as done already', async () => {
    const { shipping, id } = await filled()
    fake.failNext(1, lost, '/deliver')
    await shipping.handOver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })
})

test('a supply that needs cargo places is refused and says so', async () => {
  const { shipping, id } = await filled()
  fake.failNext(1, refused('FulfillmentSupplyBoxesRequired'), '/deliver')
  const failure = await failureOf(shipping.handOver(id))
  assert.equal(failure.kind, 'rejected')
  assert.match(failure.message, /без грузомест: добавьте их в отгрузку/)
})

suite('a supply that a carrier brings', () => {
  const carried = { pointId: 100, type: 'transportCompany', date: undefined }

  test('and that WB wants a waybill of says what to do in the cabinet, and is handed over after it', async () => {
    const { shipping, id } = await filled()
    fake.requireWaybill(account)
    await shipping.destinations?.send(id, carried)
    const failure = await failureOf(shipping.handOver(id))
    assert.deepEqual([failure.kind, failure.outcomeUnknown], ['rejected', false])
    assert.match(
      failure.message,
      /\(ЭТрН\): оформите её .* в кабинете WB и закройте отгрузку ещё раз/,
    )
    assert.deepEqual(made('waybill'), [])
    fake.setWaybill(account, id)
    await shipping.handOver(id)
    assert.notEqual(supplyOf(id)?.closedAt, undefined)
  })

  test('is refused in the same words wherever WB speaks of the waybill', async () => {
    const { shipping, id } = await filled()
    for (const body of [
      { code: 'WaybillUUIDConflict', message: 'Waybill UUID is already used' },
      { code: 'Conflict', message: 'Оформите транспортную накладную' },
      { title: 'Conflict', detail: 'way bill is required' },
    ]) {
      fake.failNext(1, { status: 409, body }, 'shipping-method')
      const sent = await failureOf(shipping.destinations?.send(id, carried) ?? Promise.resolve())
      assert.match(sent.message, /ЭТрН/)
    }
    const results = [{ supplyId: id, error: { code: 409, detail: 'WaybillUUIDIsProcessing' } }]
    fake.failNext(1, { status: 200, body: { results } }, 'shipping-method')
    const one = await failureOf(shipping.destinations?.send(id, carried) ?? Promise.resolve())
    assert.match(one.message, /ЭТрН/)
  })
})
