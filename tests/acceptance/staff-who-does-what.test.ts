import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PersonAtWork } from '../../src/identity/staff/people-at-work.ts'
import type { Shift } from '../../src/identity/staff/shifts.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import type { ObjectName } from '../../src/platform/kernel/object-name.ts'
import type { StaffEntry } from '../../src/warehouse/journal/staff.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'
import { noon } from '../support/warehouse.ts'

const clock = new ManualClock(noon)
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const hour = 3_600_000

interface Items<T> {
  readonly items: T[]
  readonly total: number
}

const listed = async (user: StaffClient, path: string) =>
  good<Items<{ id: string; client_id?: string; client_name?: string }>>(await user.get(path))

/** A warehouse of its own, with a client. */
async function warehouse(code: string) {
  good(await admin.post('/warehouses', { code, name: `Склад ${code}` }), 201)
  const draft = { name: `Клиент ${code}`, warehouse_code: code }
  const client = good<{ id: string }>(await admin.post('/clients', draft), 201).id
  const cabinet = good<{ id: string }>(
    await admin.post(`/clients/${client}/cabinets`, { marketplace: 'WB', name: code }),
    201,
  ).id
  return { code, client, cabinet }
}

const give = (by: StaffClient, user: StaffClient, ...warehouse_codes: string[]) =>
  by.put(`/users/${user.userId}/warehouses`, { warehouse_codes })

// Guarantee (staff): A user of some warehouses sees and changes data of their clients only.
test('a user of a warehouse sees and changes what is of its clients', async () => {
  const [mine, other] = [await warehouse('W-mine'), await warehouse('W-other')]
  const manager = await staffClient(service, 'manager')
  const given = good<{ warehouses: string[] }>(await give(admin, manager, mine.code))
  assert.deepEqual(given.warehouses, [mine.code])
  assert.deepEqual(good<{ warehouses: string[] }>(await manager.get('/session')).warehouses, [
    mine.code,
  ])
  for (const { client, cabinet, code } of [mine, other]) {
    const draft = [{ cabinet_id: cabinet, external_id: `order ${code}`, barcode: 'A' }]
    good(await admin.post(`/clients/${client}/orders`, draft), 201)
    good(await admin.post('/shipments', { cabinet_id: cabinet, external_id: code }), 201)
    good(await admin.post('/boxes', { client_id: client }), 201)
    const items = [{ barcode: 'A', name: 'A', qty: 1 }]
    good(await admin.post(`/clients/${client}/receipts`, { items }), 201)
  }
  for (const list of ['orders', 'shipments', 'picking-tasks', 'boxes', 'receipts', 'cabinets']) {
    const { items, total } = await listed(manager, `/${list}?limit=50`)
    assert.deepEqual([items.map(({ client_id }) => client_id), total], [[mine.client], 1], list)
    if (list !== 'cabinets') {
      assert.equal(items[0]?.client_name, `Клиент ${mine.code}`, `workers read no clients: ${list}`)
    }
    const [foreignOne] = (await listed(admin, `/${list}?client_id=${other.client}`)).items
    assert.ok(foreignOne)
    for (const each of [...items, foreignOne]) {
      const { status } = await manager.get(
        list === 'cabinets' ? `/${list}/${each.id}/observation` : `/${list}/${each.id}`,
      )
      const isOwn = each.client_id === mine.client
      // The observation of a cabinet that is not observed is refused, which an unknown one is, too.
      if (list !== 'cabinets') assert.equal(status, isOwn ? 200 : 404, list)
      else if (!isOwn) assert.equal(status, 404)
      if (!['shipments', 'picking-tasks', 'receipts'].includes(list)) continue
      const paper = await fetch(
        `${service.baseUrl}/staff/v1/documents/${list.slice(0, -1)}/${each.id}?format=html`,
        { headers: { Authorization: `Bearer ${manager.token}` } },
      )
      assert.equal(paper.status, isOwn ? 200 : 404, `the paper of ${list}`)
    }
    const foreign = await listed(manager, `/${list}?client_id=${other.client}`)
    assert.deepEqual(foreign, { items: [], total: 0, next_cursor: null }, list)
    assert.ok((await listed(admin, `/${list}?limit=50`)).total >= 2, list)
  }
  const clients = await listed(manager, '/clients')
  assert.deepEqual(
    clients.items.map(({ id }) => id),
    [mine.client],
  )
  const rename = (client: string) => manager.patch(`/clients/${client}`, { name: 'Другое имя' })
  good(await rename(mine.client))
  assertRefused(await rename(other.client), 'not_found')
  for (const path of ['', '/stock', '/movements', '/metrics', '/cabinets', '/keys']) {
    assert.equal((await manager.get(`/clients/${mine.client}${path}`)).status, 200, path)
    assertRefused(await manager.get(`/clients/${other.client}${path}`), 'not_found')
  }
  const exceptionOf = async ({ client }: { client: string }) => {
    const batch = good<{ id: string }>(await admin.post('/returns', { client_id: client }), 201).id
    good(await admin.post(`/returns/${batch}/finish`))
    const scan = { scan_id: 'late', code: 'X', condition: 'sellable' }
    const late = { ...scan, queued_at: '2026-11-20T11:59:00+03:00' }
    return good<{ id: string }>(await admin.post(`/returns/${batch}/scans`, late), 202).id
  }
  good(await manager.get(`/exceptions/${await exceptionOf(mine)}`))
  const foreignException = `/exceptions/${await exceptionOf(other)}`
  assertRefused(await manager.get(foreignException), 'not_found')
  const dismissed = { decision: 'dismissed', comment: 'x' }
  assertRefused(await manager.post(`${foreignException}/resolve`, dismissed), 'not_found')
  const taken = await manager.post('/boxes', { client_id: other.client })
  assertRefused(taken, 'validation_error', 'нет')
  const elsewhere = { warehouse_code: other.code }
  const refused = [
    manager.post('/clients', { name: 'Чужой', ...elsewhere }),
    manager.patch(`/clients/${mine.client}`, elsewhere),
    manager.post('/locations', { code: 'X-1', ...elsewhere }),
    manager.post('/locations/bulk', { pattern: 'X-{1..2}', ...elsewhere }),
  ]
  for (const answer of await Promise.all(refused)) {
    assertRefused(answer, 'forbidden', `а не на ${other.code}`)
  }
  const made = good<{ warehouse_code: string }>(
    await manager.post('/clients', { name: 'Свой' }),
    201,
  )
  assert.equal(made.warehouse_code, mine.code)
  const { items: seen } = await listed(manager, '/warehouses')
  assert.deepEqual(
    seen.map((each) => (each as { code?: string }).code),
    [mine.code],
  )

  const worker = await staffClient(service, 'worker')
  assertRefused(await give(manager, worker, mine.code), 'forbidden', 'всех его складов')
  good(await give(admin, worker, mine.code, other.code))
  assertRefused(await give(manager, worker, mine.code), 'forbidden', 'всех его складов')
  good(await give(admin, worker, mine.code))
  assertRefused(await give(manager, worker), 'forbidden', 'других не назначить')
  assertRefused(await give(admin, worker, 'nowhere'), 'validation_error', 'nowhere')
  good(await give(admin, worker))
  assert.ok((await listed(worker, '/orders')).total >= 2, 'none: all warehouses')
})

