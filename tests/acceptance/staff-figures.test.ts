import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

const service = await sharedService()
const administrator = await staffClient(service, 'administrator')

interface Slot {
  readonly at: string
  readonly received: number
  readonly returned: number
  readonly shipped: number
}
interface Flow {
  readonly from: string
  readonly to: string
  readonly items: readonly Slot[]
  readonly shortages: readonly { readonly count: number }[]
}
interface Now {
  readonly webhook_hours: readonly {
    readonly at: string
    readonly delivered: number
    readonly undelivered: number
  }[]
  readonly in_question: readonly { readonly units: number; readonly goods: number }[]
}

/** A manager who sees one warehouse, and a client in it who received two units of three. */
async function openWarehouse() {
  const code = randomUUID().slice(0, 8).toUpperCase()
  good(await administrator.post('/warehouses', { code, name: code }), 201)
  const manager = await staffClient(service, 'manager')
  const own = { warehouse_codes: [code] }
  good(await administrator.put(`/users/${manager.userId}/warehouses`, own))
  const draft = { name: code, warehouse_code: code }
  const { id: client } = good<{ id: string }>(await administrator.post('/clients', draft), 201)
  const items = [{ barcode: '4600000000017', name: 'Кружка', qty: 3 }]
  const path = `/clients/${client}/receipts`
  const { id } = good<{ id: string }>(await administrator.post(path, { items }), 201)
  const receipt = `/receipts/${id}`
  good(await administrator.post(`${receipt}/start`))
  const scan = { scan_id: 'one', barcode: '4600000000017', qty: 2 }
  good(await administrator.post(`${receipt}/scans`, scan))
  const { items: reasons } = good<{ items: { code: string }[] }>(
    await administrator.get('/reasons?kind=shortage'),
  )
  const shortages = [{ barcode: '4600000000017', reason: reasons[0]?.code }]
  good(await administrator.post(`${receipt}/finish`, { shortages }))
  return { manager, client }
}

const sum = (flow: Flow) => flow.items.reduce((total, { received }) => total + received, 0)

test('the flow of a day by hour and of a month by day counts what the clients of the own warehouses received', async () => {
  const { manager } = await openWarehouse()
  const today = good<Flow>(await manager.get('/figures/flow'))
  assert.equal(today.items.length, 24)
  assert.equal(sum(today), 2)
  assert.deepEqual(
    today.shortages.map(({ count }) => count),
    [1],
  )
  const month = good<Flow>(await manager.get('/figures/flow?step=day'))
  assert.equal(month.items.length, 30)
  assert.equal(month.items.at(-1)?.received, 2)
  assert.equal(sum(month), 2)
  const elsewhere = await openWarehouse()
  assert.equal(sum(good<Flow>(await elsewhere.manager.get('/figures/flow'))), 2)
})

test('a period of the flow that is too long or empty is refused', async () => {
  const manager = await staffClient(service, 'manager')
  for (const query of ['from=2026-11-01&to=2026-11-04', 'from=2026-11-02&to=2026-11-01&step=day']) {
    assertRefused(await manager.get(`/figures/flow?${query}`), 'bad_request')
  }
})

test('units in question stand at their age', async () => {
  const { manager, client } = await openWarehouse()
  const question = { barcode: '4600000000017', qty: 2, reason: 'DAMAGED' }
  const { items } = good<{ items: { code: string }[] }>(
    await manager.get('/reasons?kind=correction'),
  )
  const reason = items[0]?.code ?? question.reason
  good(await manager.post(`/clients/${client}/in-question`, { ...question, reason }), 201)
  const now = good<Now>(await manager.get('/figures/now'))
  assert.deepEqual(
    now.in_question.map(({ units, goods }) => [units, goods]),
    [
      [2, 1],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  )
})

test('deliveries of webhooks stand at their hours of two days, for the clients of the own warehouses', async () => {
  const { manager, client } = await openWarehouse()
  const elsewhere = await openWarehouse()
  const { db } = service
  const webhook = randomUUID()
  await db`
    insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
    values (${client}, ${webhook}, 'https://seller.example/hook', array['receipt.completed'], '\\x00', now())`
  const add = (status: 'PENDING' | 'DELIVERED' | 'FAILED', hoursAgo: number, attempts: number) => {
    const at = db`date_trunc('hour', now()) - ${hoursAgo} * interval '1 hour'`
    const values = db`${client}, ${randomUUID()}, ${webhook}, ${randomUUID()}, 'receipt.completed', ${attempts}, ${at}`
    const columns = db`client_id, id, webhook_id, event_id, event_type, attempts, created_at`
    return status === 'PENDING'
      ? db`insert into pending_deliveries (${columns}, next_attempt_at) values (${values}, now())`
      : db`insert into ended_deliveries (${columns}, status) values (${values}, ${status})`
  }
  await add('DELIVERED', 24, 1)
  await add('DELIVERED', 24, 2)
  await add('FAILED', 24, 8)
  await add('PENDING', 30, 3)
  await add('PENDING', 30, 0)
  await add('DELIVERED', 60, 1)
  const hoursOf = async (user: typeof manager) =>
    good<Now>(await user.get('/figures/now')).webhook_hours
  const hours = await hoursOf(manager)
  assert.equal(hours.length, 48)
  const filled = hours.filter(({ delivered, undelivered }) => delivered + undelivered > 0)
  assert.deepEqual(
    filled.map(({ delivered, undelivered }) => [delivered, undelivered]),
    [
      [0, 1],
      [2, 1],
    ],
  )
  const [early, late] = filled.map(({ at }) => Date.parse(at))
  assert.equal((late ?? 0) - (early ?? 0), 6 * 3_600_000)
  assert.ok((await hoursOf(elsewhere.manager)).every(({ delivered }) => delivered === 0))
})

test('tokens of a user are listed without themselves, and a revoked one says when', async () => {
  const machine = await staffClient(service, 'worker')
  const path = `/users/${machine.userId}/tokens`
  const { items } = good<{ items: { id: string; revoked_at: string | null }[] }>(
    await administrator.get(path),
  )
  assert.deepEqual(
    items.map(({ revoked_at }) => revoked_at),
    [null],
  )
  assert.equal(JSON.stringify(items).includes(machine.token), false)
  assert.equal((await administrator.delete(`${path}/${items[0]?.id}`)).status, 204)
  const after = good<{ items: typeof items }>(await administrator.get(path))
  assert.equal(typeof after.items[0]?.revoked_at, 'string')
})
