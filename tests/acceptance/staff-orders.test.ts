import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import type { StaffOrder, StaffOrderWithHistory } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { type Answer, assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good, nobody, openFloor } from '../support/shipping.ts'
import { staffCalls, staffClient } from '../support/staff.ts'
import { at, newOrder, noon } from '../support/warehouse.ts'

const service = await sharedService()
const { db } = service
const floor = await openFloor(service, { A: 10, B: 10 }, ['WB', 'OZON'])
const { client, manager, worker, cabinets } = floor
const [wb = '', ozon = ''] = cabinets
const other = await openFloor(service, { A: 10 })

const unmarked = { required_marks: [], optional_marks: [] }

interface Intake {
  readonly added: number
  readonly changed: number
  readonly items: readonly StaffOrder[]
}
const post = (drafts: unknown, of = client) => manager.post(`/clients/${of}/orders`, drafts)
const intakeOf = (answer: Answer, status: number) => good<Intake>(answer, status)
const withHistory = async (id: string) =>
  good<StaffOrderWithHistory>(await worker.get(`/orders/${id}`))
const journalOf = (object: string) =>
  db<{ action: string }[]>`
    select action from staff_journal where object_id = ${object} order by id desc`

test('orders are taken in with all their fields and answered in the order of the request', async () => {
  const drafts = [
    { cabinet_id: ozon, external_id: '100-1', barcode: 'A', nm_id: 7 },
    {
      cabinet_id: wb,
      external_id: '100-1',
      barcode: 'B',
      article: 'b/1',
      nm_id: 7,
      is_b2b: true,
      created_at: '2026-11-01T10:00:00Z',
      marketplace_status: { supplier: 'confirm', buyer: 'waiting' },
    },
    {
      cabinet_id: ozon,
      external_id: '100-2',
      marketplace_status: { supplier: 'delivering' },
      lines: [
        { barcode: 'A', qty: 2 },
        { barcode: 'B', article: 'b/1', qty: 1 },
      ],
    },
  ]
  const { added, changed, items } = intakeOf(await post(drafts), 201)
  assert.deepEqual([added, changed], [3, 0])
  const [unreported, full, several] = items
  assert.ok(unreported && full && several)
  assert.equal(unreported.status, 'NEW')
  assert.deepEqual(unreported.marketplace_status, {})
  assert.deepEqual(
    [unreported.synced_at, unreported.nm_id, unreported.is_b2b],
    [null, undefined, false],
  )
  assert.equal(full.status, 'ASSEMBLING')
  assert.equal(full.created_at, '2026-11-01T13:00:00.000+03:00')
  assert.deepEqual([full.nm_id, full.article, full.is_b2b], [7, 'b/1', true])
  assert.deepEqual([full.client_id, full.cabinet_id], [client, wb])
  assert.equal(several.status, 'IN_DELIVERY')
  assert.equal(several.barcode, 'A')
  assert.deepEqual(several.lines, [
    { barcode: 'A', qty: 2, picked: 0, ...unmarked },
    { barcode: 'B', article: 'b/1', qty: 1, picked: 0, ...unmarked },
  ])
  const { history, reshipments, ...alone } = await withHistory(several.id)
  assert.deepEqual(reshipments, [])
  const lines = several.lines.map((line) => ({ ...line, name: `Товар ${line.barcode}` }))
  assert.deepEqual(alone, { ...several, lines })
  assert.deepEqual(
    history.map(({ at: _, ...entry }) => entry),
    [{ status: 'IN_DELIVERY', marketplace_status: { supplier: 'delivering' } }],
  )
})

test('orders of one moment are picked in the order in which they came', async () => {
  const numbers = Array.from({ length: 10 }, (_, n) => `T${9 - n}`)
  const drafts = numbers.map((external_id) => ({ cabinet_id: wb, external_id, barcode: 'A' }))
  const { items } = intakeOf(await post(drafts), 201)
  const shipment = await floor.filled(items)
  const { lines } = await floor.task(shipment)
  assert.deepEqual(
    lines?.map(({ order_external_id }) => order_external_id),
    numbers,
  )
})