test('the warehouse of a client changes only while no goods of it lie there', async () => {
  const floor = await openFloor(service, { A: 2 })
  const { code } = await warehouse('W-next')
  const move = () => floor.manager.patch(`/clients/${floor.client}`, { warehouse_code: code })
  assertRefused(await move(), 'conflict', '2 шт.')
  const off = { entry_id: 'w', barcode: 'A', qty: 2, reason: 'LOST' }
  good(await floor.manager.post(`/clients/${floor.client}/write-offs`, off), 201)
  good(await move())
})

test('a manager reads the changes of clients by date and in words', async () => {
  const floor = await openFloor(service, { A: 5 })
  clock.advance(24 * hour)
  const from = new Date(clock.now()).toISOString()
  const entry = { entry_id: 'j', barcode: 'A', delta: 2, reason: 'FOUND' }
  good(await floor.manager.post(`/clients/${floor.client}/corrections`, entry), 201)
  const read = async (user: StaffClient, filter: string) =>
    good<Items<StaffEntry>>(await user.get(`/journal/staff?${filter}`)).items
  const entries = await read(floor.manager, `client_id=${floor.client}&created_from=${from}`)
  assert.equal(entries.length, 1)
  const [correction] = entries
  assert.equal(correction?.actor_name, floor.manager.login)
  assert.equal(correction?.title, 'Исправлен остаток')
  assert.ok(correction?.words.includes('остаток: 5 → 7'), correction?.words.join('\n'))
  const before = await read(floor.manager, `client_id=${floor.client}&created_to=${from}`)
  assert.ok(before.every(({ time }) => Date.parse(time) < Date.parse(from)))

  const made = await staffClient(service, 'worker')
  good(await admin.patch(`/users/${made.userId}`, { role: 'manager' }))
  const ofUser = `object_id=${made.userId}`
  assert.equal((await read(floor.manager, ofUser)).length, 0, 'no matter of a client')
  assert.deepEqual((await read(admin, ofUser))[0]?.words, ['роль: сотрудник склада → менеджер'])

  const own = await warehouse('W-journal')
  good(await give(admin, floor.manager, own.code))
  assert.equal((await read(floor.manager, `client_id=${floor.client}`)).length, 0)
  assertRefused(await floor.worker.get('/journal/staff'), 'forbidden')
})

