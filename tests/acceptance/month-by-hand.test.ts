import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Cell } from '../../src/documents/imports/cell.ts'
import { xlsxSheets } from '../../src/documents/imports/xlsx/xlsx.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { day, midnight, minute, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import type { Charge } from '../../src/warehouse/billing/charges.ts'
import { computeDueCharges } from '../../src/warehouse/billing/daily.ts'
import type { Act } from '../../src/warehouse/billing/periods.ts'
import { type AccountUser, accountUser } from '../support/account.ts'
import { type Answer, type Client, openClient } from '../support/client.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { testProvider } from '../support/warehouse.ts'

/**
 * November of four clients, billed by hand: from the files and answers that a seller gets and from the price list, and compared
 * line by line with charges, act, statement, account and API. Each client's storage is counted in another way.
 */

const clock = new ManualClock(Date.parse('2026-11-02T10:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const ways = ['unit', 'litre', 'box', 'pallet'] as const
type Way = (typeof ways)[number]
const month = '2026-11-01'
const codeOfWarehouse = 'BYHAND'
const [plain, other, marked] = [ean13('460000000101'), ean13('460000000102'), ean13('460000000103')]

/** Kopecks a unit, by steps of the month. */
const prices: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  UNIT_RECEIVED: [
    [10, 600],
    [Number.POSITIVE_INFINITY, 451],
  ],
  MARKED_UNIT_RECEIVED: [[Number.POSITIVE_INFINITY, 350]],
  BOX_RECEIVED: [[Number.POSITIVE_INFINITY, 4_000]],
  PALLET_RECEIVED: [[Number.POSITIVE_INFINITY, 15_000]],
  STORAGE_UNIT_DAY: [
    [100, 35],
    [Number.POSITIVE_INFINITY, 29],
  ],
  STORAGE_LITRE_DAY: [[Number.POSITIVE_INFINITY, 21]],
  STORAGE_BOX_DAY: [[Number.POSITIVE_INFINITY, 777]],
  STORAGE_PALLET_DAY: [[Number.POSITIVE_INFINITY, 3_115]],
  ORDER_PACKED: [
    [2, 4_500],
    [Number.POSITIVE_INFINITY, 3_900],
  ],
  FURTHER_UNIT: [[Number.POSITIVE_INFINITY, 1_200]],
  MARK_GIVEN: [[Number.POSITIVE_INFINITY, 300]],
  SHIPMENT_HANDED_OVER: [[Number.POSITIVE_INFINITY, 35_000]],
  RETURN_SELLABLE: [[Number.POSITIVE_INFINITY, 2_000]],
  RETURN_DAMAGED: [[Number.POSITIVE_INFINITY, 2_500]],
  RETURN_UNKNOWN: [[Number.POSITIVE_INFINITY, 2_150]],
}
const freeDays = 5
const minimum = 130_000
/** Litres of a unit from days on; the marked goods are never measured. */
const litres: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  [plain]: [[month, 1]],
  [other]: [
    [month, 1.1],
    ['2026-11-16', 1.2],
  ],
}
const assumedLitres = 2.5
/** What a tape says: 12.5 by 10 by so many centimetres. */
const measured = [
  [plain, month, 8],
  [other, month, 8.8],
  [other, '2026-11-16', 8.9],
] as const

const roublesOf = (kopecks: number) => (kopecks / 100).toFixed(2)

async function openWarehouse(): Promise<void> {
  good(await admin.post('/warehouses', { code: codeOfWarehouse, name: 'Склад' }), 201)
  const at = (path: string) => `/warehouses/${codeOfWarehouse}${path}`
  good(await admin.put(at('/billing-providers'), { ...testProvider, first_day: month }))
  const list = Object.entries(prices).map(([code, steps]) => ({
    service: code,
    steps: steps.map(([upTo, price]) => ({
      up_to: Number.isFinite(upTo) ? upTo : null,
      price: roublesOf(price),
    })),
  }))
  const tariff = {
    ...{ first_day: month, prices: list, free_days: freeDays },
    monthly_minimum: roublesOf(minimum),
  }
  good(await admin.post(at('/tariffs'), tariff), 201)
}

interface Seller {
  readonly id: string
  readonly cabinet: string
  readonly key: Client
}

