import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/kernel/ids.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { accountUser } from '../support/account.ts'
import { newSandbox, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { at, makeClient, newOrder, noon, stockUp } from '../support/warehouse.ts'

/** What waits in the warehouse, as GET /today shows it: every section, over all clients, bounded. */

const service = await startService()
const { db } = service
const manager = await staffClient(service, 'manager')
const worker = await staffClient(service, 'worker')
const minuteMs = 60_000

interface Section<Item> {
  readonly total: number
  readonly units: number
  readonly items: readonly Item[]
  /** Of the returns. */
  readonly batches?: readonly Item[]
}
type Fields = Readonly<Record<string, unknown>> & { readonly client_id: string }

async function today(by = manager) {
  const answer = await by.get('/today')
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Readonly<Record<string, Section<Fields>>>
}

/** The items of a section that are of one client. */
async function waiting(section: string, client: string, by = manager) {
  const { items = [] } = (await today(by))[section] ?? {}
  return items.filter(({ client_id }) => client_id === client)
}

async function made<T = { id: string }>(
  answer: Promise<{ status: number; body: unknown; text: string }>,
): Promise<T> {
  const { status, body, text } = await answer
  assert.equal(status, 201, text)
  return body as T
}

test('requests of sellers wait for managers, the oldest first, and workers do not see them', async () => {
  const { id: client } = await makeClient(db, [])
  const issued = await made<{ key: string }>(
    manager.post(`/clients/${client}/keys`, { name: 'x', receipts_enabled: true }),
  )
  const seller = openClient(service.baseUrl, issued.key)
  const item = { barcode: 'T-1', name: 'Товар', qty: 3, honest_mark: false }
  const first = await made(seller.post('/v1/receipts', { items: [item] }))
  const second = await made(
    seller.post('/v1/receipts', { items: [item], planned_date: '2027-01-15' }),
  )
  const requests = await waiting('receipts', client)
  assert.deepEqual(
    requests.map(({ receipt_id, expected_qty, planned_date }) => [
      receipt_id,
      expected_qty,
      planned_date,
    ]),
    [
      [first.id, 3, null],
      [second.id, 3, '2027-01-15T00:00:00.000+03:00'],
    ],
  )
  const walkIn = await made(worker.post('/receipts/walk-in', { client_id: client }))
  assert.deepEqual(
    (await waiting('receipts', client)).map(({ receipt_id, waits_for }) => [receipt_id, waits_for]),
    [
      [first.id, 'confirmation'],
      [second.id, 'confirmation'],
      [walkIn.id, 'approval'],
    ],
  )
  assert.equal((await manager.post(`/receipts/${walkIn.id}/approve`)).status, 200)
  assert.equal((await manager.post(`/receipts/${first.id}/confirm`)).status, 200)
  assert.deepEqual(
    (await waiting('receipts', client)).map(({ receipt_id }) => receipt_id),
    [second.id],
  )
  assert.equal((await today(worker)).receipts, undefined)
})

test('open shipments come by minutes left, and goods that orders lack with how many', async () => {
  const { id: client, cabinets } = await makeClient(db, ['OZON'])
  const [cabinet = ''] = cabinets
  await stockUp(db, client, { 'T-1': 5, 'T-2': 5 })
  await manager.patch(`/cabinets/${cabinet}`, { deadline_hours: 24 })
  const times = [noon, noon + minuteMs, noon + 2 * minuteMs]
  const drafts = [
    ...Array.from({ length: 7 }, (_, n) => newOrder(`A${n}`, 'T-1', times[n % 3])),
    newOrder('B0', 'T-2', noon),
    { ...newOrder('C0', 'T-9', noon), lines: [{ quantity: 2 }] },
  ]
  await at(db, noon, (work) => takeInOrders(work, client, cabinet, drafts))
  assert.deepEqual(
    (await waiting('uncovered', client)).map(
      ({ barcode, ordered, free, missing, orders_count }) => [
        barcode,
        ordered,
        free,
        missing,
        orders_count,
      ],
    ),
    [
      ['T-1', 7, 5, 2, 7],
      [undefined, 2, 0, 2, 1],
    ],
  )
  assert.deepEqual(await waiting('shipments', client), [])
  const toPick = async () =>
    (await waiting('to_pick', client)).map(({ cabinet_id, orders_count, units, deadline }) => [
      cabinet_id,
      orders_count,
      units,
      Date.parse(String(deadline)),
    ])
  assert.deepEqual(await toPick(), [[cabinet, 9, 10, noon + 24 * 60 * minuteMs]])

  const orders = (await manager.get(`/orders?client_id=${client}&limit=50`)).body as {
    items: { id: string; external_id: string; deadline: string }[]
  }
  const order = (number: string) => orders.items.find((each) => each.external_id === number)
  const open = (number: string) =>
    made(
      manager.post('/shipments', {
        cabinet_id: cabinet,
        external_id: `S-${number}`,
        order_ids: [order(number)?.id],
      }),
    )
  const later = await open('A2')
  const sooner = await open('A0')
  assert.deepEqual(await toPick(), [[cabinet, 7, 8, noon + 24 * 60 * minuteMs]])
  const before = Date.now()
  const shipments = await waiting('shipments', client)
  const after = Date.now()
  assert.deepEqual(
    shipments.map(({ shipment_id, orders_count, packed_count }) => [
      shipment_id,
      orders_count,
      packed_count,
    ]),
    [
      [sooner.id, 1, 0],
      [later.id, 1, 0],
    ],
  )
  const deadline = Date.parse(String(shipments[0]?.deadline))
  assert.equal(deadline, noon + 24 * 60 * minuteMs)
  const left = Number(shipments[0]?.minutes_left)
  const minutesAt = (now: number) => Math.floor((deadline - now) / minuteMs)
  assert.ok(left <= minutesAt(before) && left >= minutesAt(after))
  // Two units are reserved now, for orders that no longer wait.
  const [goods] = await waiting('uncovered', client)
  assert.deepEqual([goods?.ordered, goods?.free, goods?.missing], [5, 3, 2])
})

// Guarantee (account): The account and the console name the same goods that orders lack.
test('the manager and the seller see the same goods that orders lack, and why', async () => {
  const { id: client, cabinets } = await makeClient(db, ['OZON'])
  const [cabinet = ''] = cabinets
  await stockUp(db, client, { 'T-1': 5 })
  const numbers = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6']
  const drafts = [
    ...numbers.map((number) => newOrder(number, 'T-1', noon)),
    { ...newOrder('C0', 'T-9', noon), lines: [{ quantity: 2 }] },
    newOrder('D0', 'T-7', noon),
  ]
  await at(db, noon, (work) => takeInOrders(work, client, cabinet, drafts))
  const seller = await accountUser(service, { [client]: 'viewer' })
  type Sections = Readonly<Record<'uncovered', Section<Fields>>>
  const shown = async () => {
    const ofManager = good<Sections>(await manager.get(`/today?client_id=${client}`)).uncovered
    const ofSeller = good<Sections>(await seller.get('/attention')).uncovered
    const { total, units, items } = ofManager
    assert.deepEqual([ofSeller.total, ofSeller.units, ofSeller.items], [total, units, items])
    return items.map(({ barcode, missing, reason }) => [barcode, missing, reason])
  }
  const unnamed = [undefined, 2, 'маркетплейс не назвал штрихкод']
  const unknown = ['T-7', 1, 'склад не знает такого товара']
  const others = [unnamed, unknown]
  assert.deepEqual(sorted(await shown()), sorted([...others, ['T-1', 2, 'на складе 5']]))
  const { items } = good<{ items: { id: string; external_id: string }[] }>(
    await manager.get(`/orders?client_id=${client}&limit=50`),
  )
  const order_ids = items.filter(({ external_id: number }) => number === 'A0').map(({ id }) => id)
  const draft = { cabinet_id: cabinet, external_id: 'S-A0', order_ids }
  await made(manager.post('/shipments', draft))
  const reserved = 'на складе 5, из них отложено для других заказов 1'
  assert.deepEqual(sorted(await shown()), sorted([...others, ['T-1', 2, reserved]]))
})

const sorted = (rows: readonly (readonly unknown[])[]) => rows.map(String).sort()

test('open shipments without a deadline come after all others, the oldest first', async () => {
  const { id: client, cabinets } = await makeClient(db, ['OZON', 'WB'])
  await stockUp(db, client, { 'T-1': 10 })
  const [dated = '', undated = ''] = cabinets
  await manager.patch(`/cabinets/${dated}`, { deadline_hours: 24 })
  const drafts = (names: string, number: string) =>
    [...names].map((name, n) => newOrder(`${name}${number}`, 'T-1', noon + n * minuteMs))
  await at(db, noon, async (work) => {
    await takeInOrders(work, client, dated, [...drafts('ABC', '1'), ...drafts('CBA', '2')])
    await takeInOrders(work, client, undated, drafts('DE', '1'))
  })
  const { items } = (await manager.get(`/orders?client_id=${client}&limit=50`)).body as {
    items: { id: string; external_id: string; cabinet_id: string }[]
  }
  const open = (cabinet: string, name: string) => {
    const order_ids = items
      .filter(({ external_id }) => external_id.startsWith(name))
      .map(({ id }) => id)
    return made(manager.post('/shipments', { cabinet_id: cabinet, external_id: name, order_ids }))
  }
  for (const name of 'ED') await open(undated, name)
  for (const name of 'BCA') await open(dated, name)
  const shown = (await waiting('shipments', client)).map(({ external_id, deadline }) => [
    external_id,
    deadline === null,
  ])
  assert.deepEqual(shown.slice(0, 2).toSorted(), [
    ['A', false],
    ['C', false],
  ])
  assert.deepEqual(shown.slice(2), [
    ['B', false],
    ['E', true],
    ['D', true],
  ])
})

test('goods in question come by the age of their oldest unit', async () => {
  const { id: client } = await makeClient(db, [])
  await stockUp(db, client, { 'T-1': 5, 'T-2': 5 })
  const doubt = (barcode: string, qty: number) =>
    manager.post(`/clients/${client}/in-question`, { barcode, qty, reason: 'COUNT' })
  assert.equal((await doubt('T-2', 2)).status, 201)
  assert.equal((await doubt('T-1', 1)).status, 201)
  const items = await waiting('in_question', client)
  assert.deepEqual(
    items.map(({ barcode, units }) => [barcode, units]),
    [
      ['T-2', 2],
      ['T-1', 1],
    ],
  )
  assert.ok(String(items[0]?.since) <= String(items[1]?.since))
})

test('goods are in question since their oldest scan that was not undone', async () => {
  const { id: client } = await makeClient(db, [])
  await stockUp(db, client, { 'T-9': 4 })
  const doubt = { barcode: 'T-9', qty: 2, reason: 'COUNT' }
  assert.equal((await manager.post(`/clients/${client}/in-question`, doubt)).status, 201)
  const [before] = await waiting('in_question', client)
  const { id } = await made(worker.post('/receipts/walk-in', { client_id: client }))
  const scan = { scan_id: 'wrong', barcode: 'T-9', qty: 5 }
  assert.equal((await worker.post(`/receipts/${id}/scans`, scan)).status, 200)
  assert.equal((await worker.post(`/receipts/${id}/scans/wrong/undo`)).status, 200)
  assert.deepEqual(await waiting('in_question', client), [before])
})

test('returns to fetch, disabled webhooks and nothing of sandboxes are shown', async () => {
  const { id: client, cabinets } = await makeClient(db, ['OZON'])
  for (const [state, number, disposal] of [
    ['READY', '1', '2026-12-01T00:00:00Z'],
    ['READY', '2', null],
    ['ON_THE_WAY', '3', null],
    ['RECEIVED', '4', null],
  ] as const) {
    await db`
      insert into expected_returns (client_id, id, cabinet_id, external_id, kind, state, units,
        place_name, disposal_at, created_at, synced_at)
      values (${client}, ${newId()}, ${cabinets[0] ?? ''}, ${number}, 'REFUSAL', ${state}, 2,
        'ПВЗ 7', ${disposal}, now(), now())`
  }
  const batches = async () => {
    const { returns } = (await manager.get('/today')).body as { returns: { open_batches: number } }
    return returns.open_batches
  }
  const opened = await batches()
  await made(worker.post('/returns', { client_id: client }))
  assert.equal(await batches(), opened + 1)
  const [place, ...others] = await waiting('returns', client)
  assert.deepEqual(others, [])
  assert.deepEqual([place?.place_name, place?.units], ['ПВЗ 7', 4])
  assert.equal(place?.disposal_at, '2026-12-01T03:00:00.000+03:00')

  const webhook = newId()
  await db`
    insert into webhook_subscriptions
      (client_id, id, url, events, secret, created_at, disabled_at, disabled_reason)
    values (${client}, ${webhook}, 'https://example.com/', '{receipt.created}', '\\x00', now(), now(), 'Причина')`
  assert.deepEqual(
    (await waiting('webhooks', client)).map(({ webhook_id, disabled_reason }) => [
      webhook_id,
      disabled_reason,
    ]),
    [[webhook, 'Причина']],
  )

  const sandbox = await newSandbox(service)
  const me = (await sandbox.get('/v1/me')).body as { client: { id: string } }
  for (const [name, { items }] of Object.entries(await today())) {
    assert.ok(
      items.every((item) => item.client_id !== me.client.id),
      name,
    )
  }
})

test('a worker sees what to receive, to collect, to take back and to count, and who has begun', async () => {
  const { id: client, cabinets } = await makeClient(db, ['WB'])
  await stockUp(db, client, { 'T-7': 5 })
  const draft = { items: [{ barcode: 'T-7', name: 'T-7', qty: 4 }], planned_date: '2026-11-21' }
  const later = { ...draft, planned_date: '2026-11-25' }
  const expected = await made(manager.post(`/clients/${client}/receipts`, later))
  const sooner = await made(manager.post(`/clients/${client}/receipts`, draft))
  const begun = await made(worker.post('/receipts/walk-in', { client_id: client }))
  const scan = { scan_id: '1', barcode: 'T-7', qty: 2 }
  assert.equal((await worker.post(`/receipts/${begun.id}/scans`, scan)).status, 200)
  const receiving = await waiting('receiving', client, worker)
  assert.deepEqual(
    receiving.map(({ receipt_id, status, expected_qty, accepted_qty }) => [
      ...[receipt_id, status, expected_qty, accepted_qty],
    ]),
    [
      [begun.id, 'RECEIVING', 0, 2],
      [sooner.id, 'EXPECTED', 4, 0],
      [expected.id, 'EXPECTED', 4, 0],
    ],
  )

  const opened = await made<{ picking_task_id: string }>(
    worker.post('/shipments', { cabinet_id: cabinets[0], external_id: 'T-claimed' }),
  )
  const task = opened.picking_task_id
  const shipment = async () => (await waiting('shipments', client, worker))[0]
  assert.deepEqual(
    [(await shipment())?.picking_task_id, (await shipment())?.claimed_by],
    [task, null],
  )
  assert.equal((await worker.post(`/picking-tasks/${task}/claim`)).status, 200)
  assert.equal((await shipment())?.claimed_by, worker.login)

  const batch = await made(worker.post('/returns', { client_id: client }))
  const { returns, receipts, exceptions } = await today(worker)
  assert.deepEqual(
    returns?.batches?.flatMap(({ return_id, client_id, expected_qty, came_qty }) =>
      client_id === client ? [[return_id, expected_qty, came_qty]] : [],
    ),
    [[batch.id, 0, 0]],
  )
  assert.deepEqual([receipts, exceptions], [undefined, undefined], 'managers decide')
})

test('a section shows fifty at most, and counts all', async () => {
  const { id: client } = await makeClient(db, [])
  const goods = Array.from({ length: 60 }, (_, n) => `T-${n}`)
  await stockUp(db, client, Object.fromEntries(goods.map((barcode) => [barcode, 1])))
  for (const barcode of goods) {
    const draft = { barcode, qty: 1, reason: 'COUNT' }
    await manager.post(`/clients/${client}/in-question`, draft)
  }
  const { in_question: section } = await today()
  assert.equal(section?.items.length, 50)
  assert.ok((section?.total ?? 0) >= 60 && (section?.units ?? 0) >= section?.total)
})

test('who works in one warehouse sees what waits there', async () => {
  const administrator = await staffClient(service, 'administrator')
  await made(administrator.post('/warehouses', { code: 'SPB1', name: 'Петербург' }))
  const draft = { name: 'ООО «Север»', warehouse_code: 'SPB1' }
  const north = await made(manager.post('/clients', draft))
  const { id: elsewhere } = await makeClient(db, [])
  for (const client of [north.id, elsewhere]) {
    await stockUp(db, client, { 'T-1': 1 })
    const doubt = { barcode: 'T-1', qty: 1, reason: 'COUNT' }
    assert.equal((await manager.post(`/clients/${client}/in-question`, doubt)).status, 201)
    await made(worker.post('/receipts/walk-in', { client_id: client }))
  }
  const northern = await staffClient(service, 'manager')
  const path = `/users/${northern.userId}/warehouses`
  assert.equal((await administrator.put(path, { warehouse_codes: ['SPB1'] })).status, 200)
  for (const section of ['in_question', 'receipts']) {
    const { items = [], total } = (await today(northern))[section] ?? {}
    assert.deepEqual([items.map(({ client_id }) => client_id), total], [[north.id], 1], section)
  }
})

test('counts wait from their start until they end, those under review first', async () => {
  const { id: client } = await makeClient(db, [])
  await stockUp(db, client, { 'T-1': 1, 'T-2': 1 })
  const begin = async (barcode: string) => {
    const { id } = await made(
      manager.post('/counts', { client_id: client, scope: { barcodes: [barcode] } }),
    )
    assert.equal((await manager.post(`/counts/${id}/start`)).status, 200)
    return id
  }
  const [first, second] = [await begin('T-1'), await begin('T-2')]
  const shown = async () =>
    (await waiting('counts', client)).map(({ count_id, status }) => [count_id, status])
  assert.deepEqual(await shown(), [
    [first, 'COUNTING'],
    [second, 'COUNTING'],
  ])
  assert.equal((await manager.post(`/counts/${second}/review`)).status, 200)
  assert.deepEqual(await shown(), [
    [second, 'REVIEW'],
    [first, 'COUNTING'],
  ])
  assert.equal((await manager.post(`/counts/${first}/cancel`)).status, 200)
  assert.deepEqual(await shown(), [[second, 'REVIEW']])
})

interface FlowPart {
  readonly stage: string
  readonly marketplace: string
  readonly orders_count: number
  readonly units: number
}

// Guarantee (picking): The first page counts each order that must leave once, at its stage.
test('an order is counted at the stage of its way where it is', async () => {
  const read = async () => {
    const { flow } = (await manager.get('/today')).body as { flow: { items: FlowPart[] } }
    return new Map(
      flow.items
        .filter(({ marketplace }) => marketplace === 'WB')
        .map(({ stage, orders_count, units }) => [stage, [orders_count, units] as const]),
    )
  }
  const before = await read()
  const listed = async (stage: string) => {
    const { items, total } = good<{ items: { id: string }[]; total: number }>(
      await manager.get(`/orders?stage=${stage}&marketplace=WB&limit=1000`),
    )
    assert.equal(items.length, total, stage)
    return total
  }
  const more = async () => {
    const now = await read()
    for (const stage of ['to_pick', 'picking', 'checking', 'ready', 'handed_over', 'accepted']) {
      assert.equal(await listed(stage), now.get(stage)?.[0] ?? 0, `the list shows ${stage}`)
    }
    return [...now].flatMap(([stage, [orders, units]]) => {
      const [hadOrders, hadUnits] = before.get(stage) ?? [0, 0]
      const added = [orders - hadOrders, units - hadUnits]
      return added[0] === 0 ? [] : [[stage, ...added]]
    })
  }
  const floor = await openFloor(service, { A: 9 })
  const orders = await floor.orders({ F1: 'A', F2: 'A', F3: 'A' })
  assert.deepEqual(await more(), [['to_pick', 3, 3]])
  const shipment = await floor.filled(orders.slice(0, 2))
  assert.deepEqual(await more(), [
    ['to_pick', 1, 1],
    ['picking', 2, 2],
  ])
  for (const { id } of orders.slice(0, 2)) {
    const pick = { scan_id: id, order_id: id, barcode: 'A' }
    good(await floor.pick(shipment.picking_task_id, pick))
  }
  assert.deepEqual(await more(), [
    ['to_pick', 1, 1],
    ['ready', 2, 2],
  ])
  const check = { scan_id: 'check', order_id: orders[0]?.id, code: 'A' }
  good(await floor.worker.post(`/shipments/${shipment.id}/checks`, check))
  assert.deepEqual(await more(), [
    ['to_pick', 1, 1],
    ['checking', 1, 1],
    ['ready', 1, 1],
  ])
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  assert.deepEqual(await more(), [
    ['to_pick', 1, 1],
    ['handed_over', 2, 2],
  ])
  good(await floor.manager.post(`/shipments/${shipment.id}/accept`))
  assert.deepEqual(await more(), [
    ['to_pick', 1, 1],
    ['accepted', 2, 2],
  ])
})

test('the way of the orders is broken down by client and by warehouse', async () => {
  const floor = await openFloor(service, { A: 9 })
  const orders = await floor.orders({ G1: 'A', G2: 'A', G3: 'A' })
  await floor.filled(orders.slice(0, 2))
  interface Grouped {
    readonly items: readonly { stage: string; group: string; orders_count: number }[]
  }
  const by = async (group: string) =>
    good<Grouped>(await manager.get(`/today/flow?by=${group}`)).items
  const mine = (await by('client')).filter(({ group }) => group === floor.client)
  assert.deepEqual(
    mine.map(({ stage, orders_count }) => [stage, orders_count]),
    [
      ['to_pick', 1],
      ['picking', 2],
    ],
  )
  const waits = (await by('warehouse')).filter(({ stage }) => stage === 'to_pick')
  assert.ok(waits.length > 0)
  for (const { group, orders_count } of waits) {
    const path = `/orders?stage=to_pick&warehouse_code=${group}`
    const { total } = good<{ total: number }>(await manager.get(path))
    assert.equal(total, orders_count, group)
  }
  const { flow } = good<{ flow: { items: readonly FlowPart[] } }>(await manager.get('/today'))
  assert.deepEqual(
    (await by('marketplace'))
      .map((part) => `${part.stage} ${part.group} ${part.orders_count}`)
      .sort(),
    flow.items.map((part) => `${part.stage} ${part.marketplace} ${part.orders_count}`).sort(),
  )
})

test('counters of the menu are the totals of these sections, of one client or warehouse too', async () => {
  const { id: client } = await makeClient(db, ['WB'])
  const items = [{ barcode: 'T-1', name: 'Товар', qty: 1 }]
  await made(manager.post(`/clients/${client}/receipts`, { items }))
  await made(worker.post('/receipts/walk-in', { client_id: client }))
  await made(worker.post('/returns', { client_id: client }))
  const countersOf = async (by: typeof manager, scope = '') =>
    good<Record<string, number>>(await by.get(`/counters${scope}`))
  const waits = { receiving: 2, shipments: 0, returns: 1, counts: 0 }
  const decided = { receipts: 1, exceptions: 0, misses: 0, cabinets: 0, key_requests: 0 }
  assert.deepEqual(await countersOf(worker, `?client_id=${client}`), waits)
  assert.deepEqual(await countersOf(manager, `?client_id=${client}`), { ...waits, ...decided })
  for (const scope of ['', `?client_id=${client}`, '?client_id=nobody', '?warehouse_code=NONE']) {
    const { returns, ...sections } = good<Record<string, Section<Fields>>>(
      await manager.get(`/today${scope}`),
    )
    for (const [name, counted] of Object.entries(await countersOf(manager, scope))) {
      const total = name === 'returns' ? returns?.['open_batches' as never] : sections[name]?.total
      assert.equal(counted, total, `${name} ${scope}`)
    }
  }
  const ofNobody = good<Record<string, Section<Fields>>>(await manager.get('/today?client_id=x'))
  assert.equal(ofNobody.receiving?.total, 0)
  const { warehouse_code: code } = good<{ warehouse_code: string }>(
    await manager.get(`/clients/${client}`),
  )
  const elsewhere = await staffClient(service, 'worker')
  const other = { code: 'COUNTERS', name: 'Другой склад' }
  const admin = await staffClient(service, 'administrator')
  good(await admin.post('/warehouses', other), 201)
  const own = { warehouse_codes: [other.code] }
  good(await admin.put(`/users/${elsewhere.userId}/warehouses`, own))
  assert.equal((await countersOf(elsewhere)).receiving, 0)
  assert.equal((await elsewhere.get(`/counters?warehouse_code=${code}`)).status, 403)
})