test('a known order is not doubled: only its status changes', async () => {
  const draft = { cabinet_id: wb, external_id: 'K1', barcode: 'A' }
  const first = intakeOf(await post([draft]), 201)
  const again = intakeOf(await post([{ ...draft, barcode: 'B' }]), 200)
  assert.deepEqual(again, { added: 0, changed: 0, items: first.items })

  const reported = { ...draft, marketplace_status: { supplier: 'complete', buyer: 'sorted' } }
  const changed = intakeOf(await post([reported, { ...draft, external_id: 'K2' }]), 201)
  assert.deepEqual([changed.added, changed.changed], [1, 1])
  assert.equal(changed.items[0]?.status, 'IN_DELIVERY')
  const entries = await db`select id from staff_journal where client_id = ${client}`
  assert.equal(intakeOf(await post([reported]), 200).changed, 0)
  const later = await db`select id from staff_journal where client_id = ${client}`
  assert.equal(later.length, entries.length, 'a repeat is not journalled')
  // A terminal status stays; the raw pair is shown as reported.
  const sold = { ...draft, marketplace_status: { supplier: 'complete', buyer: 'sold' } }
  assert.equal(intakeOf(await post([sold]), 200).changed, 1)
  const back = { ...draft, marketplace_status: { supplier: 'new', buyer: 'waiting' } }
  const [kept] = intakeOf(await post([back]), 200).items
  assert.deepEqual([kept?.status, kept?.marketplace_status.supplier], ['COMPLETED', 'new'])
})

test('one invalid order refuses the whole request', async () => {
  const fine = { cabinet_id: wb, external_id: 'W1', barcode: 'A' }
  const wrong: readonly (readonly [unknown, string, string])[] = [
    [[fine, fine], 'validation_error', '[1].external_id'],
    [
      [fine, { ...fine, external_id: 'W2', cabinet_id: other.cabinet }],
      'validation_error',
      '[1].cabinet_id',
    ],
    [[fine, { ...fine, cabinet_id: 'x' }], 'validation_error', '[1].cabinet_id'],
    [[fine, { cabinet_id: wb }], 'validation_error', '[1].external_id'],
    [[fine, { ...fine, external_id: 'a\u0000' }], 'validation_error', '[1].external_id'],
    [[{ ...fine, external_id: '\ud800' }], 'validation_error', '[0].external_id'],
    [[{ ...fine, external_id: '' }], 'validation_error', '[0].external_id'],
    [[{ ...fine, external_id: 5 }], 'validation_error', '[0].external_id'],
    [[{ ...fine, nm_id: 1e300 }], 'validation_error', '[0].nm_id'],
    [[{ ...fine, created_at: '2026-02-30' }], 'validation_error', '[0].created_at'],
    [[{ ...fine, created_at: 'вчера' }], 'validation_error', '[0].created_at'],
    [[{ ...fine, lines: [{ qty: 1 }] }], 'validation_error', '[0].lines'],
    [[{ cabinet_id: wb, external_id: 'W1', lines: [] }], 'validation_error', '[0].lines'],
    [
      [{ cabinet_id: wb, external_id: 'W1', lines: [{ qty: 0 }] }],
      'validation_error',
      '[0].lines[0].qty',
    ],
    [
      [{ ...fine, marketplace_status: { supplier: 5 } }],
      'validation_error',
      '[0].marketplace_status.supplier',
    ],
    [[{ ...fine, colour: 'red' }], 'bad_request', 'colour'],
    [[], 'validation_error', 'от 1 до 5000'],
    [fine, 'bad_request', 'массив'],
    ['[', 'bad_request', 'JSON'],
  ]
  for (const [body, code, names] of wrong) assertRefused(await post(body), code, names)
  const many = Array.from({ length: 5001 }, (_, n) => ({ cabinet_id: wb, external_id: `M${n}` }))
  assertRefused(await post(many), 'validation_error', '5000')
  const { body } = await worker.get(`/orders?client_id=${client}&barcode=A`)
  const numbers = (body as { items: StaffOrder[] }).items.map((order) => order.external_id)
  assert.ok(!numbers.includes('W1'))
})

