import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { barcode, calledWith, choosePickupPoint, openCrashScene } from '../support/crash-scene.ts'
import { eventually, hold } from '../support/faults.ts'
import type { Fake } from '../support/marketplaces/fake.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { good } from '../support/shipping.ts'

/** Processes that are killed while a marketplace carries out their call. */
const fakes = await startFakes()
const { wb, ozon } = fakes
const openCrash = (t: TestContext, fake: Fake) => openCrashScene(t, fakes, fake)

type Step = 'create' | 'fill' | 'remove' | 'close' | 'cancel' | 'boxes'
/** The process dies during the marketplace's answer, or right before the commit. */
type Point = 'call' | 'commit'
/** The worker repeats the request, or does nothing. */
type Follow = 'again' | 'alone'

const paths: Readonly<Record<string, Readonly<Partial<Record<Step, string>>>>> = {
  WB: {
    create: '/api/v3/supplies',
    fill: '/orders',
    close: '/deliver',
    cancel: '/api/v3/supplies/WB',
    boxes: '/trbx',
  },
  OZON: {
    create: '/carriage/create',
    fill: '/carriage/set-postings',
    remove: '/carriage/set-postings',
    close: '/carriage/approve',
    cancel: '/carriage/cancel',
  },
}

async function crash(t: TestContext, fake: Fake, step: Step, point: Point, follow: Follow) {
  const scene = await openCrash(t, fake)
  const { db, worker, manager, account, client, cabinet } = scene
  const numbers = [scene.addOrder(), scene.addOrder()].toSorted()
  await eventually('orders are taken in', async () => (await scene.count()) === 2)
  const rows = await db<{ id: string; external_id: string }[]>`
    select id, external_id from orders where client_id = ${client}`
  const ids = rows.map(({ id }) => id)
  const creation = { cabinet_id: cabinet, external_id: 'заявка 1', name: 'Дневная' }
  const opened =
    step === 'create'
      ? undefined
      : good<StaffShipment>(await worker.post('/shipments', creation), 201)
  if (opened !== undefined && step !== 'fill') {
    good(await scene.add(opened.id, ids))
    for (const id of ids) {
      good(await scene.pick(opened.picking_task_id, { scan_id: id, order_id: id, barcode }))
    }
  }
  if (step === 'boxes') await choosePickupPoint(worker, cabinet, opened?.id)
  const [taken, kept] = rows
  const ask = (calls: Pick<typeof worker, 'post' | 'put' | 'delete'>) => {
    if (step === 'create') return calls.post('/shipments', creation)
    const path = `/shipments/${opened?.id}`
    if (step === 'cancel') return calls.delete(path)
    if (step === 'boxes') return calls.put(`${path}/boxes`, { count: 1 })
    if (step === 'remove') return calls.delete(`${path}/orders/${taken?.id}`)
    return step === 'fill'
      ? calls.post(`${path}/orders`, { order_ids: ids })
      : calls.post(`${path}/close`)
  }
  const remote = () =>
    fake
      .shipments(account)
      .filter(({ name, cancelled }) => !(cancelled || name === 'SK-REST Остаток'))
  const boxesOf = (id = '') => (fake === wb ? wb.boxesOf(account, id) : [])
  const isDoneThere = () => {
    const [shipment] = remote()
    if (step === 'create') return shipment !== undefined
    if (step === 'cancel') return shipment === undefined
    if (step === 'boxes') return boxesOf(shipment?.id).length === 1
    if (step === 'fill') return shipment?.orders.length === 2
    if (step === 'remove') return shipment?.orders.length === 1
    return shipment?.closedAt !== undefined
  }

  if (point === 'call') {
    const called = calledWith(fake, account.id, paths[fake.marketplace]?.[step] ?? '')
    fake.latency(700)
    const lost = ask(manager).catch(() => undefined)
    await called
    await scene.first.end('SIGKILL')
    await lost
    fake.latency(0)
  } else {
    const held = await hold(db, {
      table: 'remote_commands',
      on: 'update',
      when: "new.state = 'done'",
    })
    const lost = ask(manager).catch(() => undefined)
    await scene.killHeld(held)
    await lost
  }
  await eventually('the marketplace has done it', async () => isDoneThere())

  const calls = await scene.second()
  if (follow === 'again') {
    const answer = await ask(calls)
    // The next sync run may finish the step before the worker repeats it.
    assert.ok([200, 201, 204, 404, 409].includes(answer.status), answer.text)
  }
  await eventually('it is so here', async () => {
    const [row] = await db<{ status: string; orders_count: number }[]>`
      select status, orders_count from shipments where client_id = ${client}`
    if (step === 'create') return row !== undefined
    if (step === 'cancel') return row === undefined
    if (step === 'close') return row?.status === 'HANDED_OVER'
    return row?.orders_count === (step === 'remove' ? 1 : 2)
  })
  assert.equal(remote().length, step === 'cancel' ? 0 : 1)
  const local = await db<{ external_id: string }[]>`
    select external_id from shipments where client_id = ${client}`
  assert.deepEqual(
    local.map(({ external_id }) => external_id),
    remote().map(({ id }) => id),
  )
  const present = [...(remote()[0]?.orders ?? [])].toSorted()
  const left = step === 'remove' ? [kept?.external_id] : numbers
  assert.deepEqual(present, step === 'create' || step === 'cancel' ? present : left)
  const expected = {
    create: [5, 0],
    cancel: [5, 0],
    fill: [5, 2],
    boxes: [5, 2],
    remove: [5, 1],
    close: [3, 0],
  } as const
  assert.deepEqual(await scene.stock(barcode), expected[step])
  await eventually('no remote command is left open', scene.isNothingOpen)
  if (step === 'boxes') {
    const [command] = await db`select state from remote_commands where kind = 'add_boxes'`
    assert.equal(command?.state, 'done')
    assert.equal(boxesOf(remote()[0]?.id).length, 1)
  }
  assert.deepEqual((await audit(db)).findings, [])
}

