import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Connector, ReportedOrder } from '../../src/exchange/marketplaces/connector.ts'
import { openOzon } from '../../src/exchange/marketplaces/ozon/connector.ts'
import type { RecordedCall } from '../../src/exchange/marketplaces/recording/recorded-calls.ts'
import { openWildberries } from '../../src/exchange/marketplaces/wildberries/connector.ts'
import type { StaffCabinet } from '../../src/warehouse/clients/cabinet-view.ts'
import { eventually } from '../support/faults.ts'
import type { Fake } from '../support/marketplaces/fake.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import {
  type KnownAnswer,
  parseKnownAnswers,
} from '../support/marketplaces/known-answers/format.ts'
import buyer from '../support/marketplaces/named-buyer.json' with { type: 'json' }
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { awaitQuiet } from '../support/waiting.ts'

/** Raw calls of cabinets: switched on for a time, without buyers and keys, as a list and as a file. */
const { wb, ozon, settings } = await startFakes()
const service = await startService(settings, 'all')
const unlimited = {
  take: async () => {},
  charge: async () => {},
  leave: async () => {},
  hold: async () => {},
  holdPart: async () => {},
}
const barcode = '4600000000017'
const personal = /Иван|Петров|9991234567|999 123|Советская|ivan@/

interface Page {
  readonly items: readonly RecordedCall[]
  readonly total: number
  readonly next_cursor: string | null
}

async function open(fake: Fake) {
  const floor = await openFloor(service, { [barcode]: 5 })
  const { manager } = floor
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 2 }
  fake.addOrder(account, { lines: [line], raw: buyer })
  fake.addOrder(account, { lines: [line], raw: buyer })
  const { marketplace } = fake
  const { credentials } = account
  const draft = { marketplace, name: marketplace, credentials, shipments: 'observe' }
  const made = await manager.post(`/clients/${floor.client}/cabinets`, draft)
  const { id } = good<StaffCabinet>(made, 201)
  const cabinet = async () => good<StaffCabinet>(await manager.get(`/cabinets/${id}`))
  const sync = async () => {
    await awaitQuiet(service.db, id)
    const before = (await cabinet()).synced_at
    await manager.post(`/cabinets/${id}/sync`)
    await eventually('the cabinet is synced', async () => {
      const { synced_at } = await cabinet()
      return synced_at !== null && synced_at !== before
    })
  }
  const calls = async (query = '') =>
    good<Page>(await manager.get(`/cabinets/${id}/calls?limit=100${query}`))
  await eventually('the first sync', async () => (await cabinet()).synced_at !== null)
  return { ...floor, id, account, cabinet, sync, calls }
}