test('a correction at a place is one change of a shift, as one without a place is', async () => {
  clock.advance(24 * hour)
  const floor = await openFloor(service, { A: 3 })
  const box = good<{ id: string }>(
    await floor.worker.post('/boxes', { client_id: floor.client }),
    201,
  )
  const from = new Date(clock.now()).toISOString()
  const correct = (entry_id: string, place: object) =>
    floor.manager.post(`/clients/${floor.client}/corrections`, {
      ...{ entry_id, barcode: 'A', delta: 1, reason: 'FOUND' },
      ...place,
    })
  const changes = async () => {
    const path = `/shifts?from=${from}&user_id=${floor.manager.userId}`
    return good<{ items: Shift[] }>(await floor.manager.get(path)).items[0]?.changes
  }
  good(await correct('without', {}), 201)
  assert.equal(await changes(), 1)
  good(await correct('with', { box_id: box.id }), 201)
  assert.equal(await changes(), 2)
  good(await correct('with', { box_id: box.id }), 201)
  assert.equal(await changes(), 2, 'a repeat')
})

test('a shift shows what each worker did, without repeats', async () => {
  clock.advance(24 * hour)
  const floor = await openFloor(service, { A: 3 })
  const other = await staffClient(service, 'worker')
  const orders = await floor.orders({ S1: 'A', S2: 'A' })
  const [first, second] = orders
  assert.ok(first && second)
  const shipment = await floor.filled(orders)
  const task = shipment.picking_task_id
  const from = new Date(clock.now()).toISOString()
  clock.advance(hour)
  const pick = (scan_id: string, order_id: string) =>
    floor.pick(task, { scan_id, order_id, barcode: 'A' })
  good(await pick('1', first.id))
  good(await pick('1', first.id))
  good(await floor.worker.post(`/picking-tasks/${task}/picks/1/undo`))
  good(await pick('2', first.id))
  good(
    await other.post(`/picking-tasks/${task}/picks`, {
      scan_id: '3',
      order_id: second.id,
      barcode: 'A',
    }),
  )
  const items = [{ barcode: 'B', name: 'B', qty: 10 }]
  const receipt = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, { items }),
    201,
  )
  good(await other.post(`/receipts/${receipt.id}/start`))
  const scan = { scan_id: 's', barcode: 'B', qty: 4 }
  good(await other.post(`/receipts/${receipt.id}/scans`, scan))
  good(await other.post(`/receipts/${receipt.id}/scans`, scan))
  const atWork = async () =>
    good<{ items: PersonAtWork[] }>(await floor.manager.get('/today/people')).items
  const doing = (people: readonly PersonAtWork[], user: StaffClient) => {
    const person = people.find(({ user_id }) => user_id === user.userId)
    const object = person?.object as ObjectName | undefined
    return person && [person.work, object?.kind, object?.id, person.scans]
  }
  const people = await atWork()
  assert.deepEqual(doing(people, other), ['receiving', 'receipt', receipt.id, 1])
  assert.deepEqual(doing(people, floor.worker), ['picking', 'picking_task', task, 2])
  assert.equal(doing(people, floor.manager), undefined)
  clock.advance(hour)
  assert.equal(doing(await atWork(), floor.worker), undefined, 'an hour later')
  assertRefused(await floor.worker.get('/today/people'), 'forbidden')
  clock.advance(-hour)
  const shifts = async (filter = '') =>
    good<{ items: Shift[] }>(await floor.manager.get(`/shifts?from=${from}${filter}`)).items
  const all = await shifts()
  const of = (user: StaffClient) => all.find(({ user_id }) => user_id === user.userId)
  const mine = of(floor.worker)
  assert.deepEqual(
    [mine?.login, mine?.picks, mine?.undone_picks, mine?.picking_tasks, mine?.scans],
    [floor.worker.login, 2, 1, 1, 0],
  )
  assert.deepEqual(
    [mine?.picking_hours, of(other)?.picking_hours, of(floor.manager)?.picking_hours ?? 0],
    [1, 1, 0],
  )
  const theirs = of(other)
  assert.deepEqual(
    [theirs?.picks, theirs?.scans, theirs?.scanned_units, theirs?.receipts],
    [1, 1, 4, 1],
  )
  assert.deepEqual(await shifts(`&user_id=${other.userId}`), [theirs])
  assert.deepEqual(await shifts('&user_id=x'), [])
  const early = await shifts(`&to=${new Date(clock.now() - hour / 2).toISOString()}`)
  assert.ok(early.every(({ picks, scans }) => picks + scans === 0))
  assertRefused(
    await floor.manager.get('/shifts?from=2026-01-01&to=2026-03-01'),
    'bad_request',
    '31 дня',
  )
  assertRefused(
    await floor.manager.get('/shifts?from=2026-01-01&to=2026-01-01'),
    'bad_request',
    'следующий день',
  )
  const scans = good<Items<{ scanned_by_name?: string }>>(
    await floor.worker.get(`/receipts/${receipt.id}/scans`),
  )
  assert.equal(scans.items[0]?.scanned_by_name, other.login)
  const movements = good<Items<{ actor_name?: string }>>(
    await floor.manager.get(`/clients/${floor.client}/movements?barcode=B`),
  )
  assert.equal(movements.items[0]?.actor_name, other.login)
})
