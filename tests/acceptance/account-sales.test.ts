import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, midnight, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { type AccountClient, accountClient, openSandboxAccount } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

interface Units {
  readonly ordered: number
  readonly cancelled: number
  readonly shipped: number
  readonly returned: number
}
interface Sales {
  readonly total: Units
  readonly days: (Units & { readonly day: string })[]
  readonly cabinets: (Units & {
    readonly cabinet_id: string | null
    readonly marketplace: string | null
  })[]
}
interface Goods {
  readonly items: (Units & { readonly barcode: string | null; readonly name: string | null })[]
  readonly total: number
  readonly next_cursor: string | null
}

const read = async <T>(account: AccountClient, path: string): Promise<T> => {
  const answer = await account.get(path)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as T
}

const figures = ['ordered', 'cancelled', 'shipped', 'returned'] as const
const added = (rows: readonly Units[]) =>
  Object.fromEntries(figures.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]))

const { api, account } = await openSandboxAccount(service)
const tomorrow = midnight(moscowDate(Date.now())) + day
const year = `from=${moscowDate(tomorrow - 366 * day)}&to=${moscowDate(tomorrow)}`

// Guarantee (account): Sales by day, by cabinet and by product add up to the same units as the metrics.
test('sales by day, by cabinet and by product add up to the same units, and to the metrics', async () => {
  const sales = await read<Sales>(account, `/sales?${year}`)
  const goods = await read<Goods>(account, `/sales/goods?${year}&limit=100`)
  assert.ok(
    figures.every((name) => sales.total[name] > 0),
    JSON.stringify(sales.total),
  )
  assert.equal(sales.days.length, 366)
  assert.equal((await read<Sales>(account, '/sales')).days.length, 30)
  for (const rows of [sales.days, sales.cabinets, goods.items])
    assert.deepEqual(added(rows), sales.total)
  const metrics = (await api.get(`/v1/metrics?${year}`)).body as {
    funnel: { shipped: number }
    shipments: { units_shipped: number }
  }
  assert.equal(metrics.shipments.units_shipped, sales.total.shipped)
})

interface FlowAnswer {
  readonly items: (Record<'ordered' | 'received' | 'shipped' | 'returned', number> & {
    readonly at: string
  })[]
}

test('curves add up to the sales and the metrics of their days, by hours too, and those of a product to its sales', async () => {
  const sales = await read<Sales>(account, `/sales?${year}`)
  const flow = await read<FlowAnswer>(account, `/flow?${year}`)
  const curves = ['ordered', 'shipped', 'returned'] as const
  const unitsOf = (slot: Readonly<Record<(typeof curves)[number], number>>) =>
    curves.map((name) => slot[name])
  assert.deepEqual(flow.items.map(unitsOf), sales.days.map(unitsOf))
  const sum = ({ items }: FlowAnswer, name: (typeof curves)[number] | 'received') =>
    items.reduce((total, slot) => total + slot[name], 0)
  const metrics = (await api.get(`/v1/metrics?${year}`)).body as { storage: { received: number } }
  assert.equal(sum(flow, 'received'), metrics.storage.received)
  const [busy = assert.fail()] = sales.days.toSorted((a, b) => b.ordered - a.ordered)
  const ofDay = `from=${busy.day}&to=${moscowDate(midnight(busy.day) + day)}`
  const hours = await read<FlowAnswer>(account, `/flow?${ofDay}&step=hour`)
  assert.equal(hours.items.length, 24)
  const goods = await read<Goods>(account, `/sales/goods?${ofDay}&limit=100`)
  const { barcode, ...sold } = goods.items.find(({ barcode }) => barcode) ?? assert.fail()
  for (const [step, length] of [
    ['hour', 24],
    ['day', 1],
  ] as const) {
    const one = await read<FlowAnswer>(account, `/flow?${ofDay}&step=${step}&barcode=${barcode}`)
    assert.equal(one.items.length, length)
    for (const name of curves) {
      assert.equal(sum(hours, name), busy[name], name)
      assert.equal(sum(one, name), sold[name], name)
    }
  }
  assertRefused(await account.get(`/flow?${year}&step=hour`), 'bad_request')
})

