import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountClient } from '../support/account.ts'
import { newSandbox } from '../support/client.ts'
import { startService } from '../support/service.ts'

/**
 * The bill of a sandbox made by hand: from the files that its owner saves and from the price list alone, and compared line by
 * line with charges, act, files and API.
 */

const service = await startService({ SANDBOX_ROBOT: 'off' })
const sandbox = await newSandbox(service)
const { key } = sandbox
const entered = await accountClient(service.baseUrl).post('/session/key', { key })
const cookie = (entered.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
const owner = accountClient(service.baseUrl, cookie)

/** The rows of a file by the titles of their columns. */
async function saved(path: string): Promise<Readonly<Record<string, string>>[]> {
  const mark = path.includes('?') ? '&' : '?'
  const file = await owner.get(`${path}${path.includes('format=') ? '' : `${mark}format=csv`}`)
  const [titles = [], ...rows] = file.text
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';').map((cell) => cell.replace(/^"?(?:="")?(.*?)"*$/, '$1')))
  return rows.map((cells) =>
    Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ''])),
  )
}

/** «22.11.2026 14:05» as 2026-11-01. */
const monthOf = (moment = '') => `${moment.slice(6, 10)}-${moment.slice(3, 5)}-01`
const dayOf = (moment = '') => `${moment.slice(6, 10)}-${moment.slice(3, 5)}-${moment.slice(0, 2)}`
const kopecks = (sum = '') => Math.round(Number(sum.replace(',', '.')) * 100)
const total = (sums: readonly number[]) => sums.reduce((all, sum) => all + sum, 0)

interface Summary {
  readonly amount: string
  readonly services: readonly { service: string; quantity: string; amount: string }[]
}

const summaryOf = async (period: string) =>
  (await sandbox.get(`/v1/charges/summary?period=${period}`)).body as Summary

test('orders, shipments and receipts of each month cost what the price list says of the saved files', async () => {
  const [orders, shipments, receipts] = await Promise.all([
    saved('/exports/orders'),
    saved('/exports/shipments'),
    saved('/exports/receipts'),
  ])
  const packed = orders.map((order) => monthOf(order.Собран)).filter((month) => month !== '--01')
  const gone = shipments
    .filter((each) => each.Передана !== '' && each.Заказов !== '0')
    .map((each) => monthOf(each.Передана))
  const periods = (await owner.get('/billing-periods')).body as { items: { period: string }[] }
  const received: number[] = []
  const compared: string[] = []
  for (const { period } of periods.items) {
    const { services } = await summaryOf(period)
    const charged = (code: string) => {
      const row = services.find(({ service }) => service === code)
      return [Number(row?.quantity ?? 0), kopecks(row?.amount)]
    }
    const count = packed.filter((month) => month === period).length
    const sum = Math.min(count, 300) * 4_500 + Math.max(count - 300, 0) * 3_900
    assert.deepEqual(charged('ORDER_PACKED'), [count, sum], period)
    const left = gone.filter((month) => month === period).length
    assert.deepEqual(charged('SHIPMENT_HANDED_OVER'), [left, left * 35_000], period)
    received.push(charged('UNIT_RECEIVED')[1] ?? 0)
    if (count > 0) compared.push(period)
  }
  assert.ok(compared.length > 0)
  const accepted = total(receipts.map((receipt) => Number(receipt.Принято)))
  assert.ok(accepted > 0)
  assert.equal(total(received), accepted * 600)
})

test('storage of each of the thirty days is what lay there by the saved stock and movements', async () => {
  const [stock, movements] = await Promise.all([
    saved('/exports/stock'),
    saved('/exports/movements'),
  ])
  const lies = total(stock.map((row) => Number(row.Остаток)))
  const list = await sandbox.get('/v1/charges?service=STORAGE_UNIT_DAY&limit=200')
  const { items: charges } = list.body as {
    items: { day: string; quantity: string; amount: string }[]
  }
  const expected = charges.map(({ day }) => {
    const since = movements.filter((row) => dayOf(row.Когда) > day)
    const units = lies - total(since.map((row) => Number(row.Остаток)))
    return { day, quantity: String(units), amount: ((units * 35) / 100).toFixed(2) }
  })
  assert.deepEqual(
    charges.map(({ day, quantity, amount }) => ({ day, quantity, amount })),
    expected,
  )
  const days = charges.map(({ day }) => Date.parse(day))
  assert.ok(days.length >= 29, `${days.length} days`)
  for (const [at, day] of days.entries()) assert.equal(day, (days[0] ?? 0) - at * 86_400_000)
})

test('the act is its statement, its rows for 1C and what the API answers, service by service', async () => {
  const { items: acts } = (await owner.get('/acts')).body as {
    items: { id: string; period: string; amount: string; vat: string; total: string }[]
  }
  assert.ok(acts.length > 0)
  for (const act of acts) {
    const { services, amount } = await summaryOf(act.period)
    const statement = await saved(`/acts/${act.id}/charges`)
    const books = (await saved(`/acts/${act.id}/file?format=1c`)).map((row) => [
      row.Код,
      kopecks(row.Сумма),
    ])
    const byService = services.map(({ service, amount: sum }) => [service, kopecks(sum)])
    for (const line of statement) {
      const [count, price] = [line.Количество ?? '', line['Цена, руб.']]
      const exact = Number(count.replace(',', '.')) * kopecks(price)
      assert.equal(kopecks(line['Сумма, руб.']), Math.round(exact))
    }
    const added = services.map(({ service }) => [
      service,
      total(
        statement
          .filter((line) => line['Код услуги'] === service)
          .map((line) => kopecks(line['Сумма, руб.'])),
      ),
    ])
    assert.deepEqual(added, byService)
    assert.deepEqual(books.toSorted(), byService.toSorted())
    assert.equal(kopecks(act.amount), total(byService.map(([, sum]) => Number(sum))))
    assert.equal(kopecks(amount), kopecks(act.amount))
    assert.equal(kopecks(act.vat), Math.round(kopecks(act.amount) * 0.22))
    assert.equal(kopecks(act.total), kopecks(act.amount) + kopecks(act.vat))
  }
})
