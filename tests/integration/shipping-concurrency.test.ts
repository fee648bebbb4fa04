import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWildberriesStatus } from '../../src/exchange/marketplaces/wildberries/status.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { readMarkingCode } from '../../src/platform/kernel/codes/marking-code.ts'
import { ServiceError } from '../../src/platform/kernel/errors.ts'
import { seededRandom } from '../../src/platform/kernel/random.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { applyReadings } from '../../src/warehouse/orders/readings.ts'
import { findOpenMiss, lookElsewhere } from '../../src/warehouse/picking/miss-decisions.ts'
import { reportNotFound } from '../../src/warehouse/picking/misses.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { takeMissedOrderOut } from '../../src/warehouse/shipments/missed-orders.ts'
import {
  addOrders,
  closeShipment,
  openShipment,
  removeOrder,
} from '../../src/warehouse/shipments/verbs.ts'
import { putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { at, makeClient, newOrder, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 24 })
const shoe = ean13('460123456001')

function mark(unit: number) {
  const read = readMarkingCode(markingCode(shoe, unit))
  assert.ok(read.ok)
  return read
}

interface Hall {
  readonly client: string
  readonly cabinet: string
  readonly box: string
  readonly orders: readonly { readonly id: string; readonly number: string }[]
  readonly shipments: readonly { readonly id: string; readonly task: string }[]
}

/** Two open shipments and orders of one to three units, with too few units of goods A. */
async function openHall(count: number): Promise<Hall> {
  const { id: client, cabinets } = await makeClient(db)
  const cabinet = cabinets[0] ?? ''
  await stockUp(db, client, { A: Math.ceil(count / 2), B: count * 3, [shoe]: count * 2 })
  const goods = [['A'], ['B', 'A'], [shoe], ['B', shoe, 'B']] as const
  const drafts = Array.from({ length: count }, (_, n) => ({
    ...newOrder(`N${n}`, 'A'),
    lines: (goods[n % goods.length] ?? ['A']).map((barcode) => ({ barcode, quantity: 1 })),
  }))
  const box = await at(db, noon, async (work) => {
    await takeInOrders(work, client, cabinet, drafts)
    const id = await addBox(work, client)
    await putIntoBox(work, client, { boxId: id, barcode: 'B', units: count * 3 })
    return id
  })
  const shipments = await Promise.all(
    ['S1', 'S2'].map((externalId) =>
      at(db, noon, async (work) => {
        const id = await openShipment(work, client, { cabinetId: cabinet, externalId })
        return { id, task: await pickingTaskOf(work, client, id) }
      }),
    ),
  )
  const orders = await db<{ id: string; number: string }[]>`
    select id, external_id as number from orders where client_id = ${client} order by external_id`
  return { client, cabinet, box, orders, shipments }
}

/** One random action; the service refuses what the state forbids. */
async function act(hall: Hall, random: ReturnType<typeof seededRandom>, step: string) {
  const { client, cabinet, box } = hall
  const { id: shipment, task } = random.pick(hall.shipments)
  const inside = await db<Hall['orders'][number][]>`
    select id, external_id as number from orders
    where client_id = ${client} and shipment_id = ${shipment} order by external_id`
  const usual = random.next() < 0.8 && inside.length > 0 ? inside : hall.orders
  const order = random.pick(usual)
  const pick = () => {
    const orderId = order.id
    const kind = random.int(0, 3)
    const scanId = random.next() < 0.2 ? `again-${random.int(0, 20)}` : step
    if (kind === 0) return { scanId, orderId, barcode: 'A' }
    if (kind === 1) return { scanId, orderId, barcode: 'B' }
    if (kind === 2) return { scanId, orderId, barcode: 'B', boxId: box }
    return { scanId, orderId, markingCode: mark(random.int(0, 30)) }
  }
  const report = (supplier: string, buyer: string) =>
    at(db, noon, (work) =>
      applyReadings(work, client, cabinet, [
        { externalId: order.number, reading: readWildberriesStatus({ supplier, buyer }) },
      ]),
    )
  const dice = random.next()
  if (dice < 0.6) return at(db, noon, (work) => pickUnits(work, client, task, [pick()]))
  if (dice < 0.8) {
    const more = [random.pick(hall.orders).id, random.pick(hall.orders).id]
    return at(db, noon, (work) => addOrders(work, client, shipment, [...new Set(more)]))
  }
  if (dice < 0.88) return at(db, noon, (work) => removeOrder(work, client, shipment, order.id))
  if (dice < 0.92) return report('new', 'canceled')
  if (dice < 0.94) return report('complete', 'sold')
  if (dice < 0.96) {
    const miss = { orderId: order.id, reason: 'OTHER' }
    return at(db, noon, (work) => reportNotFound(work, client, task, miss))
  }
  if (dice < 0.98) return decideAny(client, random.next() < 0.5)
  return at(db, noon, (work) => closeShipment(work, client, shipment))
}

/** A manager decides about goods that wait, while pickers may find them. */
async function decideAny(client: string, takesOut: boolean) {
  const [waiting] = await db<{ id: string }[]>`
    select id from pick_misses where client_id = ${client} and outcome is null order by id limit 1`
  if (waiting === undefined) return
  const { id } = waiting
  if (!takesOut) {
    return at(db, noon, (work) => lookElsewhere(work, client, id, { comment: 'Ещё раз' }))
  }
  const miss = await findOpenMiss(db, client, id)
  const { shipmentId, orderId } = miss
  return at(db, noon, (work) =>
    takeMissedOrderOut(work, client, miss, { decision: 'tell_seller', reason: 'LOST' }, () =>
      removeOrder(work, client, shipmentId, orderId),
    ),
  )
}

