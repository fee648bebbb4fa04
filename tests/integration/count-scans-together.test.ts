import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Queryable } from '../../src/platform/db/connection.ts'
import { performTogether, type Verdict } from '../../src/platform/db/together.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { type MarkingCode, readMarkingCode } from '../../src/platform/kernel/codes/marking-code.ts'
import type { ReceivedCount } from '../../src/warehouse/counts/scan-statements.ts'
import { countTogether } from '../../src/warehouse/counts/scans.ts'
import { openCount, reviewCount, startCount } from '../../src/warehouse/counts/verbs.ts'
import type { CountScan } from '../../src/warehouse/counts/view.ts'
import { putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 24, plansForValues: true })
const shoe = ean13('460123456789')
const clock = new ManualClock(noon)

interface Place {
  readonly clientId: string
  readonly countId: string
}
interface Scope {
  readonly barcodes?: string[]
  readonly box_ids?: string[]
}

/** A client with these units. */
async function stocked(units: Readonly<Record<string, number>>): Promise<string> {
  const { id } = await makeClient(db)
  await stockUp(db, id, units)
  return id
}

/** A count that has begun, which shows what is expected. */
function counting(clientId: string, scope: Scope = {}): Promise<Place> {
  return at(db, noon, async (work) => {
    const countId = await openCount(work, clientId, {
      ...{ barcodes: [], box_ids: [], location_ids: [], blind: false },
      ...scope,
    })
    await startCount(work, clientId, countId)
    return { clientId, countId }
  })
}

const worker = (n: number) => ({ kind: 'staff', userId: `worker-${n}` }) as const
const scanOf = (
  place: Place,
  scanId: string,
  barcode: string,
  rest: Partial<ReceivedCount> = {},
): ReceivedCount => ({ ...place, scanId, barcode, units: 1, actor: worker(1), ...rest })

const codeOf = (serial: number): MarkingCode => {
  const code = readMarkingCode(markingCode(shoe, serial))
  assert.ok(code.ok)
  return code
}

/** Counts in one transaction. */
const countAll = (scans: readonly ReceivedCount[]) =>
  db.begin((tx) => countTogether(sharedWorkAt(tx, noon), scans))

const shown = (verdict: Verdict<CountScan> | undefined) =>
  verdict?.kind === 'done'
    ? [verdict.result.counted, verdict.result.expected, verdict.result.repeated]
    : verdict?.kind === 'refused'
      ? verdict.error.message
      : verdict?.kind

async function recorded({ countId }: Place) {
  const rows = await db<{ scan_id: string; units: number; expected: number; actor: string }[]>`
    select scan_id, units, expected, actor from count_scans
    where count_id = ${countId} order by scan_id`
  return rows.map(({ scan_id, units, expected, actor }) => [scan_id, units, expected, actor])
}

const assertTrue = async () => assert.deepEqual((await audit(db)).findings, [])

// Guarantee (counts): Scans of counts that share a transaction each keep their own expected figure.
test('scans of several counts and clients in one transaction keep what was expected of their own', async () => {
  const one = await stocked({ A: 5, B: 3 })
  const all = await counting(one)
  const boxId = await at(db, noon, async (work) => {
    const id = await addBox(work, one)
    await putIntoBox(work, one, { boxId: id, barcode: 'A', units: 2 })
    return id
  })
  const ofBox = await counting(one, { box_ids: [boxId] })
  const other = await counting(await stocked({ A: 7 }))
  const verdicts = await countAll([
    scanOf(all, '1', 'A', { units: 3 }),
    scanOf(all, '2', 'A', { units: 2, boxId, actor: worker(2) }),
    scanOf(ofBox, '1', 'A', { boxId }),
    scanOf(other, '1', 'A', { units: 7, actor: worker(3) }),
    scanOf(all, '3', 'B', { units: 0 }),
  ])
  // What is counted includes the other scans of the transaction.
  assert.deepEqual(verdicts.map(shown), [
    [5, 3, false],
    [5, 2, false],
    [1, 2, false],
    [7, 7, false],
    [0, 3, false],
  ])
  assert.deepEqual(await recorded(all), [
    ['1', 3, 5, 'staff:worker-1'],
    ['2', 2, 5, 'staff:worker-2'],
    ['3', 0, 3, 'staff:worker-1'],
  ])
  assert.deepEqual(await recorded(ofBox), [['1', 1, 2, 'staff:worker-1']])
  assert.deepEqual(await recorded(other), [['1', 7, 7, 'staff:worker-3']])
  await assertTrue()
})

