import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import {
  integer,
  list,
  moment,
  object,
  oneOf,
  optional,
  orNull,
  read,
  text,
} from '../support/shape.ts'
import { openTarget, readAll, readPage } from '../support/target.ts'
import { marketplaces, type Order, orderShape, orderStatuses } from './resources.ts'

const detailsShape = object({
  id: text,
  cabinet: object({ id: text, marketplace: oneOf(...marketplaces), name: text }),
  deadline: orNull(moment),
  cancel_reason: optional(text),
  lines: list(
    object({ barcode: optional(text), article: optional(text), qty: integer, picked: integer }),
  ),
  history: list(
    object({
      at: moment,
      status: oneOf(...orderStatuses),
      marketplace_status: object({ supplier: optional(text), buyer: optional(text) }),
    }),
  ),
})

const target = await openTarget()
const sandbox = await target.sandbox()
const all = await readAll(sandbox, '/v1/orders', {}, orderShape)

async function assertFinds(
  query: Readonly<Record<string, string>>,
  matches: (order: Order) => boolean,
): Promise<void> {
  const expected = all.filter(matches)
  const asked = new URLSearchParams({ limit: '1000', ...query })
  const page = readPage(orderShape, (await sandbox.get(`/v1/orders?${asked}`)).body)
  assert.equal(page.total, expected.length, JSON.stringify(query))
  assert.deepEqual(page.items, expected.slice(0, 1000), JSON.stringify(query))
}

test('the list has every order once, the newest first', () => {
  const places = all.map((order) => `${order.created_at} ${order.id}`)
  assert.deepEqual(places, places.toSorted().toReversed())
  assert.equal(new Set(all.map((order) => order.id)).size, all.length)
})

test('a single order looks as in the list', async () => {
  const shown = [
    ...new Map(all.map((order) => [`${order.status} ${order.marketplace}`, order])).values(),
  ]
  for (const order of shown) {
    assert.deepEqual(read(orderShape, (await sandbox.get(`/v1/orders/${order.id}`)).body), order)
  }
})

test('unknown ids are not found', async () => {
  const [order] = all
  assert.ok(order)
  const ids = [
    order.external_id,
    order.shipment_id ?? 'x',
    order.id.toUpperCase(),
    `${order.id}0`,
    'x',
  ]
  ids.push('00000000-0000-0000-0000-000000000000', `{${order.id}}`, order.id.replaceAll('-', ''))
  for (const id of ids.filter((each) => each !== order.id)) {
    assertRefused(await sandbox.get(`/v1/orders/${encodeURIComponent(id)}`), 'not_found')
  }
})

test('every value of every enumerated filter selects exactly its orders', async () => {
  for (const marketplace of marketplaces) {
    await assertFinds({ marketplace }, (order) => order.marketplace === marketplace)
    for (const status of orderStatuses) {
      await assertFinds({ status }, (order) => order.status === status)
      await assertFinds(
        { marketplace, status },
        (order) => order.status === status && order.marketplace === marketplace,
      )
    }
  }
})

test('shipment_id selects by the service id, not by the number in the cabinet', async () => {
  const order = all.find((each) => each.shipment_id !== null)
  assert.ok(order?.shipment_id && order.shipment_external_id)
  const { shipment_id: id, shipment_external_id: externalId } = order
  await assertFinds({ shipment_id: id }, (each) => each.shipment_id === id)
  await assertFinds(
    { shipment_id: id, status: order.status },
    (each) => each.shipment_id === id && each.status === order.status,
  )
  for (const unknown of [externalId, '', 'x', id.toUpperCase(), 'null']) {
    await assertFinds({ shipment_id: unknown }, (each) => each.shipment_id === unknown)
  }
})

test('external_id selects by the exact number in the cabinet', async () => {
  const [order] = all
  assert.ok(order)
  const { external_id: number } = order
  await assertFinds({ external_id: number }, (each) => each.external_id === number)
  await assertFinds({ external_id: number, created_to: order.created_at }, () => false)
  for (const unknown of ['', number.slice(1), `${number} `, '%', order.id]) {
    await assertFinds({ external_id: unknown }, () => false)
  }
})