async function openSeller(way: Way): Promise<Seller> {
  const draft = { name: `ООО «${way}»`, warehouse_code: codeOfWarehouse }
  const { id } = good<{ id: string }>(await admin.post('/clients', draft), 201)
  const at = (path: string) => `/clients/${id}${path}`
  const cabinet = { marketplace: 'WB', name: 'WB' }
  const { id: cabinetId } = good<{ id: string }>(await admin.post(at('/cabinets'), cabinet), 201)
  const { key } = good<{ key: string }>(await admin.post(at('/keys'), { name: '1С' }), 201)
  const terms = { first_day: month, way, assumed_litres: String(assumedLitres) }
  good(await admin.post(at('/storage-terms'), terms), 201)
  return { id, cabinet: cabinetId, key: openClient(service.baseUrl, key, false) }
}

/** Boxes and pallets with goods at the end of each day, as the seller's program reads them. */
const stored = new Map<string, Map<string, { readonly boxes: number; readonly pallets: number }>>()

/** Until a moment of Moscow, with the daily run after each midnight. */
async function goOn(to: string, sellers: readonly Seller[]): Promise<void> {
  const end = Date.parse(`${to}:00+03:00`)
  for (;;) {
    const today = moscowDate(clock.now())
    const ends = midnight(today) + day
    if (ends > end) break
    clock.set(ends - 1)
    for (const { id, key } of sellers) {
      const { items } = (await key.get('/v1/stock?limit=200')).body as {
        items: { boxes: number; pallets: number }[]
      }
      const sum = (of: 'boxes' | 'pallets') => items.reduce((all, each) => all + each[of], 0)
      const days = stored.get(id) ?? new Map()
      stored.set(id, days.set(today, { boxes: sum('boxes'), pallets: sum('pallets') }))
    }
    clock.set(ends + 5_000)
    await computeDueCharges(service.db, clock.now())
  }
  clock.set(end)
}

/** A minute for each thing that staff do. */
async function post<T>(path: string, body?: unknown, status = 200): Promise<T> {
  clock.advance(minute)
  return good<T>(await admin.post(path, body), status)
}

interface Made {
  readonly id: string
}

/** Three boxes, two of them on pallets. Returns the one of three plaids. */
async function receive({ id }: Seller): Promise<string> {
  const items = [
    { barcode: plain, name: 'Плед', qty: 8 },
    { barcode: other, name: 'Чай', qty: 5 },
  ]
  const receipt = await post<Made>(`/clients/${id}/receipts`, { items }, 201)
  await post(`/receipts/${receipt.id}/start`)
  const own = { client_id: id }
  const brought = async (barcode: string, qty: number, isOnPallet: boolean) => {
    const pallet = isOnPallet ? await post<Made>('/pallets', own, 201) : undefined
    const draft = pallet === undefined ? own : { ...own, pallet_id: pallet.id }
    const box = await post<Made>('/boxes', draft, 201)
    await post(`/receipts/${receipt.id}/scans`, { scan_id: box.id, barcode, qty, box_id: box.id })
    return box.id
  }
  await brought(plain, 5, true)
  const small = await brought(plain, 3, false)
  await brought(other, 5, true)
  await post(`/receipts/${receipt.id}/finish`, {})
  return small
}

async function receiveMarked({ id }: Seller, codes: readonly string[]): Promise<void> {
  const items = [{ barcode: marked, name: 'Кроссовки', qty: codes.length, honest_mark: true }]
  const receipt = await post<Made>(`/clients/${id}/receipts`, { items }, 201)
  await post(`/receipts/${receipt.id}/start`)
  for (const code of codes)
    await post(`/receipts/${receipt.id}/scans`, { scan_id: code.slice(18, 31), marking_code: code })
  await post(`/receipts/${receipt.id}/finish`, {})
}

/** Three orders leave, the plaids out of one box, which is empty then. */
async function ship({ id, cabinet }: Seller, box: string, code: string): Promise<void> {
  const drafts = [
    { external_id: 'O1', barcode: plain },
    {
      external_id: 'O2',
      lines: [
        { barcode: plain, qty: 2 },
        { barcode: other, qty: 1 },
      ],
    },
    { external_id: 'O3', barcode: marked },
  ].map((each) => ({ ...each, cabinet_id: cabinet }))
  const { items } = await post<{ items: Made[] }>(`/clients/${id}/orders`, drafts, 201)
  const order_ids = items.map((order) => order.id)
  const [first, second, third] = order_ids
  const shipment = await post<Made & { picking_task_id: string }>(
    '/shipments',
    { cabinet_id: cabinet, external_id: `S ${id}`, order_ids },
    201,
  )
  for (const pick of [
    { order_id: first, barcode: plain, box_id: box },
    { order_id: second, barcode: plain, box_id: box },
    { order_id: second, barcode: plain, box_id: box },
    { order_id: second, barcode: other },
    { order_id: third, barcode: marked, marking_code: code },
  ]) {
    const scan = { scan_id: `pick ${clock.now()}`, ...pick }
    await post(`/picking-tasks/${shipment.picking_task_id}/picks`, scan)
  }
  await post(`/shipments/${shipment.id}/close`)
}