test('workers may read orders, managers may change them, nobody else may do either', async () => {
  const [order] = await floor.orders({ R1: 'A' })
  const path = `/orders/${order?.id}`
  const body = { marketplace_status: { buyer: 'canceled' } }
  assertRefused(await worker.post(`/clients/${client}/orders`, []), 'forbidden')
  assertRefused(await worker.patch(path, body), 'forbidden')
  const stranger = staffCalls(service.baseUrl)
  assertRefused(await stranger.get('/orders'), 'unauthorized')
  assertRefused(await stranger.patch(path, body), 'unauthorized')
  assertRefused(await post([], nobody), 'validation_error')
  assertRefused(await post([{ cabinet_id: wb, external_id: 'N' }], nobody), 'not_found', 'Клиент')
  assertRefused(await post([{ cabinet_id: wb, external_id: 'N' }], 'x'), 'not_found', 'Клиент')
})

test('a manager sets the marketplace status; the half that is left out stays', async () => {
  const [order] = await floor.orders({ P1: 'A' })
  const path = `/orders/${order?.id}`
  const report = async (marketplace_status: unknown) =>
    good<StaffOrder>(await manager.patch(path, { marketplace_status }))
  assert.equal((await report({ supplier: 'confirm' })).status, 'ASSEMBLING')
  const sorted = await report({ supplier: 'complete', buyer: 'sorted' })
  assert.equal(sorted.status, 'IN_DELIVERY')
  const { changed_at: _, ...pair } = sorted.marketplace_status
  assert.deepEqual(pair, { supplier: 'complete', buyer: 'sorted' })
  assert.equal((await journalOf(order?.id ?? '')).length, 2)
  await report({ supplier: 'complete' })
  assert.equal((await journalOf(order?.id ?? '')).length, 2, 'nothing changed')
  assert.equal((await report({ buyer: 'sold' })).status, 'COMPLETED')
  assert.equal((await report({ buyer: 'sorted' })).status, 'COMPLETED')
  assert.equal((await report({ buyer: 'canceled_by_client' })).status, 'CANCELLED')
  assert.equal((await report({ supplier: 'new', buyer: 'waiting' })).status, 'CANCELLED')

  for (const [body, code] of [
    [{}, 'validation_error'],
    [{ marketplace_status: {} }, 'validation_error'],
    [{ marketplace_status: null }, 'validation_error'],
    [{ marketplace_status: { buyer: 'x'.repeat(101) } }, 'validation_error'],
    [{ status: 'NEW' }, 'bad_request'],
    [[], 'bad_request'],
  ] as const) {
    assertRefused(await manager.patch(path, body), code)
  }
  const reported = { marketplace_status: { buyer: 'sold' } }
  for (const id of [nobody, 'x', '%00']) {
    assertRefused(await manager.patch(`/orders/${id}`, reported), 'not_found')
    assertRefused(await worker.get(`/orders/${id}`), 'not_found')
  }
})

