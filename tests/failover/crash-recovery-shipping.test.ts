import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { barcode, calledWith, choosePickupPoint, openCrashScene } from '../support/crash-scene.ts'
import { eventually, hold } from '../support/faults.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { good } from '../support/shipping.ts'

/**
 * Processes that are killed before a marketplace has got a call, between two calls, while it carries one
 * out, and before the result is committed here: boxes, marks of units, shipping methods, splits.
 */
const fakes = await startFakes()
const { wb, ozon } = fakes

type Point = 'before the call' | 'during the call' | 'before the commit'
type Scene = Awaited<ReturnType<typeof openCrashScene>>

/** Sends the request and kills the process at the point. */
async function killedAt(
  point: Point,
  { fake, path, scene }: { fake: typeof wb | typeof ozon; path: string; scene: Scene },
  ask: () => Promise<unknown>,
): Promise<void> {
  const { db, first, account } = scene
  if (point === 'before the commit') {
    const done = { table: 'remote_commands', on: 'update', when: "new.state = 'done'" } as const
    const held = await hold(db, done)
    const lost = ask().catch(() => undefined)
    await scene.killHeld(held)
    await lost
    return
  }
  const called = calledWith(fake, account.id, path)
  // A call that hangs is never carried out; one that is only slow is.
  if (point === 'before the call') fake.failNext(1, 'hang', path)
  else fake.latency(700)
  const lost = ask().catch(() => undefined)
  await called
  await first.end('SIGKILL')
  await lost
  fake.heal()
}

/** A shipment with one picked order for each mark. */
async function openPicked(t: TestContext, uins: readonly (string | undefined)[]) {
  const scene = await openCrashScene(t, fakes, wb)
  const { db, worker, client, cabinet } = scene
  const numbers = uins.map((uin) =>
    scene.addOrder(uin === undefined ? {} : { requiredMeta: ['uin'] }),
  )
  await eventually('orders are taken in', async () => (await scene.count()) === uins.length)
  const rows = await db<{ id: string; external_id: string }[]>`
    select id, external_id from orders where client_id = ${client}`
  const creation = { cabinet_id: cabinet, external_id: 'заявка 1', name: 'Дневная' }
  const opened = good<StaffShipment>(await worker.post('/shipments', creation), 201)
  good(
    await scene.add(
      opened.id,
      rows.map(({ id }) => id),
    ),
  )
  for (const { id, external_id } of rows) {
    const uin = uins[numbers.indexOf(external_id)]
    const marks = uin === undefined ? {} : { marks: { uin } }
    good(await scene.pick(opened.picking_task_id, { scan_id: id, order_id: id, barcode, ...marks }))
  }
  return { ...scene, numbers, opened }
}

