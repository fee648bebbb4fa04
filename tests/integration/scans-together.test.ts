import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { performTogether, type Verdict } from '../../src/platform/db/together.ts'
import { type SharedWork, sharedWorkAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { countScans, type ReceivedScan } from '../../src/warehouse/receipts/counting.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import type { HandheldScan } from '../../src/warehouse/receipts/scanned-line.ts'
import type { ScanResult } from '../../src/warehouse/receipts/scans.ts'
import { finishReceiving, startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 24 })
const shoe = ean13('460123456789')
const boot = ean13('460123456780')

interface Place {
  readonly clientId: string
  readonly receiptId: string
}

/** A receipt in counting, of a new client or of the given one. */
async function receiving(
  barcodes: readonly string[],
  clientId?: string,
  marked = false,
): Promise<Place> {
  const client = clientId ?? (await makeClient(db)).id
  const receiptId = await at(db, noon, async (work) => {
    const items = barcodes.map((barcode) => ({
      barcode,
      name: `Товар ${barcode}`,
      qty: 5,
      honestMark: marked,
    }))
    const id = await registerReceipt(work, client, { source: 'manual', items })
    await startReceiving(work, client, id)
    return id
  })
  return { clientId: client, receiptId }
}

const worker = (n: number) => ({ kind: 'staff', userId: `worker-${n}` }) as const
const scanOf = (place: Place, scan: HandheldScan, n = 1): ReceivedScan => ({
  ...place,
  ...scan,
  actor: worker(n),
})

/** Counts scans in one transaction. */
const countAll = (scans: readonly ReceivedScan[]) =>
  db.begin((tx) => countScans(sharedWorkAt(tx, noon), scans))

const shown = (verdict: Verdict<ScanResult> | undefined) =>
  verdict?.kind === 'done'
    ? [verdict.result.accepted_qty, verdict.result.in_question_qty, verdict.result.repeated]
    : verdict?.kind === 'refused'
      ? verdict.error.message
      : verdict?.kind

async function quantities({ clientId, receiptId }: Place) {
  const found = await findReceipt(db, clientId, receiptId)
  return found?.items?.map(({ accepted_qty }) => accepted_qty)
}

async function movements({ clientId }: Place) {
  const rows = await db<{ actor: string; units: number; in_question: number }[]>`
    select actor, sum(delta)::int as units, sum(question_delta)::int as in_question
    from stock_movements where client_id = ${clientId} group by actor order by actor`
  return rows.map(({ actor, units, in_question }) => [actor, units, in_question])
}

const assertTrue = async () => assert.deepEqual((await audit(db)).findings, [])

test('scans of receipts and clients in one transaction count in their order, each by its own worker', async () => {
  const one = await receiving(['A', 'B'])
  const other = await receiving(['A'])
  const verdicts = await countAll([
    scanOf(one, { scanId: '1', barcode: 'A', units: 4 }, 1),
    scanOf(other, { scanId: '1', barcode: 'A', units: 2 }, 2),
    scanOf(one, { scanId: '2', barcode: 'B' }, 3),
    scanOf(one, { scanId: '3', barcode: 'A', units: 3 }, 2),
  ])
  assert.deepEqual(verdicts.map(shown), [
    [4, 0, false],
    [2, 0, false],
    [1, 0, false],
    [7, 2, false],
  ])
  assert.deepEqual(await quantities(one), [7, 1])
  assert.deepEqual(await quantities(other), [2])
  assert.deepEqual(await movements(one), [
    ['staff:worker-1', 4, 0],
    ['staff:worker-2', 3, 2],
    ['staff:worker-3', 1, 0],
  ])
  await assertTrue()
})

// Guarantee (receipts): Scans that share a transaction count or are refused one by one.
test('a bad scan is refused with its own reason, and the scans beside it count', async () => {
  const good = await receiving(['A'])
  const closed = await receiving(['A'])
  const marked = await receiving([shoe], good.clientId, true)
  await at(db, noon, (work) =>
    finishReceiving(work, closed.clientId, closed.receiptId, new Map([['A', 'NOT_DELIVERED']])),
  )
  await countAll([scanOf(marked, { scanId: 'first', markingCode: markingCode(shoe, 1) })])
  const strange = { clientId: closed.clientId, receiptId: good.receiptId }
  const verdicts = await countAll([
    scanOf(good, { scanId: '1', barcode: 'A' }),
    scanOf(good, { scanId: '2', barcode: 'no such goods' }),
    scanOf(good, { scanId: '3' }),
    scanOf(closed, { scanId: '4', barcode: 'A' }),
    scanOf(strange, { scanId: '5', barcode: 'A' }),
    scanOf(good, { scanId: '6', barcode: 'A', boxId: 'no such box' }),
    scanOf(marked, { scanId: '7', markingCode: markingCode(shoe, 1) }),
    scanOf(marked, { scanId: '8', barcode: shoe }),
    scanOf(good, { scanId: '9', barcode: 'A' }),
  ])
  const [first, ...rest] = verdicts.map(shown)
  assert.deepEqual(
    [first, rest.at(-1)],
    [
      [1, 0, false],
      [2, 0, false],
    ],
  )
  const reasons = [
    /no such goods нет в этой приёмке/,
    /нужен barcode или marking_code/,
    /Принята с расхождением/,
    /Приёмка не найдена/,
    /нет такого короба/,
    /уже принята на склад/,
    /отсканируйте код маркировки/,
  ]
  for (const [n, reason] of reasons.entries()) assert.match(String(rest[n]), reason)
  assert.deepEqual(await quantities(good), [2])
  const [row] = await db<{ scans: number }[]>`
    select count(*)::int as scans from receipt_scans
    where client_id in (${good.clientId}, ${closed.clientId}) and scan_id ~ '^[2-8]$'`
  assert.equal(row?.scans, 0)
  await assertTrue()
})