test('the list has the orders of all clients, and filters narrow it', async () => {
  const mine = await openFloor(service, { Z: 9 })
  const yours = await openFloor(service, { Z: 9 })
  for (const each of [mine, yours, mine]) {
    const n = Math.random()
    await each.orders({ [`Z1-${n}`]: 'Z', [`Z2-${n}`]: 'Z' })
  }
  const walk = async (filter: string) => {
    const seen: StaffOrder[] = []
    let next: string | null = ''
    let total = 0
    while (next !== null) {
      const page: { items: StaffOrder[]; total: number; next_cursor: string | null } = good(
        await worker.get(`/orders?limit=2&${filter}${next && `&cursor=${next}`}`),
      )
      seen.push(...page.items)
      next = page.next_cursor
      total = page.total
    }
    assert.equal(seen.length, total, filter)
    const keys = seen.map((order) => `${order.created_at} ${order.id}`)
    assert.deepEqual(keys, [...keys].sort().reverse(), filter)
    assert.equal(new Set(keys).size, total, filter)
    return seen
  }
  assert.equal((await walk('barcode=Z')).length, 6)
  assert.equal((await walk(`barcode=Z&client_id=${mine.client}`)).length, 4)
  assert.equal((await walk(`client_id=${yours.client}`)).length, 2)
  assert.equal((await walk(`client_id=${yours.client}&status=NEW&marketplace=WB`)).length, 2)
  assert.equal((await walk(`client_id=${yours.client}&created_to=2020-01-01`)).length, 0)
  const all = await walk('status=NEW')
  assert.ok(all.length >= 6)
  assert.ok(all.every(({ status }) => status === 'NEW'))
  const { id } = await mine.filled((await walk(`client_id=${mine.client}`)).slice(0, 3))
  assert.equal((await walk(`shipment_id=${id}`)).length, 3)
  assert.equal((await walk(`shipment_id=${id}&client_id=${yours.client}`)).length, 0)
  assert.equal((await walk(`cabinet_id=${mine.cabinet}&in_shipment=true`)).length, 3)
  assert.equal((await walk(`cabinet_id=${mine.cabinet}&in_shipment=false`)).length, 1)
  assert.equal((await walk(`client_id=${mine.client}&in_shipment=false`)).length, 1)
  assert.equal((await walk(`cabinet_id=${yours.cabinet}&in_shipment=false`)).length, 2)
  assert.equal((await walk(`cabinet_id=${yours.cabinet}&client_id=${mine.client}`)).length, 0)
  assert.equal((await walk(`cabinet_id=${yours.cabinet}&shipment_id=${id}`)).length, 0)
  for (const filter of [
    'client_id=x',
    `client_id=${nobody}`,
    'shipment_id=',
    'shipment_id=x',
    'cabinet_id=x',
    `cabinet_id=${nobody}`,
  ]) {
    assert.deepEqual(good(await worker.get(`/orders?${filter}`)), {
      items: [],
      total: 0,
      next_cursor: null,
    })
  }
  assertRefused(await worker.get('/orders?status=new'), 'bad_request', 'status')
  assertRefused(await worker.get('/orders?in_shipment=no'), 'bad_request', 'in_shipment')
  assertRefused(await worker.get('/orders?cursor=x'), 'bad_cursor')
})

test('five thousand orders are taken in within seconds', async () => {
  const drafts = Array.from({ length: 5000 }, (_, n) => ({
    cabinet_id: wb,
    external_id: `mass-${n}`,
    barcode: 'A',
    marketplace_status: { supplier: 'new', buyer: 'waiting' },
  }))
  const administrator = await staffClient(service, 'administrator')
  const answer = await administrator.post(`/clients/${client}/orders`, drafts)
  const { added, items } = intakeOf(answer, 201)
  assert.equal(added, 5000)
  assert.deepEqual(
    items.map(({ external_id }) => external_id),
    drafts.map(({ external_id }) => external_id),
  )
})