/** A server that answers with the known answers of each path, one after the other. */
async function replay(exported: ReturnType<typeof parseKnownAnswers>): Promise<string> {
  const left = new Map<string, KnownAnswer[]>()
  for (const { call, cases } of exported) {
    const method = call.split(' ')[0]
    for (const { request, answer } of cases) {
      const key = `${method} ${request?.path}`
      left.set(key, [...(left.get(key) ?? []), answer])
    }
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://replay')
    const answers = left.get(`${request.method} ${pathname}`) ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    response.writeHead(answer?.status ?? 418, { 'content-type': 'application/json' })
    response.end(answer?.body == null ? '' : JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ordersOf(connector: Connector): Promise<ReportedOrder[]> {
  const found = new Map<string, ReportedOrder>()
  for await (const { items } of connector.orders(Date.now() - 86_400_000)) {
    for (const order of items) found.set(order.externalId, order)
  }
  return [...found.values()].sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
}

/** The buyer's comment is removed. */
function withoutComment(orders: readonly ReportedOrder[]) {
  return orders.map(({ facts, ...order }) => ({ ...order, facts: { ...facts, comment: null } }))
}

for (const [name, fake] of [
  ['WB', wb],
  ['OZON', ozon],
] as const) {
  // Guarantee (raw-calls): Raw calls hold no buyer and no key.
  test(`${name}: raw calls hold no buyer and no key, and the connector reads their file as it read the marketplace`, async () => {
    const { id, account, manager, sync, calls, cabinet } = await open(fake)
    assert.equal((await calls()).total, 0)
    assert.equal((await cabinet()).calls_recorded_until, null)
    const on = good<StaffCabinet>(await manager.put(`/cabinets/${id}/recording`, { hours: 2 }))
    assert.ok((on.calls_recorded_until ?? '') > on.created_at)
    const before = fake.calls().length
    await sync()
    const made = fake.calls().length - before
    assert.ok(made > 0)
    await eventually('all calls are written', async () => (await calls()).total === made)
    const { items } = await calls()
    const kept = JSON.stringify(items)
    assert.doesNotMatch(kept, personal)
    for (const secret of Object.values(account.credentials)) assert.ok(!kept.includes(secret))
    assert.ok(items.every(({ status, duration_ms }) => status === 200 && duration_ms >= 0))
    const file = await manager.get(`/cabinets/${id}/calls/export`)
    assert.match(file.headers.get('content-disposition') ?? '', /attachment/)
    assert.doesNotMatch(file.text, personal)
    const exported = parseKnownAnswers(file.text, 'export')
    const cases = exported.flatMap((call) => call.cases)
    assert.ok(cases.every(({ kind, request }) => kind === 'recorded' && request?.path))
    const from = (baseUrl: string) =>
      fake === wb
        ? openWildberries({
            credentials: { token: 'x' },
            baseUrl,
            contentBaseUrl: baseUrl,
            limits: unlimited,
          })
        : openOzon({
            credentials: { clientId: '1', apiKey: 'x' },
            baseUrl,
            limits: unlimited,
          })
    const replayed = await ordersOf(from(await replay(exported)))
    assert.equal(replayed.length, 2)
    const {
      token = '',
      client_id: clientId = '',
      api_key: apiKey = '',
    } = account.credentials as {
      [field: string]: string
    }
    const live =
      fake === wb
        ? openWildberries({
            credentials: { token },
            baseUrl: wb.baseUrl,
            contentBaseUrl: wb.baseUrl,
            limits: unlimited,
          })
        : openOzon({
            credentials: { clientId, apiKey },
            baseUrl: ozon.baseUrl,
            limits: unlimited,
          })
    assert.deepEqual(withoutComment(replayed), withoutComment(await ordersOf(live)))
  })
}

test('the switch is journalled, ends at once or by itself, and staff delete what was kept', async () => {
  const { id, client, manager, sync, calls, cabinet } = await open(wb)
  for (const hours of [0, 169, 1.5, '2']) {
    const answer = await manager.put(`/cabinets/${id}/recording`, { hours })
    assert.deepEqual([answer.status, answer.code], [400, 'validation_error'])
    assert.match(answer.message, /hours/)
  }
  good(await manager.put(`/cabinets/${id}/recording`, { hours: 1 }))
  wb.failNext(1, { status: 500 }, '/api/v3/orders/new')
  const before = wb.calls().length
  await sync()
  const all = wb.calls().length - before
  await eventually('all calls are written', async () => (await calls()).total === all)
  assert.equal((await calls('&status=500')).total, 1)
  const some = await calls('&path=/orders/new')
  assert.ok(some.total > 0 && some.total < all)
  assert.equal((await calls('&created_to=2026-01-01')).total, 0)
  const first = good<Page>(await manager.get(`/cabinets/${id}/calls?limit=2`))
  assert.equal(first.items.length, 2)
  const second = good<Page>(
    await manager.get(`/cabinets/${id}/calls?limit=2&cursor=${first.next_cursor}`),
  )
  assert.ok((second.items[0]?.id ?? 0) < (first.items[1]?.id ?? 0))

  good(await manager.delete(`/cabinets/${id}/recording`))
  assert.equal((await cabinet()).calls_recorded_until, null)
  await sync()
  assert.equal((await calls()).total, all)
  good(await manager.put(`/cabinets/${id}/recording`, { hours: 1 }))
  await service.db`
    update cabinets set calls_recorded_until = now() - interval '1 second' where id = ${id}`.affected()
  assert.equal((await cabinet()).calls_recorded_until, null)
  await sync()
  assert.equal((await calls()).total, all)

  assert.deepEqual(good(await manager.delete(`/cabinets/${id}/calls`)), { deleted: all })
  assert.deepEqual((await manager.get(`/cabinets/${id}/calls/export`)).body, [])
  const entries = await service.db<{ action: string; login: string }[]>`
    select action, login from staff_journal where client_id = ${client} and object_id = ${id}
      and action like '%Calls' order by id`
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.login]),
    [
      'recordCabinetCalls',
      'stopRecordingCabinetCalls',
      'recordCabinetCalls',
      'deleteCabinetCalls',
    ].map((action) => [action, manager.login]),
  )
})