test('a marketplace and a cabinet have the sales that the whole has of them, and a day those of its curve', async () => {
  const sales = await read<Sales>(account, `/sales?${year}`)
  for (const { cabinet_id, marketplace, ...units } of sales.cabinets.filter(
    (each) => each.cabinet_id,
  )) {
    for (const filter of [`cabinet_id=${cabinet_id}`, `marketplace=${marketplace}`]) {
      const part = await read<Sales>(account, `/sales?${year}&${filter}`)
      const goods = await read<Goods>(account, `/sales/goods?${year}&${filter}&limit=100`)
      assert.deepEqual([part.total, added(goods.items)], [added([units]), added([units])])
    }
  }
  const nothing = await read<Sales>(account, `/sales?${year}&cabinet_id=x`)
  assert.deepEqual([nothing.total.ordered, nothing.cabinets], [0, []])
  const { day: date, ...units } = sales.days.findLast(({ shipped }) => shipped > 0) ?? assert.fail()
  const next = moscowDate(midnight(date) + day)
  assert.deepEqual((await read<Sales>(account, `/sales?from=${date}&to=${next}`)).total, units)
})

test('products come by the figure that was asked for, page by page, and as a file', async () => {
  for (const by of figures) {
    const whole = await read<Goods>(account, `/sales/goods?${year}&by=${by}&limit=100`)
    const amounts = whole.items.map((item) => item[by])
    assert.deepEqual(
      amounts,
      amounts.toSorted((a, b) => b - a),
    )
    assert.equal(whole.total, whole.items.length)
    const paged: Goods['items'] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page: Goods = await read(account, `/sales/goods?${year}&by=${by}&limit=9${after}`)
      paged.push(...page.items)
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, whole.items)
    const { text } = await account.get(`/exports/sales?${year}&by=${by}&format=csv`)
    const rows = text.trim().split('\r\n').slice(1)
    assert.deepEqual(
      rows.map((row) => row.split(';').slice(-4).map(Number)),
      whole.items.map((item) => figures.map((name) => item[name])),
    )
  }
})

test('periods and cursors that can not be are refused, and another seller has other sales', async () => {
  assertRefused(await account.get('/sales?from=2026-11-02&to=2026-11-01'), 'bad_request', 'from')
  assertRefused(await account.get('/sales?from=2024-01-01&to=2026-01-01'), 'bad_request', '366')
  assertRefused(await account.get('/sales?marketplace=EBAY'), 'bad_request', 'marketplace')
  const { next_cursor: cursor } = await read<Goods>(account, `/sales/goods?${year}&limit=2`)
  assertRefused(await account.get(`/sales/goods?${year}&by=shipped&cursor=${cursor}`), 'bad_cursor')
  const { account: other } = await openSandboxAccount(service)
  assertRefused(await other.get(`/sales/goods?${year}&cursor=${cursor}`), 'bad_cursor')
  assertRefused(await accountClient(service.baseUrl).get('/sales'), 'unauthorized')
})

test('low days are a whole number from 1 to 90, and what is none is refused by name', async () => {
  for (const path of ['/cover/summary', '/cover', '/exports/cover']) {
    for (const days of ['0', '91', '-3', '1.5', 'x', '']) {
      assertRefused(await account.get(`${path}?low_days=${days}`), 'bad_request', 'low_days')
    }
    assert.equal((await account.get(`${path}?low_days=90`)).status, 200)
  }
})

test('days of cover are counted by state, listed by what runs out first, and saved as a file', async () => {
  const states = await read<Record<string, number>>(account, '/cover/summary?low_days=30')
  const { items, total } = await read<{
    items: { state: string; days: number | null }[]
    total: number
  }>(account, '/cover?low_days=30&limit=100')
  assert.equal(total, items.length)
  assert.ok(total > 0)
  for (const [state, goods] of Object.entries(states)) {
    assert.equal(items.filter((each) => each.state === state).length, goods, state)
  }
  const lasting = items.map(({ days }) => days ?? Number.POSITIVE_INFINITY)
  assert.deepEqual(
    lasting,
    lasting.toSorted((a, b) => a - b),
  )
  const { text } = await account.get('/exports/cover?low_days=30&format=csv')
  assert.equal(text.trim().split('\r\n').length, total + 1)
  assertRefused(await account.get('/cover?state=x'), 'bad_request', 'state')
})