test('an order without a barcode gets it from a later request, and then keeps it', async () => {
  const draft = { cabinet_id: wb, external_id: 'nameless' }
  const [nameless] = intakeOf(await post([draft]), 201).items
  assert.equal(nameless?.barcode, undefined)
  const reported = { ...draft, barcode: 'A', article: 'a/1' }
  const intake = intakeOf(
    await post([{ ...reported, marketplace_status: { supplier: 'confirm' } }]),
    200,
  )
  assert.equal(intake.changed, 1, 'goods and status of one order')
  const [named] = intake.items
  assert.deepEqual([named?.barcode, named?.article], ['A', 'a/1'])
  assert.deepEqual(named?.lines, [{ barcode: 'A', article: 'a/1', qty: 1, picked: 0, ...unmarked }])
  const [kept] = intakeOf(await post([{ ...draft, barcode: 'B' }]), 200).items
  assert.equal(kept?.barcode, 'A')
})

test('a request that only completes goods counts as a change and is journalled', async () => {
  const draft = { cabinet_id: wb, external_id: 'completed' }
  intakeOf(await post([draft]), 201)
  const entries = () => db<{ after: { changed: number } }[]>`
    select after from staff_journal where client_id = ${client} order by id desc`
  const before = (await entries()).length
  assert.equal(intakeOf(await post([{ ...draft, barcode: 'A' }]), 200).changed, 1)
  assert.equal(intakeOf(await post([{ ...draft, barcode: 'A' }]), 200).changed, 0)
  const [entry, ...rest] = await entries()
  assert.deepEqual([entry?.after.changed, rest.length], [1, before])
})

test('an order with only an article gets the barcode of the one product that has it', async () => {
  for (const [barcode, article] of [
    ['W-1', 'white'],
    ['K-1', 'black'],
    ['K-2', 'black'],
  ]) {
    const product = { name: 'Плед', article }
    assert.ok((await manager.put(`/clients/${client}/products/${barcode}`, product)).status < 300)
  }
  const lines = ['white', 'black', 'red'].map((article) => ({ article, qty: 1 }))
  const draft = { cabinet_id: ozon, external_id: 'by-article', lines }
  const [order] = intakeOf(await post([draft]), 201).items
  assert.deepEqual(
    order?.lines.map(({ barcode }) => barcode),
    ['W-1', undefined, undefined],
  )
  assert.equal(order?.barcode, 'W-1')
  await manager.put(`/clients/${client}/products/R-1`, { name: 'Плед', article: 'red' })
  const again = intakeOf(await post([draft]), 200)
  assert.equal(again.changed, 1)
  assert.equal(again.items[0]?.lines[2]?.barcode, 'R-1')
})

test('an order that spells a GTIN in another way asks for the goods that lie here', async () => {
  const { client: of, cabinets } = await openFloor(service, {
    '4600000000015': 3,
    '4600000000016': 3,
  })
  const lines = ['04600000000015', '4600000000015', '04600000000016'].map((barcode) => ({
    barcode,
    qty: 1,
  }))
  const drafts = [{ cabinet_id: cabinets[0], external_id: '150-1', lines }]
  const [order] = intakeOf(await post(drafts, of), 201).items
  const barcodes = order?.lines.map(({ barcode }) => barcode)
  assert.deepEqual(barcodes, ['4600000000015', '4600000000015', '04600000000016'])
})

test('an order is found by its number in the cabinet', async () => {
  const number = 'by/number 1'
  const drafts = [wb, ozon].map((cabinet_id) => ({ cabinet_id, external_id: number, barcode: 'A' }))
  intakeOf(await post(drafts), 201)
  await other.orders({ [number]: 'A' })
  const find = async (query: string) => {
    const asked = `/orders?external_id=${encodeURIComponent(number)}${query}`
    const page = good<{ items: StaffOrder[]; total: number }>(await worker.get(asked))
    assert.ok(page.items.every(({ external_id }) => external_id === number))
    return [page.items.length, page.total]
  }
  assert.deepEqual(await find(''), [3, 3])
  assert.deepEqual(await find(`&client_id=${client}`), [2, 2])
  assert.deepEqual(await find(`&client_id=${client}&limit=1`), [1, 2])
  assert.deepEqual(await find(`&client_id=${client}&marketplace=OZON&status=NEW`), [1, 1])
  assert.deepEqual(await find(`&client_id=${client}&status=CANCELLED`), [0, 0])
})