test('a bad scan is refused with its own reason, and the scans beside it count', async () => {
  const client = await stocked({ A: 5, B: 3 })
  const good = await counting(client, { barcodes: ['A'] })
  const ofBox = await counting(client, { box_ids: [await at(db, noon, (w) => addBox(w, client))] })
  const reviewed = await counting(client)
  await at(db, noon, (work) => reviewCount(work, client, reviewed.countId))
  const stranger = await stocked({ A: 1 })
  const whole = await counting(client)
  const outside = await at(db, noon, (work) => addBox(work, client))
  const verdicts = await countAll([
    scanOf(good, '1', 'A'),
    scanOf(good, '2', 'B'),
    scanOf(ofBox, '3', 'A'),
    scanOf(ofBox, '4', 'A', { boxId: outside }),
    scanOf(reviewed, '5', 'A'),
    scanOf({ clientId: stranger, countId: good.countId }, '6', 'A'),
    scanOf(whole, '7', 'no such goods'),
    scanOf(good, '8', 'A'),
  ])
  assert.deepEqual(
    [shown(verdicts[0]), shown(verdicts[7])],
    [
      [2, 5, false],
      [2, 5, false],
    ],
  )
  const reasons = [
    /B не входит в этот пересчёт/,
    /отсканируйте короб или место/,
    /короб или место не входит/,
    /На проверке/,
    /Пересчёт не найден/,
    /нет товара no such goods/,
  ]
  for (const [n, reason] of reasons.entries()) assert.match(String(shown(verdicts[n + 1])), reason)
  assert.deepEqual(
    (await recorded(good)).map(([id]) => id),
    ['1', '8'],
  )
  for (const place of [ofBox, reviewed, whole]) assert.deepEqual(await recorded(place), [])
  await assertTrue()
})

test('equal scans and equal marking codes do not go together, and one of each counts', async () => {
  const client = await stocked({ [shoe]: 4 })
  const [one, other] = [await counting(client), await counting(client)]
  const scans = [
    scanOf(one, '1', shoe, { markingCode: codeOf(1) }),
    scanOf(one, '1', shoe, { markingCode: codeOf(2) }),
    scanOf(one, '2', shoe, { markingCode: codeOf(1) }),
    scanOf(other, '1', shoe, { markingCode: codeOf(1) }),
  ]
  assert.deepEqual((await countAll(scans)).map(shown), [
    [1, 4, false],
    'apart',
    'apart',
    [1, 4, false],
  ])
  const [again] = await countAll(scans.slice(1, 2))
  assert.deepEqual(shown(again), [1, 4, true])
  const [refused] = await countAll(scans.slice(2, 3))
  assert.match(String(shown(refused)), /уже посчитан/)
  assert.deepEqual(
    (await recorded(one)).map(([id]) => id),
    ['1'],
  )
})

test('scans of several processes, most of them sent twice, count once each', async () => {
  const client = await stocked({ A: 30, B: 30, C: 30 })
  const place = await counting(client)
  const processes = [1, 2, 3].map(() => performTogether(db, clock, countTogether))
  const scans = Array.from({ length: 180 }, (_, n) =>
    scanOf(place, `${n % 60}`, 'ABC'[n % 3] ?? '', { actor: worker(n) }),
  )
  const answers = await Promise.all(
    scans.map((scan, n) => processes[Math.floor(n / 60)]?.(scan) ?? assert.fail()),
  )
  assert.equal(answers.filter(({ repeated }) => !repeated).length, 60)
  const rows = await recorded(place)
  assert.equal(rows.length, 60)
  assert.ok(rows.every(([, , expected]) => expected === 30))
  await assertTrue()
})

test('a scan reads a few rows of a count that has many, though the count was small when it was planned', async () => {
  const place = await counting(await stocked({ A: 5 }))
  const together = (from: number, scans: number) =>
    db.begin({ planOnce: true }, async (tx) => {
      const ids = Array.from({ length: scans }, (_, n) => `${from + n}`)
      const received = ids.map((id) => scanOf(place, id, 'A'))
      const before = await rowsRead(tx)
      await countTogether(sharedWorkAt(tx, noon), received)
      return (await rowsRead(tx)) - before
    })
  await together(0, 2)
  await db`analyze count_scans, count_goods`
  for (let from = 2; from < 402; from += 50) await together(from, 50)
  const rows = await together(402, 1)
  assert.ok(rows > 0 && rows <= 5, `${rows} rows`)
})

/** Rows that this connection has read of the scans and goods of counts. */
async function rowsRead(tx: Queryable): Promise<number> {
  const [read] = await tx<{ rows: number }[]>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables where relname in ('count_scans', 'count_goods')`
  return read?.rows ?? 0
}