async function deadlocks(): Promise<number> {
  const [row] = await db<[{ deadlocks: number }]>`
    select deadlocks from pg_stat_database where datname = current_database()`
  return row.deadlocks
}

/** Checks beyond the audit: picks, packing and marking codes agree with lines and shipments. */
async function differences(client: string): Promise<string[]> {
  const rows = await db<{ what: string }[]>`
    with lines as (
      select o.external_id, o.status, o.packed_at, o.shipment_id, s.status as shipment, l.*, (
        select count(*) from picks p
        where p.client_id = l.client_id and p.order_id = l.order_id and p.line = l.line
          and p.undone_at is null
      ) as scans
      from orders o
      join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
      where o.client_id = ${client}
    )
    select external_id || ': picks' as what from lines where scans <> picked
    union all select external_id || ': picked outside of a shipment' from lines
      where shipment_id is null and (picked > 0 or packed_at is not null)
    union all select external_id || ': packed' from lines group by 1
      having bool_or(packed_at is not null) <> bool_and(picked = quantity)
    union all select external_id || ': handed over unpacked' from lines
      where shipment = 'HANDED_OVER' and status <> 'CANCELLED' and picked < quantity
    union all select o.external_id || ': marking code ' || m.state
      from marking_codes m
      join orders o on o.client_id = m.client_id and o.id = m.order_id
      left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
      where m.client_id = ${client} and o.status <> 'CANCELLED' and m.state is distinct from
        case s.status when 'ASSEMBLING' then 'picked' when 'HANDED_OVER' then 'shipped' end
    union all select 'cancelled, with a picked marking code' from marking_codes m
      join orders o on o.client_id = m.client_id and o.id = m.order_id
      where m.client_id = ${client} and o.status = 'CANCELLED' and m.state = 'picked'
    union all select m.identity || ': picked twice' from picks p
      join marking_codes m on m.identity = p.marking_code
      where p.client_id = ${client} and p.undone_at is null and not exists (
        select from orders o where o.client_id = p.client_id and o.id = p.order_id
          and o.status = 'CANCELLED')
      group by m.identity having count(*) > 1`
  return rows.map(({ what }) => what)
}

test('ten people pick, fill, empty, cancel and close at once without a deadlock, and the audit finds nothing', async (t) => {
  const started = await deadlocks()
  const refusals = new Map<string, number>()
  let done = 0
  for (const seed of ['one', 'two']) {
    const hall = await openHall(24)
    const work = Array.from({ length: 10 }, async (_, person) => {
      const random = seededRandom(`${seed} ${person}`)
      for (let step = 0; step < 60; step++) {
        try {
          await act(hall, random, `${person}-${step}`)
          done++
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          assert.ok(['conflict', 'not_found', 'validation_error'].includes(error.code), error.code)
          refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
        }
      }
    })
    await Promise.all(work)
    assert.deepEqual(await differences(hall.client), [], seed)
  }
  t.diagnostic(`${done} done, ${JSON.stringify([...refusals])} refused`)
  assert.ok(done > 100)
  assert.deepEqual((await audit(db)).findings, [])
  assert.equal(await deadlocks(), started)
})

// Guarantee (picking): A pick counts once, however often it is sent and however many workers pick.
test('ten workers pick one shipment and send each scan twice, and every unit is picked once', async () => {
  const { id: client, cabinets } = await makeClient(db)
  const cabinet = cabinets[0] ?? ''
  await stockUp(db, client, { A: 100 })
  const drafts = Array.from({ length: 50 }, (_, n) => ({
    ...newOrder(`W${n}`, 'A'),
    lines: [{ barcode: 'A', quantity: 2 }],
  }))
  await at(db, noon, (work) => takeInOrders(work, client, cabinet, drafts))
  const known = await db<{ id: string }[]>`select id from orders where client_id = ${client}`
  const ids = known.map(({ id }) => id)
  const shipment = await at(db, noon, async (work) => {
    const id = await openShipment(work, client, { cabinetId: cabinet, externalId: 'W' })
    await addOrders(work, client, id, ids)
    return { id, task: await pickingTaskOf(work, client, id) }
  })
  const scans = ids.flatMap((orderId) =>
    [1, 2].map((n) => ({ orderId, scanId: `${orderId} ${n}` })),
  )
  const twice = [...scans, ...scans]
  const counted = await Promise.all(
    Array.from({ length: 10 }, async (_, worker) => {
      let fresh = 0
      for (const scan of twice.filter((_, n) => n % 10 === worker)) {
        const pick = { ...scan, barcode: 'A' }
        const taken = await at(db, noon, (work) => pickUnits(work, client, shipment.task, [pick]))
        fresh += taken.length
      }
      return fresh
    }),
  )
  assert.equal(
    counted.reduce((a, b) => a + b),
    100,
  )
  const closings = await Promise.allSettled(
    [1, 2, 3].map(() => at(db, noon, (work) => closeShipment(work, client, shipment.id))),
  )
  assert.deepEqual(closings.map(({ status }) => status).sort(), [
    'fulfilled',
    'rejected',
    'rejected',
  ])
  assert.deepEqual(await differences(client), [])
  assert.deepEqual((await audit(db)).findings, [])
})