test('a single order shows its history, the oldest entry first; lists do not', async () => {
  const [order] = intakeOf(await post([{ cabinet_id: wb, external_id: 'reported' }]), 201).items
  const id = order?.id ?? ''
  await floor.report(id, 'confirm', 'waiting')
  await floor.report(id, 'complete', 'sorted')
  await floor.report(id, 'complete', 'sorted')
  await floor.report(id, 'complete', 'sold')
  await floor.report(id, 'complete', 'canceled_by_client')
  const { history } = await withHistory(id)
  assert.deepEqual(
    history.map(({ status, marketplace_status: { supplier, buyer } }) => [status, supplier, buyer]),
    [
      ['NEW', undefined, undefined],
      ['ASSEMBLING', 'confirm', 'waiting'],
      ['IN_DELIVERY', 'complete', 'sorted'],
      ['COMPLETED', 'complete', 'sold'],
      ['CANCELLED', 'complete', 'canceled_by_client'],
    ],
  )
  const times = history.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
  assert.match(times[0] ?? '', /T.*\+03:00$/)
  const page = good<{ items: StaffOrder[] }>(await worker.get('/orders?external_id=reported'))
  assert.ok(page.items[0] !== undefined && !('history' in page.items[0]))
  const [entry] = await db<{ after: object }[]>`
    select after from staff_journal where object_id = ${id} order by id desc limit 1`
  assert.ok(entry !== undefined && !('history' in entry.after))
})

test('a long history shows its last two hundred entries', async () => {
  const [order] = intakeOf(await post([{ cabinet_id: wb, external_id: 'restless' }]), 201).items
  const id = order?.id ?? ''
  await db`
    insert into order_status_history (client_id, order_id, at, status, supplier_status)
    select ${client}, ${id}, now(), 'OTHER', 's' || n from generate_series(1, 250) n`
  const { history } = await withHistory(id)
  assert.equal(history.length, 200)
  assert.equal(history[0]?.marketplace_status.supplier, 's51')
  assert.equal(history.at(-1)?.marketplace_status.supplier, 's250')
})

test('the rule of a cabinet gives a deadline to orders whose marketplace names none', async () => {
  const {
    client: owner,
    cabinet,
    manager: staff,
    worker: picker,
    ...rest
  } = await openFloor(service, { A: 5 })
  const [before] = await rest.orders({ 'RULE-1': 'A' })
  assert.equal(before?.deadline, null)
  const reported = '2099-11-30T12:00:00.000+03:00'
  await at(db, noon, (work) => {
    const facts = { deadline: Date.parse(reported), cancelReason: 'Нет товара' }
    return takeInOrders(work, owner, cabinet, [{ ...newOrder('RULE-2', 'A'), facts }], true)
  })
  const rule = { deadline_hours: 24 }
  assert.equal(
    good<{ deadline_hours: number }>(await staff.patch(`/cabinets/${cabinet}`, rule))
      .deadline_hours,
    24,
  )
  const [after] = await rest.orders({ 'RULE-3': 'A' })
  const dayAfter = ({ created_at }: StaffOrder) => Date.parse(created_at) + 24 * 3_600_000
  for (const { id } of [before, after].flatMap((order) => order ?? [])) {
    const order = await rest.order(id)
    assert.equal(Date.parse(order.deadline ?? ''), dayAfter(order))
  }
  const list = async (query: string) => {
    const path = `/orders?client_id=${owner}&${query}`
    return good<{ items: StaffOrder[]; total: number }>(await picker.get(path))
  }
  const { items } = await list('external_id=RULE-2')
  assert.deepEqual([items[0]?.deadline, items[0]?.cancel_reason], [reported, 'Нет товара'])

  const urgent = await list(`deadline_to=${encodeURIComponent(reported)}`)
  assert.deepEqual(
    [urgent.items.map(({ external_id }) => external_id), urgent.total],
    [['RULE-3', 'RULE-1'], 2],
  )
  const ids = items.concat(after ?? []).map(({ id }) => id)
  const { id } = await rest.open()
  const shipment = good<StaffShipment>(await rest.add(id, ids))
  const earliest = (await rest.order(after?.id ?? '')).deadline
  assert.equal(shipment.deadline, earliest)
  const task = await rest.task(shipment)
  assert.equal(task.deadline, earliest)
  const deadlines = task.lines?.map(({ deadline }) => deadline)
  assert.deepEqual(deadlines?.toSorted(), [earliest, reported].toSorted())

  good(await staff.patch(`/cabinets/${cabinet}`, { deadline_hours: null }))
  assert.equal((await rest.order(before?.id ?? '')).deadline, null)
  assert.equal((await rest.order(items[0]?.id ?? '')).deadline, reported)
  for (const deadline_hours of [0, 721, 1.5, '24']) {
    assertRefused(await staff.patch(`/cabinets/${cabinet}`, { deadline_hours }), 'validation_error')
  }
})

