import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseWhileEnding } from '../../src/exchange/marketplaces/coordination/request-command.ts'
import type { Verdict } from '../../src/platform/db/together.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { checkTogether, type ReceivedCheck } from '../../src/warehouse/picking/checks.ts'
import type { PackCheck } from '../../src/warehouse/picking/view.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'

const service = await startService()
const { db } = service
const shoe = ean13('460123456004')

interface Line {
  readonly barcode: string
  readonly qty?: number
  readonly marking_code?: string
}
interface Packed {
  readonly floor: Floor
  readonly shipment: string
  readonly task: string
  readonly orders: readonly string[]
}
let numbers = 8_500_000

/** Picked orders of one shipment, one for each line. */
async function packed(floor: Floor, lines: readonly Line[]): Promise<Packed> {
  const drafts = lines.map(({ barcode, qty = 1 }) => ({
    cabinet_id: floor.cabinet,
    external_id: `${++numbers}`,
    lines: [{ barcode, qty }],
  }))
  const made = await floor.manager.post(`/clients/${floor.client}/orders`, drafts)
  const orders = good<{ items: { id: string }[] }>(made, 201).items.map(({ id }) => id)
  const { id: shipment, picking_task_id: task } = good<{ id: string; picking_task_id: string }>(
    await floor.add((await floor.open()).id, orders),
  )
  for (const [at, { barcode, qty = 1, ...unit }] of lines.entries()) {
    for (let n = 0; n < qty; n++) {
      const scan = { scan_id: `${at} ${n}`, order_id: orders[at], barcode, ...unit }
      good(await floor.pick(task, scan))
    }
  }
  return { floor, shipment, task, orders }
}

const worker = (n: number) => ({ kind: 'staff', userId: `worker-${n}` }) as const
let scans = 0
const scanOf = (
  { floor, shipment, orders }: Packed,
  at: number,
  code: string,
  rest: Partial<ReceivedCheck> = {},
): ReceivedCheck => ({
  clientId: floor.client,
  shipmentId: shipment,
  orderId: orders[at] ?? '',
  code,
  scanId: `together ${++scans}`,
  actor: worker(1),
  ...rest,
})

/** Checks by one transaction. */
const checkAll = (received: readonly ReceivedCheck[]) =>
  db.begin((tx) => checkTogether(sharedWorkAt(tx, Date.now()), received, refuseWhileEnding))

const shown = (verdict: Verdict<PackCheck> | undefined) => {
  if (verdict?.kind === 'refused') return verdict.error.message
  if (verdict?.kind !== 'done') return verdict?.kind
  const { barcode, checked, units, complete, repeated } = verdict.result
  return [barcode, checked, units, complete, repeated]
}

async function recorded({ task }: Packed): Promise<unknown[]> {
  const rows = await db<{ actor: string; barcode: string }[]>`
    select actor, barcode from pack_checks where task_id = ${task} order by actor, barcode`
  return rows.map(({ actor, barcode }) => [actor, barcode])
}

// Guarantee (picking): Packing checks that share a transaction are accepted or refused one by one.
test('checks of several orders, shipments and clients share a transaction, each by its worker and with its verdict', async () => {
  const mine = await openFloor(service, { A: 9, B: 2 })
  const first = await packed(mine, [{ barcode: 'A', qty: 2 }, { barcode: 'B' }, { barcode: 'A' }])
  const second = await packed(mine, [{ barcode: 'A' }])
  const theirs = await packed(await openFloor(service, { A: 3 }), [{ barcode: 'A' }])
  const received = [
    scanOf(first, 0, 'A', { actor: worker(2) }),
    scanOf(first, 1, 'B'),
    scanOf(second, 0, 'A', { actor: worker(3) }),
    scanOf(theirs, 0, 'A'),
    scanOf(first, 2, 'B'),
  ]
  const foreign = [
    scanOf(first, 0, 'A', { orderId: theirs.orders[0] ?? '' }),
    scanOf(first, 0, 'A', { orderId: second.orders[0] ?? '' }),
    scanOf(first, 0, 'A', { shipmentId: theirs.shipment }),
  ]
  assert.deepEqual((await checkAll(received.slice(0, 4))).map(shown), [
    ['A', 1, 2, false, false],
    ['B', 1, 1, true, false],
    ['A', 1, 1, true, false],
    ['A', 1, 1, true, false],
  ])
  // Those of others name orders that scans before them name, or a shipment without them.
  assert.deepEqual((await checkAll([...received, ...foreign])).map(shown), [
    ['A', 1, 2, false, true],
    ['B', 1, 1, true, true],
    ['A', 1, 1, true, true],
    ['A', 1, 1, true, true],
    `Поле code: товара B в заказе ${numbers - 2} нет: он из другого заказа`,
    'apart',
    'apart',
    'apart',
  ])
  for (const [n, reason] of [
    /Заказ не найден/,
    /Заказа нет в этом задании/,
    /Задание на сборку не найдено/,
  ].entries()) {
    const [refused] = await checkAll(foreign.slice(n, n + 1))
    assert.match(String(shown(refused)), reason)
  }
  assert.deepEqual(await recorded(first), [
    ['staff:worker-1', 'B'],
    ['staff:worker-2', 'A'],
  ])
  assert.deepEqual(await recorded(second), [['staff:worker-3', 'A']])
})

test('two units of one order, or two scans with one number, do not share a transaction', async () => {
  const parcel = await packed(await openFloor(service, { A: 9 }), [
    { barcode: 'A', qty: 2 },
    { barcode: 'A' },
  ])
  const verdicts = await checkAll([
    scanOf(parcel, 0, 'A', { scanId: 'same' }),
    scanOf(parcel, 0, 'A'),
    scanOf(parcel, 1, 'A', { scanId: 'same' }),
  ])
  assert.deepEqual(verdicts.map(shown), [['A', 1, 2, false, false], 'apart', 'apart'])
})

// Guarantee (picking): A packing check counts no more units than were picked.
test('workers who check the same parcels at once count each unit once, and the surplus is refused', async () => {
  const code = markingCode(shoe, 1)
  const floor = await openFloor(service, { A: 12, [shoe]: 1 })
  const lines = Array.from({ length: 6 }, () => ({ barcode: 'A', qty: 2 }))
  const parcel = await packed(floor, [...lines, { barcode: shoe, marking_code: code }])
  const scan = (at: number, text: string, scan_id: string) =>
    floor.worker.post(`/shipments/${parcel.shipment}/checks`, {
      scan_id,
      order_id: parcel.orders[at],
      code: text,
    })
  // Three hands at each parcel of two units, and each scan is sent twice.
  const answers = await Promise.all(
    parcel.orders.flatMap((_, at) =>
      ['x', 'y', 'z'].flatMap((hand) => {
        const text = at === lines.length ? code : 'A'
        return [0, 1].map(() => scan(at, text, `${at} ${hand}`))
      }),
    ),
  )
  const done = answers.filter(({ status }) => status === 200).map(({ body }) => body as PackCheck)
  const fresh = done.filter(({ repeated }) => !repeated)
  assert.equal(fresh.length, 13)
  assert.equal(done.length, 26, 'the repeated scans are answered alike')
  assert.equal(fresh.filter(({ complete }) => complete).length, 7)
  const refused = answers.filter(({ status }) => status !== 200)
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [409])
  const entries = await db`
    select id from staff_journal where action = 'checkUnit' and object_id = ${parcel.shipment}`
  assert.equal(entries.length, 13, 'each check has one entry in the journal')
})