async function takeBack({ id }: Seller): Promise<void> {
  const back = await post<Made>('/returns', { client_id: id }, 201)
  for (const scan of [
    { code: 'O1', condition: 'sellable' },
    { code: 'O2', barcode: plain, condition: 'damaged' },
    { code: 'O2', barcode: other, condition: 'unknown' },
  ])
    await post(`/returns/${back.id}/scans`, { scan_id: `back ${clock.now()}`, ...scan })
  await post(`/returns/${back.id}/finish`, {})
}

async function playMonth(): Promise<Seller[]> {
  await openWarehouse()
  const sellers: Seller[] = []
  for (const way of ways) sellers.push(await openSeller(way))
  const boxes: string[] = []
  await goOn('2026-11-03T10:00', sellers)
  for (const seller of sellers) {
    boxes.push(await receive(seller))
    for (const [barcode, first_day, height_cm] of measured) {
      const sides = { length_cm: 12.5, width_cm: 10, height_cm, first_day }
      await post(`/clients/${seller.id}/products/${barcode}/measures`, sides)
    }
  }
  await goOn('2026-11-09T12:00', sellers)
  const codesOf = (n: number) => [1, 2, 3].map((unit) => markingCode(marked, n * 10 + unit))
  for (const [n, seller] of sellers.entries()) await receiveMarked(seller, codesOf(n))
  await goOn('2026-11-12T10:00', sellers)
  for (const [n, seller] of sellers.entries())
    await ship(seller, boxes[n] ?? '', codesOf(n)[0] ?? '')
  await goOn('2026-11-20T10:00', sellers)
  for (const seller of sellers) await takeBack(seller)
  await goOn('2026-12-02T10:00', sellers)
  return sellers
}

/** The rows of a saved file by the titles of their columns. */
function rowsOf(cells: readonly (readonly string[])[]): Readonly<Record<string, string>>[] {
  const [titles = [], ...rows] = cells
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ''])))
}

async function saved(owner: AccountUser, path: string) {
  const { text } = await owner.get(path)
  return rowsOf(parse(text, { bom: true, delimiter: ';' }) as string[][])
}

/** «22.11.2026 14:05» and «2026-11-22T14:05:00.000+03:00» as 2026-11-22 14:05. */
const momentOf = (text = '') =>
  text.includes('T')
    ? text.slice(0, 16).replace('T', ' ')
    : `${text.slice(6, 10)}-${text.slice(3, 5)}-${text.slice(0, 2)}${text.slice(10)}`

interface Fact {
  readonly at: string
  readonly service: string
  /** The number that a seller knows it by. */
  readonly of: string
  readonly units: number
}

const daysOfMonth = Array.from(
  { length: 30 },
  (_, n) => `${month.slice(0, 8)}${String(n + 1).padStart(2, '0')}`,
)

async function receivedFacts(owner: AccountUser, { id, key }: Seller): Promise<Fact[]> {
  const facts: Fact[] = []
  const receipts = await saved(owner, '/exports/receipts?format=csv')
  const read = (await key.get('/v1/receipts')).body as { items: { id: string; number: string }[] }
  for (const receipt of receipts) {
    const of = receipt.Приёмка ?? ''
    const at = momentOf(receipt.Завершена)
    facts.push({ at, service: 'UNIT_RECEIVED', of, units: Number(receipt.Принято) })
    const { items } = (
      await key.get(`/v1/receipts/${read.items.find(({ number }) => number === of)?.id}`)
    ).body as { items: { honest_mark: boolean; accepted_qty: number }[] }
    const withMarks = items.filter((item) => item.honest_mark)
    const units = withMarks.reduce((sum, item) => sum + item.accepted_qty, 0)
    facts.push({ at, service: 'MARKED_UNIT_RECEIVED', of, units })
    const date = at.slice(0, 10)
    const [before, after] = [moscowDate(midnight(date) - day), date].map((each) =>
      stored.get(id)?.get(each),
    )
    const came = (kind: 'boxes' | 'pallets') => (after?.[kind] ?? 0) - (before?.[kind] ?? 0)
    facts.push({ at, service: 'BOX_RECEIVED', of, units: came('boxes') })
    facts.push({ at, service: 'PALLET_RECEIVED', of, units: came('pallets') })
  }
  return facts
}