test('barcode selects by exact match', async () => {
  const barcode = all.find((order) => order.barcode !== undefined)?.barcode ?? ''
  await assertFinds({ barcode }, (order) => order.barcode === barcode)
  await assertFinds(
    { barcode, marketplace: 'OZON' },
    (order) => order.barcode === barcode && order.marketplace === 'OZON',
  )
  for (const unknown of ['', barcode.slice(1), '%', 'нет']) {
    await assertFinds({ barcode: unknown }, () => false)
  }
})

test('all filters apply together', async () => {
  const order = all.find((each) => each.shipment_id !== null && each.barcode !== undefined)
  assert.ok(order?.shipment_id && order.barcode)
  await assertFinds(
    {
      marketplace: order.marketplace,
      status: order.status,
      shipment_id: order.shipment_id,
      barcode: order.barcode,
      created_from: order.created_at,
      created_to: new Date(Date.parse(order.created_at) + 1).toISOString(),
    },
    (each) =>
      each.created_at === order.created_at &&
      each.shipment_id === order.shipment_id &&
      each.barcode === order.barcode &&
      each.status === order.status,
  )
})

test('adjacent time windows split the orders without overlap or gap, also with a status filter', async () => {
  const bounds = [0, 1, 7, 400, all.length - 1].map((at) => all[at]?.created_at ?? '')
  for (const bound of bounds) {
    for (const status of [undefined, 'COMPLETED', 'NEW']) {
      const filter = status === undefined ? {} : { status }
      const has = (order: Order) => status === undefined || order.status === status
      await assertFinds(
        { ...filter, created_from: bound },
        (order) => has(order) && order.created_at >= bound,
      )
      await assertFinds(
        { ...filter, created_to: bound },
        (order) => has(order) && order.created_at < bound,
      )
    }
  }
  const [to = '', , , from = ''] = bounds
  await assertFinds(
    { created_from: from, created_to: to },
    (order) => order.created_at >= from && order.created_at < to,
  )
})

test('a short date is midnight in Moscow', async () => {
  const day = all[500]?.created_at.slice(0, 10) ?? ''
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  await assertFinds({ created_from: day, created_to: next }, (order) =>
    order.created_at.startsWith(day),
  )
  assert.ok(all.some((order) => order.created_at.startsWith(day)))
})

test('only WB orders have an nm_id', () => {
  for (const order of all) {
    if (order.marketplace === 'OZON') assert.equal(order.nm_id, undefined)
  }
  assert.ok(all.some((order) => order.nm_id !== undefined))
  assert.ok(all.some((order) => order.is_b2b) && all.some((order) => !order.is_b2b))
})

test('orders of the scenario have the history that led to their status', async () => {
  const shown = new Map(all.map((order) => [`${order.status} ${order.marketplace}`, order]))
  for (const order of shown.values()) {
    const path = `/v1/orders/${order.id}/details`
    const { history } = read(detailsShape, (await sandbox.get(path)).body)
    assert.equal(history.at(-1)?.status, order.status)
    const times = history.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted())
    assert.ok((times[0] ?? '') >= order.created_at)
    if (order.status === 'COMPLETED') assert.ok(history.length > 2)
  }
})

test('every order of the sandbox has a deadline after its creation', async () => {
  const { items } = readPage(orderShape, (await sandbox.get('/v1/orders?limit=20')).body)
  for (const { id, created_at } of items) {
    const { deadline } = read(detailsShape, (await sandbox.get(`/v1/orders/${id}/details`)).body)
    assert.ok(deadline !== null && Date.parse(deadline) > Date.parse(created_at), id)
  }
})

test('the details of an order have its goods, its cabinet and the changes of its status', async () => {
  const sandbox = await target.sandbox()
  const played = await sandbox.post('/v1/sandbox/triggers/order_cancelled')
  assert.equal(played.status, 200, played.text)
  const { touched } = played.body as { touched: { object: string; id: string }[] }
  const id = touched.find(({ object: kind }) => kind === 'order')?.id
  const order = read(orderShape, (await sandbox.get(`/v1/orders/${id}`)).body)
  const details = read(detailsShape, (await sandbox.get(`/v1/orders/${order.id}/details`)).body)
  assert.equal(details.id, order.id)
  assert.equal(details.cabinet.marketplace, order.marketplace)
  assert.equal(details.lines[0]?.barcode, order.barcode)
  assert.equal(details.history.at(-1)?.status, 'CANCELLED')
  const other = await target.emptySandbox()
  assertRefused(await other.get(`/v1/orders/${order.id}/details`), 'not_found')
})