test('units go into the boxes of their own clients', async () => {
  const one = await receiving(['A'])
  const other = await receiving(['A'])
  const boxOf = ({ clientId }: Place) => at(db, noon, (work) => addBox(work, clientId))
  const [mine, its] = [await boxOf(one), await boxOf(other)]
  const verdicts = await countAll([
    scanOf(one, { scanId: '1', barcode: 'A', units: 2, boxId: mine }),
    scanOf(other, { scanId: '1', barcode: 'A', units: 3, boxId: its }),
    scanOf(one, { scanId: '2', barcode: 'A', units: 4, boxId: mine }),
    scanOf(one, { scanId: '3', barcode: 'A', boxId: its }),
  ])
  assert.match(String(shown(verdicts[3])), /у этого клиента нет такого короба/)
  const lines = await db<{ box_id: string; quantity: number }[]>`
    select box_id, quantity from box_contents where box_id in (${mine}, ${its})`
  assert.deepEqual(
    new Map(lines.map(({ box_id, quantity }) => [box_id, quantity])),
    new Map([
      [mine, 6],
      [its, 3],
    ]),
  )
  await assertTrue()
})

test('equal scans and equal marking codes do not go together, and one of each counts', async () => {
  const one = await receiving([shoe, boot], undefined, true)
  const other = await receiving([shoe], undefined, true)
  const code = { markingCode: markingCode(shoe, 5) }
  const scans = [
    scanOf(one, { scanId: '1', ...code }),
    scanOf(one, { scanId: '1', markingCode: markingCode(boot, 1) }),
    scanOf(other, { scanId: '2', ...code }),
    scanOf(other, { scanId: '1', markingCode: markingCode(shoe, 6) }),
  ]
  assert.deepEqual((await countAll(scans)).map(shown), [
    [1, 0, false],
    'apart',
    'apart',
    [1, 0, false],
  ])
  const [again] = await countAll(scans.slice(1, 2))
  assert.deepEqual(shown(again), [1, 0, true])
  const [refused] = await countAll(scans.slice(2, 3))
  assert.match(String(shown(refused)), /уже принята на склад/)
  await assertTrue()
})

const clock = new ManualClock(noon)
const count = performTogether(db, clock, (work: SharedWork, scans: readonly ReceivedScan[]) =>
  countScans(work, scans),
)

test('scans of several processes on the same goods, most of them sent twice, count once each', async () => {
  const first = await receiving(['A', 'B', 'C'])
  const second = await receiving(['C', 'B', 'A'], first.clientId)
  const process = () =>
    performTogether(db, clock, (work: SharedWork, scans: readonly ReceivedScan[]) =>
      countScans(work, scans),
    )
  const processes = [count, process(), process()]
  const scans = Array.from({ length: 240 }, (_, n) =>
    scanOf(n % 2 === 0 ? first : second, { scanId: `${n % 80}`, barcode: 'ABC'[n % 3] ?? '' }, n),
  )
  const answers = await Promise.all(
    scans.map((scan, n) => processes[Math.floor(n / 80)]?.(scan) ?? assert.fail()),
  )
  assert.equal(answers.filter(({ repeated }) => !repeated).length, 80)
  const total = [...((await quantities(first)) ?? []), ...((await quantities(second)) ?? [])]
  assert.equal(
    total.reduce((sum, units) => sum + units, 0),
    80,
  )
  await assertTrue()
})

// Guarantee (db): A locked object holds up its own scans only.
test('a locked receipt holds up its own scans and no others', async () => {
  const locked = await receiving(['A'])
  const free = await receiving(['A'])
  const isHeld = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = db.begin(async (tx) => {
    await tx`select from receipts where id = ${locked.receiptId} for update`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  let answered = 0
  const waiting = Array.from({ length: 4 }, (_, n) =>
    count(scanOf(locked, { scanId: `${n}`, barcode: 'A' })).then((answer) => {
      answered += 1
      return answer
    }),
  )
  const others = Array.from({ length: 8 }, (_, n) =>
    count(scanOf(free, { scanId: `${n}`, barcode: 'A' })),
  )
  await Promise.all(others)
  assert.equal(answered, 0, 'nothing is counted beside the lock')
  release.resolve()
  await Promise.all([holder, ...waiting])
  assert.deepEqual([await quantities(locked), await quantities(free)], [[4], [8]])
  await assertTrue()
})

// Guarantee (db): A change that fails takes no other change of its shared transaction along.
test('when a shared transaction fails, its changes are tried alone, and each is done or refused', async () => {
  const calls: number[] = []
  const gate = Promise.withResolvers<void>()
  const run = performTogether(db, clock, async ({ tx }, numbers: readonly number[]) => {
    calls.push(numbers.length)
    if (calls.length === 1) await gate.promise
    await tx`select 1 / ${numbers.includes(13) ? 0 : 1}::integer`
    return numbers.map((result): Verdict<number> => ({ kind: 'done', result }))
  })
  const results = Promise.allSettled([1, 2, 3, 13, 5].map(run))
  gate.resolve()
  const settled = await results
  assert.deepEqual(
    settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
    [1, 2, 3, 'error: division by zero', 5],
  )
  assert.deepEqual(calls.toSorted(), [1, 1, 1, 1, 1, 4], 'four shared a transaction')
})