async function shippedFacts(owner: AccountUser, { key }: Seller): Promise<Fact[]> {
  const facts: Fact[] = []
  const { items } = (await key.get('/v1/orders')).body as {
    items: { id: string; external_id: string }[]
  }
  for (const order of await saved(owner, '/exports/orders?format=csv')) {
    const of = order.Заказ ?? ''
    const at = momentOf(order.Собран)
    const id = items.find((item) => item.external_id === of)?.id
    const { lines } = (await key.get(`/v1/orders/${id}/details`)).body as {
      lines: { barcode: string; qty: number }[]
    }
    const units = lines.reduce((sum, { qty }) => sum + qty, 0)
    const marks = lines.filter(({ barcode }) => barcode === marked).length
    facts.push({ at, service: 'ORDER_PACKED', of, units: 1 })
    facts.push({ at, service: 'FURTHER_UNIT', of, units: units - 1 })
    facts.push({ at, service: 'MARK_GIVEN', of, units: marks })
  }
  for (const shipment of await saved(owner, '/exports/shipments?format=csv')) {
    const [at, of] = [momentOf(shipment.Передана), shipment.Отгрузка ?? '']
    facts.push({ at, service: 'SHIPMENT_HANDED_OVER', of, units: 1 })
  }
  return facts
}

async function returnedFacts({ key }: Seller): Promise<Fact[]> {
  const { items } = (await key.get('/v1/returns')).body as { items: Made[] }
  const facts: Fact[] = []
  for (const { id } of items) {
    const batch = (await key.get(`/v1/returns/${id}`)).body as {
      number: string
      finished_at: string
      items: { condition: string; qty: number }[]
    }
    const at = momentOf(batch.finished_at)
    for (const { condition, qty } of batch.items) {
      const service = `RETURN_${condition.toUpperCase()}`
      facts.push({ at, service, of: batch.number, units: qty })
    }
  }
  return facts
}

/** Days on which units came, of those that lie there at the end of a day: the first in are the first out. */
function lyingOn(moves: readonly Readonly<Record<string, string>>[], date: string): string[] {
  const queue: string[] = []
  for (const move of moves) {
    const on = momentOf(move.Когда).slice(0, 10)
    if (on > date) continue
    const delta = Number(move.Остаток)
    if (delta > 0) queue.push(...Array<string>(delta).fill(on))
    else queue.splice(0, -delta)
  }
  return queue
}

function litresOn(barcode: string, date: string): number {
  const known = litres[barcode]?.findLast(([from]) => from <= date)
  return known?.[1] ?? assumedLitres
}

async function storedFacts(owner: AccountUser, { id }: Seller, way: Way): Promise<Fact[]> {
  const moves = (await saved(owner, '/exports/movements?format=csv')).toReversed()
  const byGoods = [...Map.groupBy(moves, ({ Штрихкод: barcode }) => barcode ?? '')]
  const placesOn = (date: string) => stored.get(id)?.get(date) ?? { boxes: 0, pallets: 0 }
  const goodsOn = (date: string, of: (barcode: string) => number) =>
    byGoods.reduce((sum, [barcode, own]) => {
      const charged = lyingOn(own, date).filter(
        (came) => (Date.parse(date) - Date.parse(came)) / day >= freeDays,
      )
      return sum + charged.length * of(barcode)
    }, 0)
  const unitsOn = (date: string) => {
    if (way === 'box') return placesOn(date).boxes
    if (way === 'pallet') return placesOn(date).pallets
    return goodsOn(date, (barcode) => (way === 'unit' ? 1 : litresOn(barcode, date)))
  }
  const service = `STORAGE_${way.toUpperCase()}_DAY`
  return daysOfMonth.map((date) => ({
    ...{ at: `${date} 24:00`, service, of: '' },
    units: Math.round(unitsOn(date) * 1000) / 1000,
  }))
}

/** «2026-11-03 UNIT_RECEIVED R-000001 10 × 6.00 = 60.00» for each line of the bill, and the sum of kopecks. */
function billOf(facts: readonly Fact[]) {
  const lines: string[] = []
  const done = new Map<string, number>()
  let sum = 0
  for (const { at, service, of, units } of facts.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const before = done.get(service) ?? 0
    done.set(service, before + units)
    let low = 0
    for (const [high, price] of prices[service] ?? []) {
      const within = Math.min(before + units, high) - Math.max(before, low)
      low = high
      if (within <= 0) continue
      const quantity = Math.round(within * 1000) / 1000
      const amount = Math.floor((Math.round(quantity * 1000) * price + 500) / 1000)
      sum += amount
      lines.push(lineOf([at.slice(0, 10), service, of, quantity, price / 100, amount / 100]))
    }
  }
  if (sum < minimum) {
    const rest = (minimum - sum) / 100
    lines.push(lineOf([daysOfMonth.at(-1) ?? '', 'MONTHLY_MINIMUM', '', 1, rest, rest]))
    sum = minimum
  }
  return { lines: lines.toSorted(), sum }
}