const cases: readonly (readonly [Fake, Step, Point, Follow])[] = [
  [wb, 'create', 'call', 'again'],
  [wb, 'create', 'call', 'alone'],
  [wb, 'create', 'commit', 'again'],
  [wb, 'fill', 'call', 'alone'],
  [wb, 'fill', 'commit', 'again'],
  [wb, 'close', 'call', 'again'],
  [wb, 'close', 'commit', 'alone'],
  [wb, 'boxes', 'call', 'alone'],
  [wb, 'boxes', 'call', 'again'],
  [wb, 'boxes', 'commit', 'again'],
  [ozon, 'create', 'call', 'alone'],
  [ozon, 'create', 'commit', 'again'],
  [ozon, 'fill', 'call', 'again'],
  [ozon, 'fill', 'commit', 'alone'],
  [ozon, 'remove', 'call', 'alone'],
  [ozon, 'remove', 'commit', 'again'],
  [ozon, 'close', 'call', 'alone'],
  [ozon, 'close', 'commit', 'again'],
  [wb, 'cancel', 'call', 'alone'],
  [wb, 'cancel', 'commit', 'again'],
  [ozon, 'cancel', 'call', 'again'],
  [ozon, 'cancel', 'commit', 'alone'],
]

for (const [fake, step, point, follow] of cases) {
  const when = point === 'call' ? 'during the call' : 'before the commit'
  const then = follow === 'again' ? 'and the worker repeats it' : 'and nobody repeats it'
  // Guarantee (coordination): Each step of a shipment happens once on both sides, whenever the process is killed.
  test(`${fake.marketplace}: ${step} happens once on both sides when the process is killed ${when} ${then}`, (t) =>
    crash(t, fake, step, point, follow))
}