// Guarantee (orders): A list of staff has the order that was asked for, and its cursor keeps it.
test('orders are listed by each column that managers sort by, page by page', async () => {
  const sorted = await openFloor(service, { A: 1 }, ['WB'])
  const [cabinet_id = ''] = sorted.cabinets
  const drafts = ['1', '2', '3', '4'].map((n) => ({
    cabinet_id,
    external_id: `in-order-${n}`,
    barcode: 'A',
  }))
  const { items: made } = good<Intake>(
    await manager.post(`/clients/${sorted.client}/orders`, drafts),
    201,
  )
  const deadlines = ['2099-03-01', '2099-01-01', null, '2099-02-01']
  for (const [n, { id }] of made.entries()) {
    await db`
      update orders set deadline_at = ${deadlines[n] ?? null}, created_at = created_at + ${n} * interval '1 second'
      where client_id = ${sorted.client} and id = ${id}`
  }
  good(
    await manager.patch(`/orders/${made[1]?.id}`, { marketplace_status: { supplier: 'cancel' } }),
  )
  const page = async (query: string) => {
    const answer = await manager.get(`/orders?client_id=${sorted.client}&limit=3&${query}`)
    const { items, total, next_cursor } = good<{
      items: StaffOrder[]
      total: number
      next_cursor: string | null
    }>(answer)
    return {
      numbers: items.map(({ external_id }) => external_id.slice(-1)).join(''),
      total,
      next_cursor,
    }
  }
  const pages = async (sort: string) => {
    const first = await page(`sort=${sort}`)
    const rest =
      first.next_cursor === null
        ? undefined
        : await page(`sort=${sort}&cursor=${first.next_cursor}`)
    return [first.total, first.numbers, ...(rest === undefined ? [] : [rest.numbers])]
  }
  assert.deepEqual(await pages('created'), [4, '123', '4'])
  assert.deepEqual(await pages('-created'), [4, '432', '1'])
  assert.deepEqual(await pages('deadline'), [2, '41'])
  assert.deepEqual(await pages('-deadline'), [2, '14'])
  assert.deepEqual(await pages('status'), [4, '431', '2'])
  assert.deepEqual(await pages('-status'), [4, '243', '1'])
  assert.deepEqual(await pages('client'), [4, '432', '1'])
  const { next_cursor } = await page('sort=created')
  for (const other of ['', '&sort=-created', '&sort=client']) {
    const answer = await manager.get(
      `/orders?client_id=${sorted.client}&limit=3&cursor=${next_cursor}${other}`,
    )
    assertRefused(answer, 'bad_cursor')
  }
  assertRefused(await manager.get('/orders?sort=price'), 'bad_request')
})