type Line = readonly [
  date: string,
  service: string,
  of: string,
  quantity: number | string,
  price: number | string,
  amount: number | string,
]

const lineOf = ([date, service, of, quantity, price, amount]: Line) =>
  `${date} ${service} ${of} ${Number(quantity)} × ${Number(price).toFixed(2)} = ${Number(amount).toFixed(2)}`

const chargedLines = (charges: readonly Charge[]) =>
  charges
    .map(({ day: date, service: code, source, quantity, price, amount }) =>
      lineOf([date, code, source.number ?? '', quantity, price, amount]),
    )
    .toSorted()

/** A statement as somebody's spreadsheet reads it. */
const statementLines = (rows: readonly Readonly<Record<string, string>>[]) =>
  rows
    .map((row) => {
      const number = (title: string) => (row[title] ?? '').replace(',', '.')
      return lineOf([
        ...([momentOf(row.День), row['Код услуги'] ?? '', row.Номер ?? ''] as const),
        ...([number('Количество'), number('Цена, руб.'), number('Сумма, руб.')] as const),
      ])
    })
    .toSorted()

async function bookOf(owner: AccountUser, path: string): Promise<string[][]> {
  const answer = await fetch(`${service.baseUrl}/account/v1${path}`, {
    headers: { Cookie: owner.cookie },
  })
  const [sheet] = await xlsxSheets(Buffer.from(await answer.arrayBuffer()))
  const cells: string[][] = []
  for await (const rows of sheet?.rows() ?? []) {
    for (const row of rows) cells.push(row.cells.map(shownCell))
  }
  return cells
}

const shownCell = (cell: Cell | undefined) =>
  cell?.kind === 'text' ? cell.text : cell?.kind === 'number' ? String(cell.value) : ''

const sellers = await playMonth()

for (const [n, way] of ways.entries()) {
  // Guarantee (billing): Charges, act, statement, account and API of a month are what its price list says, line by line.
  test(`a month with storage by ${way} is billed as by hand`, async () => {
    const seller = sellers[n] as Seller
    const { id, key } = seller
    const act = await post<Act>(`/clients/${id}/billing-periods/${month}/close`, undefined, 201)
    const owner = await accountUser({ ...service, clock }, { [id]: 'owner' })
    const { lines, sum } = billOf([
      ...(await receivedFacts(owner, seller)),
      ...(await shippedFacts(owner, seller)),
      ...(await returnedFacts(seller)),
      ...(await storedFacts(owner, seller, way)),
    ])
    assert.ok(lines.length > 35, lines.join('\n'))
    const inMonth = `period=${month}&limit=200`
    const read = async (answer: Promise<Answer>) =>
      chargedLines(((await answer).body as { items: Charge[] }).items)
    assert.deepEqual(await read(key.get(`/v1/charges?${inMonth}`)), lines)
    assert.deepEqual(await read(owner.get(`/charges?${inMonth}`)), lines)
    assert.deepEqual(await read(admin.get(`/clients/${id}/charges?${inMonth}`)), lines)
    const path = `/acts/${act.id}/charges?format=`
    assert.deepEqual(statementLines(await saved(owner, `${path}csv`)), lines)
    assert.deepEqual(statementLines(rowsOf(await bookOf(owner, `${path}xlsx`))), lines)

    const vat = Math.round(sum * 0.22)
    const [amount, total] = [roublesOf(sum), roublesOf(sum + vat)]
    const expected = { ...act, number: 1, period: month, amount, vat: roublesOf(vat), total }
    for (const acts of [key.get('/v1/acts'), owner.get('/acts')])
      assert.deepEqual(((await acts).body as { items: Act[] }).items, [expected])
    const rows = await saved(owner, `/acts/${act.id}/file?format=1c`)
    const kopecks = (text = '') => Math.round(Number(text.replace(',', '.')) * 100)
    assert.equal(
      rows.reduce((all, row) => all + kopecks(row.Сумма), 0),
      sum,
    )
  })
}

test('the audit agrees with the months', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})