for (const path of ['product/country/set', 'exemplar/set', 'exemplar/status', 'posting/fbs/ship']) {
  // Guarantee (ozon): Marks of units are at OZON once, whenever the process is killed.
  test(`OZON: marks of units are there once when the process is killed during ${path}`, async (t) => {
    const scene = await openCrash(t, ozon)
    const { db, worker, client, cabinet, account } = scene
    const number = scene.addOrder()
    ozon.require(account, number, 'gtd', 'country', 'imei')
    await eventually('the order is taken in', async () => (await scene.count()) === 1)
    const [order] = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
    const creation = { cabinet_id: cabinet, external_id: 'заявка 1', order_ids: [order?.id] }
    const opened = good<StaffShipment>(await worker.post('/shipments', creation), 201)
    const gtd = '10704010/010624/0000302'
    const imei = '490154203237518'
    const marks = { customs_declaration: gtd, country: 'CN', imei }
    const pick = { scan_id: 's', order_id: order?.id, barcode, marks }
    good(await scene.pick(opened.picking_task_id, pick))
    const held = ozon.holdNext(path)
    const lost = worker.post(`/shipments/${opened.id}/close`).catch(() => undefined)
    await held.reached
    await scene.first.end('SIGKILL')
    held.release()
    await lost
    const calls = await scene.second()
    await eventually('it is handed over', async () => {
      const { status, text } = await calls.post(`/shipments/${opened.id}/close`)
      assert.ok([200, 409].includes(status), text)
      return status === 200
    })
    const [there, ...others] = ozon.shipments(account)
    assert.deepEqual([there?.orders, others], [[number], []])
    assert.notEqual(there?.closedAt, undefined)
    const [exemplar] = ozon.exemplarsOf(account, number)
    assert.deepEqual([exemplar?.gtd, exemplar?.marks], [gtd, [{ mark: imei, mark_type: 'imei' }]])
    assert.deepEqual(Object.values(ozon.countriesOf(account, number)), ['CN'])
    const called = (part: string) =>
      ozon.calls().filter((call) => call.account === account.id && call.path.includes(part)).length
    assert.equal(called('/fbs/ship'), 1)
    // The data that OZON has is not sent again.
    assert.equal(called('exemplar/set'), 1)
    assert.deepEqual(await scene.stock(barcode), [4, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

const lateCreations: readonly (readonly [path: string, follow: Follow])[] = [
  ['exemplar/set', 'alone'],
  ['posting/fbs/ship', 'again'],
  ['carriage/create', 'again'],
  ['carriage/create', 'alone'],
  ['carriage/set-postings', 'alone'],
  ['carriage/approve', 'again'],
]
for (const [path, follow] of lateCreations) {
  // Guarantee (coordination): A shipment that OZON creates at closing is there once, whenever the process is killed.
  test(`OZON: a shipment that OZON creates when it is closed is there once when the process is killed during ${path}, ${follow}`, async (t) => {
    const scene = await openCrash(t, ozon)
    const { db, worker, client, cabinet, account } = scene
    ozon.restrictCarriages(account)
    const number = scene.addOrder()
    ozon.require(account, number, 'imei')
    await eventually('the order is taken in', async () => (await scene.count()) === 1)
    const [order] = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
    const creation = { cabinet_id: cabinet, external_id: 'заявка 1', order_ids: [order?.id] }
    const opened = good<StaffShipment>(await worker.post('/shipments', creation), 201)
    assert.deepEqual(ozon.shipments(account), [])
    const marks = { imei: '490154203237518' }
    const pick = { scan_id: 's', order_id: order?.id, barcode, marks }
    good(await scene.pick(opened.picking_task_id, pick))
    const held = ozon.holdNext(path)
    const lost = worker.post(`/shipments/${opened.id}/close`).catch(() => undefined)
    await held.reached
    await scene.first.end('SIGKILL')
    held.release()
    await lost
    const calls = await scene.second()
    if (follow === 'alone') await eventually('all is finished', () => scene.isNothingOpen())
    await eventually('it is handed over', async () => {
      const { status, text } = await calls.post(`/shipments/${opened.id}/close`)
      assert.ok([200, 409].includes(status), text)
      const { status: here } = good<StaffShipment>(await calls.get(`/shipments/${opened.id}`))
      return here === 'HANDED_OVER'
    })
    const [there, ...others] = ozon.shipments(account)
    assert.deepEqual([there?.orders, others], [[number], []])
    assert.notEqual(there?.closedAt, undefined)
    const { external_id } = good<StaffShipment>(await calls.get(`/shipments/${opened.id}`))
    assert.equal(external_id, there?.id)
    assert.deepEqual(await scene.stock(barcode), [4, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const point of ['call', 'commit'] as const) {
  const when = point === 'call' ? 'between the halves' : 'before the commit'
  // Guarantee (wildberries): A batch that WB refuses in part is the same on both sides, whenever the process is killed.
  test(`WB: of a batch that WB refuses in part the same orders join on both sides when the process is killed ${when}`, async (t) => {
    const scene = await openCrash(t, wb)
    const { db, worker, client, cabinet, account } = scene
    for (let count = 0; count < 4; count += 1) scene.addOrder()
    await eventually('orders are taken in', async () => (await scene.count()) === 4)
    // The last one is in the half that comes second.
    const rows = await db<{ id: string; external_id: string }[]>`
      select id, external_id from orders where client_id = ${client} order by id`
    const bad = rows.at(-1)?.external_id ?? ''
    const accepted = rows.slice(0, 3).map(({ external_id }) => external_id)
    wb.holdBack(account, bad)
    const creation = { cabinet_id: cabinet, external_id: 'заявка 1' }
    const { id, external_id } = good<StaffShipment>(await worker.post('/shipments', creation), 201)
    const body = { order_ids: rows.map((row) => row.id) }
    const inside = () => [...(wb.shipments(account)[0]?.orders ?? [])].toSorted()
    const path = `${external_id}/orders`
    if (point === 'call') {
      let call = wb.holdNext(path)
      const lost = worker.post(`/shipments/${id}/orders`, body).catch(() => undefined)
      for (let passed = 0; passed < 2; passed += 1) {
        await call.reached
        const next = wb.holdNext(path)
        call.release()
        call = next
      }
      await call.reached
      await scene.first.end('SIGKILL')
      call.release()
      await lost
      assert.deepEqual(inside(), accepted.slice(0, 2).toSorted())
    } else {
      const done = { table: 'remote_commands', on: 'update', when: "new.state = 'done'" } as const
      const held = await hold(db, done)
      const lost = worker.post(`/shipments/${id}/orders`, body).catch(() => undefined)
      await scene.killHeld(held)
      await lost
      assert.deepEqual(inside(), accepted.toSorted())
    }
    const [before] = await db<{ orders_count: number }[]>`
      select orders_count from shipments where client_id = ${client}`
    assert.equal(before?.orders_count, 0)
    await scene.second()
    await eventually('no remote command is left open', scene.isNothingOpen)
    const [command] = await db<{ state: string; refused: { externalId: string }[] }[]>`
      select state, refused_orders as refused from remote_commands where kind = 'add_orders'`
    assert.deepEqual(
      [command?.state, command?.refused.map(({ externalId }) => externalId)],
      ['done', [bad]],
    )
    const joined = await db<{ external_id: string }[]>`
      select external_id from orders where client_id = ${client} and shipment_id = ${id}`
    assert.deepEqual(joined.map((row) => row.external_id).toSorted(), accepted.toSorted())
    assert.deepEqual(inside(), accepted.toSorted())
    assert.deepEqual(await scene.stock(barcode), [5, 3])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

test('after a kill during a sync run the next process continues it and duplicates nothing', async (t) => {
  const scene = await openCrash(t, wb)
  const { db, client, account } = scene
  await eventually('the cabinet is synced', async () => {
    const [row] = await db`select synced_at from cabinets where id = ${scene.cabinet}`
    return row?.synced_at !== null
  })
  wb.pagesOf(5)
  const numbers = Array.from({ length: 23 }, () => wb.addOrder(account)).toSorted()
  const held = await hold(db, { table: 'orders', on: 'insert' })
  await scene.killHeld(held)
  assert.equal(await scene.count(), 0)
  await scene.second()
  await eventually('all are there', async () => (await scene.count()) === 23)
  wb.heal()
  const rows = await db<{ external_id: string }[]>`
    select external_id from orders where client_id = ${client} order by external_id`
  assert.deepEqual(
    rows.map(({ external_id }) => external_id),
    numbers,
  )
  const [history] = await db`
    select count(*)::int as n from order_status_history where client_id = ${client}`
  assert.equal(history?.n, 23)
  assert.deepEqual((await audit(db)).findings, [])
})

for (const fake of [wb, ozon]) {
  test(`${fake.marketplace}: a kill between the list of warehouses and the choice of the only one leaves no order, and the next process chooses it`, async (t) => {
    const scene = await openCrashScene(t, fakes, fake, false)
    const { db, cabinet } = scene
    const choices = async () =>
      (await db`select from staff_journal where object_id = ${cabinet} and actor = 'service'`)
        .length
    await eventually('the warehouse is chosen', async () => (await choices()) === 1)
    const held = await hold(db, {
      table: 'cabinets',
      on: 'update',
      when: 'old.own_warehouses is null and new.own_warehouses is not null',
    })
    await db`update cabinets set own_warehouses = null where id = ${cabinet}`
    await held.reached()
    scene.addOrder()
    await scene.first.end('SIGKILL')
    await held.release()
    await held.over()
    const [after] = await db`select own_warehouses as own from cabinets where id = ${cabinet}`
    assert.deepEqual([after?.own, await scene.count(), await choices()], [null, 0, 1])
    await scene.second()
    await eventually('the order is there', async () => (await scene.count()) === 1)
    assert.equal(await choices(), 2)
    assert.deepEqual((await audit(db)).findings, [])
  })
}

// Guarantee (shipments): An order comes back once, also when the process is killed meanwhile.
test('orders that WB did not find come back once when the process is killed while it brings them back', async (t) => {
  const scene = await openCrash(t, wb)
  const { db, worker, client, cabinet, account } = scene
  const numbers = [scene.addOrder(), scene.addOrder()]
  await eventually('orders are taken in', async () => (await scene.count()) === 2)
  const rows = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
  const creation = { cabinet_id: cabinet, external_id: 'заявка 1' }
  const opened = good<StaffShipment>(await worker.post('/shipments', creation), 201)
  good(
    await scene.add(
      opened.id,
      rows.map(({ id }) => id),
    ),
  )
  for (const { id } of rows) {
    good(await scene.pick(opened.picking_task_id, { scan_id: id, order_id: id, barcode }))
  }
  good(await worker.post(`/shipments/${opened.id}/close`))
  assert.deepEqual(await scene.stock(barcode), [3, 0])
  const held = await hold(db, {
    table: 'orders',
    on: 'update',
    when: 'new.reship_since is not null',
  })
  wb.acceptWithout(account, opened.external_id, numbers)
  await scene.killHeld(held)
  const returned = async () => {
    const found = await db<{ units: number }[]>`
      select delta::int as units from stock_movements
      where client_id = ${client} and kind = 'return'`
    return found.map(({ units }) => units)
  }
  assert.deepEqual([await scene.stock(barcode), await returned()], [[3, 0], []])
  await scene.second()
  await eventually('both are here', async () => (await returned()).length > 0)
  assert.deepEqual(
    [await scene.stock(barcode), await returned()],
    [
      [5, 0],
      [1, 1],
    ],
  )
  const asked = wb.calls().length
  await eventually('the list is read again', async () =>
    wb
      .calls()
      .slice(asked)
      .some(({ path, account: of }) => of === account.id && path.includes('/orders/status')),
  )
  assert.deepEqual(await returned(), [1, 1])
  assert.deepEqual((await audit(db)).findings, [])
})

test('expected returns are there once when the process is killed while it stores them', async (t) => {
  const scene = await openCrash(t, ozon)
  const { db, client, account } = scene
  const number = scene.addOrder()
  await eventually('the order is taken in', async () => (await scene.count()) === 1)
  const stored = () =>
    db<{ external_id: string; state: string }[]>`
      select external_id, state from expected_returns where client_id = ${client} order by external_id`
  const held = await hold(db, { table: 'expected_returns', on: 'insert' })
  const changedAt = Date.now() - 3_600_000
  for (const id of [7, 8]) {
    ozon.setReturn(account, { id, postingNumber: number, state: 'MovingToSeller', changedAt })
  }
  await db`update cabinet_syncs set returns_at = null`
  await scene.killHeld(held)
  assert.deepEqual(await stored(), [])
  await db`update cabinet_syncs set next_at = now()`
  await scene.second()
  await eventually('both are expected', async () => (await stored()).length > 0)
  const expected = ['7', '8'].map((external_id) => ({ external_id, state: 'ON_THE_WAY' }))
  assert.deepEqual(await stored(), expected)
  assert.deepEqual(await scene.stock(barcode), [5, 0])
  assert.deepEqual((await audit(db)).findings, [])
})

test('a process that is stopped does not wait for a sync run that waits for its place at the marketplace', async (t) => {
  const scene = await openCrash(t, wb)
  const { db } = scene
  scene.addOrder()
  await eventually('the order is taken in', async () => (await scene.count()) === 1)
  await db`update marketplace_buckets set held_until = now_micros() + 50 * 1000000::bigint`
  const isHeld = async () => {
    const rows = await db`select from marketplace_buckets where held_until > now_micros()`
    return rows.length > 0
  }
  await eventually('a run waits', async () => {
    const rows = await db`
      select from cabinet_syncs
      where lease is not null and started_at < now() - interval '2 seconds'`
    return rows.length > 0
  })
  assert.equal((await scene.first.end('SIGTERM')).code, 0)
  assert.ok(await isHeld())
})