for (const [point, follow] of [
  ['before the call', 'alone'],
  ['before the call', 'again'],
  ['during the call', 'alone'],
  ['during the call', 'again'],
  ['before the commit', 'again'],
] as const) {
  test(`WB: a box is removed once when the process is killed ${point}: ${follow}`, async (t) => {
    const scene = await openPicked(t, [undefined, undefined])
    const { db, worker, cabinet, opened, account } = scene
    await choosePickupPoint(worker, cabinet, opened.id)
    const path = `/shipments/${opened.id}/boxes`
    const { items } = good<{ items: { id: string }[] }>(await worker.put(path, { count: 1 }))
    const box = items[0]?.id ?? ''
    const remote = () => wb.boxesOf(account, opened.external_id)
    assert.deepEqual(remote(), [box])
    await killedAt(point, { fake: wb, path: '/trbx', scene }, () => worker.delete(`${path}/${box}`))
    const calls = await scene.second()
    if (follow === 'again') {
      const answer = await calls.delete(`${path}/${box}`)
      assert.ok([200, 204, 404, 409].includes(answer.status), answer.text)
    }
    await eventually('no command is open', scene.isNothingOpen)
    const states = await db<{ state: string }[]>`
      select state from remote_commands where kind = 'remove_boxes'`
    const isDone = point !== 'before the call' || states.some(({ state }) => state === 'done')
    assert.deepEqual(remote(), isDone ? [] : [box])
    // Nothing stands in the way of the next box, and of the hand-over.
    const { items: again } = good<{ items: unknown[] }>(await calls.put(path, { count: 1 }))
    assert.equal(again.length, 1)
    assert.equal(remote().length, 1)
    assert.equal(
      good<StaffShipment>(await calls.post(`/shipments/${opened.id}/close`)).status,
      'HANDED_OVER',
    )
    assert.deepEqual(await scene.stock(barcode), [3, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const point of ['before WB has it', 'while WB takes it', 'before it is known here'] as const) {
  // Guarantee (marketplaces): A mark that is sent at its pick is at WB once, whenever the process is killed.
  test(`WB: a mark that is sent at its pick is at WB once when the process is killed ${point}`, async (t) => {
    const uin = '8000000000000021'
    const isTaken = point !== 'before WB has it'
    const called = wb.called('/meta/uin')
    const held = isTaken ? wb.holdNext('/meta/uin') : undefined
    if (!isTaken) wb.failNext(1, 'hang', '/meta/uin')
    const scene = await openPicked(t, [uin])
    const { db, account, numbers, opened } = scene
    const taken = { table: 'mark_proofs', on: 'update', when: "new.state = 'sent'" } as const
    const writing = point === 'before it is known here' ? await hold(db, taken) : undefined
    await called
    await held?.reached
    if (writing !== undefined) {
      held?.release()
      await writing.reached()
    }
    await scene.first.end('SIGKILL')
    held?.release()
    await writing?.release()
    await writing?.over()
    wb.heal()
    const calls = await scene.second()
    const states = async () =>
      (await db<{ state: string }[]>`select state from mark_proofs`).map(({ state }) => state)
    await eventually('it is known here', async () => (await states()).join() === 'sent')
    assert.deepEqual(wb.marksOf(account, numbers[0] ?? ''), { uin })
    const sent = wb.calls().filter(({ method, path, account: who }) => {
      return method === 'PUT' && path.endsWith('/meta/uin') && who === account.id
    })
    assert.equal(sent.length, isTaken ? 1 : 2)
    good(await calls.post(`/shipments/${opened.id}/close`))
    assert.deepEqual(await states(), [])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const point of ['before the first mark', 'between two marks', 'at the hand-over'] as const) {
  test(`WB: each mark is at WB once, and the shipment leaves once, when the process is killed ${point}`, async (t) => {
    const uins = ['8000000000000011', '8000000000000012']
    const scene = await openPicked(t, uins)
    const { db, opened, account, numbers, manager } = scene
    const close = `/shipments/${opened.id}/close`
    const sent = () =>
      wb
        .calls()
        .filter(({ method, path }) => method === 'PUT' && path.endsWith('/meta/uin'))
        .filter((call) => call.account === account.id).length
    if (point === 'between two marks') {
      const one = wb.holdNext('/meta/uin')
      const lost = manager.post(close).catch(() => undefined)
      await one.reached
      const two = wb.holdNext('/meta/uin')
      one.release()
      await two.reached
      await scene.first.end('SIGKILL')
      two.release()
      await lost
    } else {
      const isFirst = point === 'before the first mark'
      const path = isFirst ? '/meta/uin' : '/deliver'
      await killedAt(
        isFirst ? 'before the call' : 'during the call',
        { fake: wb, path, scene },
        () => manager.post(close),
      )
    }
    const before = sent()
    const calls = await scene.second()
    await eventually('no command is open', scene.isNothingOpen)
    const path = `/shipments/${opened.id}`
    const { status } = good<StaffShipment>(await calls.get(path))
    assert.equal(status, point === 'at the hand-over' ? 'HANDED_OVER' : 'ASSEMBLING')
    if (status === 'ASSEMBLING') good(await calls.post(close))
    assert.equal(sent() - before, point === 'before the first mark' ? 2 : 0)
    assert.deepEqual(
      numbers.map((number) => wb.marksOf(account, number)),
      uins.map((uin) => ({ uin })),
    )
    assert.equal(good<StaffShipment>(await calls.get(path)).status, 'HANDED_OVER')
    assert.deepEqual(await scene.stock(barcode), [3, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const [point, lateParts] of [
  ['before the call', 0],
  ['during the call', 0],
  ['during the call', 1],
  ['before the commit', 0],
] as const) {
  const late = lateParts === 0 ? '' : ', and OZON makes a part late'
  // Guarantee (coordination): An order is split once on both sides, whenever the process is killed.
  test(`OZON: an order is split once on both sides when the process is killed ${point}${late}`, async (t) => {
    const scene = await openCrashScene(t, fakes, ozon)
    const { db, client, account, manager, line } = scene
    const number = ozon.addOrder(account, { lines: [{ ...line, quantity: 2 }] })
    ozon.injectFaults(account, number, { lateParts })
    await eventually('the order is taken in', async () => (await scene.count()) === 1)
    const [order] = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
    const box = [{ barcode, qty: 1 }]
    const split = `/orders/${order?.id}/split`
    const body = { packages: [box, box] }
    await killedAt(point, { fake: ozon, path: '/posting/fbs/ship', scene }, () =>
      manager.post(split, body),
    )
    const calls = await scene.second()
    if (lateParts > 0) {
      await eventually('the first part is there', async () => (await scene.count()) === 2)
      assert.equal(await scene.isNothingOpen(), false, 'one part of two is no split')
      ozon.makeLateParts(account, number)
    }
    await eventually('no command is open', scene.isNothingOpen)
    if (point === 'before the call') {
      assert.equal(await scene.count(), 1)
      good(await calls.post(split, body))
    }
    await eventually('the parts are there', async () => (await scene.count()) === 3)
    const rows = await db<{ external_id: string; status: string }[]>`
      select external_id, status from orders where client_id = ${client} order by external_id`
    assert.deepEqual(
      rows.map(({ external_id, status }) => `${external_id} ${status}`),
      [`${number} CANCELLED`, `${number}-1 ASSEMBLING`, `${number}-2 ASSEMBLING`],
    )
    const shipped = ozon
      .calls()
      .filter(({ path, account: who }) => path.endsWith('/ship') && who === account.id)
    assert.equal(shipped.length, point === 'before the call' ? 2 : 1)
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const point of ['before the call', 'during the call'] as const) {
  test(`WB: a shipment leaves once for its point when the process is killed ${point} that names the point`, async (t) => {
    const scene = await openPicked(t, [undefined])
    const { db, opened, account, manager } = scene
    const path = `/shipments/${opened.id}`
    await killedAt(point, { fake: wb, path: '/shipping-method', scene }, () =>
      manager.post(`${path}/close`),
    )
    const calls = await scene.second()
    await eventually('no command is open', scene.isNothingOpen)
    const { status } = good<StaffShipment>(await calls.get(path))
    if (status === 'ASSEMBLING') good(await calls.post(`${path}/close`))
    assert.equal(good<StaffShipment>(await calls.get(path)).status, 'HANDED_OVER')
    const [there, ...others] = wb.shipments(account)
    assert.deepEqual([there?.orders, others], [scene.numbers, []])
    assert.notEqual(there?.closedAt, undefined)
    const delivered = wb
      .calls()
      .filter(({ path: called, account: who }) => called.endsWith('/deliver') && who === account.id)
    assert.equal(delivered.length, 1)
    assert.deepEqual(await scene.stock(barcode), [4, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const [step, path] of [
  ['is made', '/api/v3/supplies'],
  ['takes the order', '/orders'],
] as const) {
  test(`WB: an order that was removed stays behind once when the process is killed while its leftover supply ${step}`, async (t) => {
    const scene = await openPicked(t, [undefined, undefined])
    const { db, opened, account, manager, numbers } = scene
    const [left = '', leaving] = numbers
    const [order] = await db<{ id: string }[]>`select id from orders where external_id = ${left}`
    const shipment = `/shipments/${opened.id}`
    assert.equal((await manager.delete(`${shipment}/orders/${order?.id}`)).status, 204)
    await killedAt('during the call', { fake: wb, path, scene }, () =>
      manager.post(`${shipment}/close`),
    )
    const calls = await scene.second()
    await eventually('no command is open', scene.isNothingOpen)
    const { status } = good<StaffShipment>(await calls.get(shipment))
    if (status === 'ASSEMBLING') good(await calls.post(`${shipment}/close`))
    assert.equal(good<StaffShipment>(await calls.get(shipment)).status, 'HANDED_OVER')
    const there = wb.shipments(account).map(({ orders, closedAt, name = '' }) => ({
      orders,
      left: closedAt !== undefined,
      leftover: name.startsWith('SK-REST '),
    }))
    assert.deepEqual(
      there.toSorted((one, other) => Number(one.leftover) - Number(other.leftover)),
      [
        { orders: [leaving], left: true, leftover: false },
        { orders: [left], left: false, leftover: true },
      ],
    )
    assert.deepEqual(await scene.stock(barcode), [4, 0])
    assert.deepEqual((await audit(db)).findings, [])
  })
}

for (const point of ['before the call', 'during the call', 'before the commit'] as const) {
  test(`OZON: the number of boxes of an order is the same on both sides when the process is killed ${point}`, async (t) => {
    const scene = await openCrashScene(t, fakes, ozon)
    const { db, client, account, manager } = scene
    const number = ozon.addOrder(account, { raw: { is_multibox: true } })
    await eventually('the order is taken in', async () => (await scene.count()) === 1)
    const [order] = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
    const path = `/orders/${order?.id}/boxes`
    await killedAt(point, { fake: ozon, path: '/multiboxqty/set', scene }, () =>
      manager.put(path, { count: 3 }),
    )
    const calls = await scene.second()
    await eventually('no command is open', scene.isNothingOpen)
    const here = async () => {
      const [facts] = await db<{ boxes: number | null }[]>`
        select boxes from order_facts where client_id = ${client}`
      return facts?.boxes ?? 0
    }
    assert.equal(await here(), ozon.boxesOf(account, number))
    if (point === 'before the call') good(await calls.put(path, { count: 3 }))
    assert.deepEqual([await here(), ozon.boxesOf(account, number)], [3, 3])
    assert.deepEqual((await audit(db)).findings, [])
  })
}
