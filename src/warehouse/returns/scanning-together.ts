import { type Verdict, verdictOf, withoutRepeats } from '../../platform/db/together.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import { lockBalances } from '../stock/balances.ts'
import { recordMovements } from '../stock/ledger.ts'
import { refuseUnknownReason } from '../stock/reasons.ts'
import { allowReturnBatchVerb, batchKey, openBatchesOfDay, shareReturnBatches } from './batches.ts'
import { recordReturnScans } from './record-scans.ts'
import { batchesOfDayScans, type ReturnScanResult, resultsOfReturnScans } from './return-scans.ts'
import { lockOrdersOutside, type ReturnedUnit, unitOfNamedOrder } from './returned-unit.ts'
import { type NamedUnit, ordersByNumber, unitOfCode } from './scanned-code.ts'
import { moveBack, movementOf, reasonOf, type ScannedReturn, takeReturnIn } from './scanning.ts'

/**
 * Scans of returns that share a transaction, like those of receipts, picks and counts. Scans that name different
 * orders go together. Alone go: a scan by barcode alone, a second unit of an order, the last units of a product, the
 * first scan of a day.
 *
 * Locks are taken in the order of a single scan, each kind for all scans at once: batches, orders, balances, marking codes.
 */

/** A scan, who made it, and the batch that it is of; undefined: that of the day. */
export interface ReceivedReturn extends ScannedReturn {
  readonly clientId: string
  readonly returnId: string | undefined
  readonly actor: Actor
}

type Placed = ReceivedReturn & { readonly returnId: string; readonly ofDay: boolean }

/** A scan on its way. A verdict ends it. */
interface Taking {
  readonly scan: Placed
  verdict?: Verdict<ReturnScanResult>
}

interface Named extends Taking {
  readonly named: Extract<NamedUnit, { kind: 'order' }>
}

interface Found extends Named {
  readonly unit: ReturnedUnit
}

const apart = { kind: 'apart' } as const

/**
 * Takes units in by scans of any batches and clients, with a verdict on each. Throws what refuses a scan after something
 * was written: then nothing stays of the transaction.
 */
export async function takeReturnsTogether(
  work: SharedWork,
  received: readonly ReceivedReturn[],
): Promise<Verdict<ReturnScanResult>[]> {
  const [only] = received
  if (only !== undefined && received.length === 1) {
    const { clientId, returnId, actor, ...draft } = only
    const result = await takeReturnIn({ ...work, actor }, clientId, returnId, draft)
    return [{ kind: 'done', result }]
  }
  const takings = await place(work, received)
  const open = () => takings.flatMap((taking) => (taking && !taking.verdict ? [taking] : []))
  await answerKnown(work, open())
  const separate = withoutRepeats(open(), ({ scan }) => [`${batchKey(scan)} ${scan.scanId}`])
  const named = await nameUnits(work, separate)
  const found = await findUnits(work, named)
  const left = await keepThoseOutside(work, found)
  await takeAllIn(work, left)
  return takings.map((taking) => taking?.verdict ?? apart)
}

/** Undefined for a scan of a day whose batch is not open yet. */
async function place(
  work: SharedWork,
  received: readonly ReceivedReturn[],
): Promise<(Taking | undefined)[]> {
  const ofDay = received.filter(({ returnId }) => returnId === undefined)
  const [earlier, opened] =
    ofDay.length === 0
      ? [new Map<string, string>(), new Map<string, string>()]
      : await Promise.all([
          batchesOfDayScans(work.tx, ofDay),
          openBatchesOfDay(
            work,
            ofDay.map(({ clientId }) => clientId),
          ),
        ])
  return received.map((scan) => {
    if (scan.returnId !== undefined) {
      return { scan: { ...scan, returnId: scan.returnId, ofDay: false } }
    }
    const returnId = earlier.get(`${scan.clientId} ${scan.scanId}`) ?? opened.get(scan.clientId)
    return returnId === undefined ? undefined : { scan: { ...scan, returnId, ofDay: true } }
  })
}

async function answerKnown({ tx }: SharedWork, takings: readonly Taking[]): Promise<void> {
  const results = await resultsOfReturnScans(
    tx,
    takings.map(({ scan }) => scan),
    true,
  )
  for (const [n, taking] of takings.entries()) {
    const result = results[n]
    if (result !== undefined) taking.verdict = { kind: 'done', result }
  }
}

/** Decides what can be decided before orders are locked. Scans that name no order, or one that another names, go alone. */
async function nameUnits(work: SharedWork, takings: readonly Taking[]): Promise<Named[]> {
  const batches = await shareReturnBatches(
    work,
    takings.map(({ scan }) => scan),
  )
  const asked = takings.map(({ scan }) => {
    const cabinetId = batches.get(batchKey(scan))?.cabinet_id ?? null
    return { scan, clientId: scan.clientId, code: scan.code, cabinetId }
  })
  const numbered = await ordersByNumber(work.tx, asked)
  const read = await Promise.all(
    asked.map(({ scan, ...code }, n) =>
      verdictOf(async () => {
        allowReturnBatchVerb(batches.get(batchKey(scan)), 'scan')
        if (scan.reason !== undefined) {
          await refuseUnknownReason({ ...work, actor: scan.actor }, 'correction', scan.reason)
        }
        return unitOfCode(work.tx, code, numbered[n])
      }),
    ),
  )
  const orders = new Set<string>()
  return takings.flatMap((taking, n) => {
    const verdict = read[n]
    if (verdict?.kind !== 'done') {
      taking.verdict = verdict ?? apart
      return []
    }
    const named = verdict.result
    if (named.kind === 'goods' || orders.has(named.orderId)) {
      taking.verdict = apart
      return []
    }
    orders.add(named.orderId)
    return [Object.assign(taking, { named })]
  })
}

const inOrder = (a: string, b: string) => (a < b ? -1 : 1)

/** The scans of each client, in the order of locks. */
function byClient<T extends Taking>(takings: readonly T[]): (readonly [string, T[]])[] {
  const groups = Map.groupBy(takings, ({ scan }) => scan.clientId)
  return [...groups].toSorted(([a], [b]) => inOrder(a, b))
}

async function findUnits(work: SharedWork, takings: readonly Named[]): Promise<Found[]> {
  const groups = await Promise.all(
    byClient(takings).map(async ([clientId, ofClient]) => {
      const ids = ofClient.map(({ named }) => named.orderId)
      const orders = await lockOrdersOutside(work, clientId, ids)
      return Promise.all(
        ofClient.map(async (taking) => {
          const { named, scan } = taking
          const unit = { ...named, barcode: named.barcode ?? scan.barcode }
          const verdict = await verdictOf(() => unitOfNamedOrder(orders.get(named.orderId), unit))
          if (verdict.kind === 'done') return [Object.assign(taking, { unit: verdict.result })]
          taking.verdict = verdict
          return []
        }),
      )
    }),
  )
  return groups.flat(2)
}

/** The last units of a product go alone: their order decides which scan is refused. */
async function keepThoseOutside(work: SharedWork, takings: readonly Found[]): Promise<Found[]> {
  const groups = await Promise.all(
    byClient(takings).map(async ([clientId, ofClient]) => {
      const barcodes = [...new Set(ofClient.map(({ unit }) => unit.barcode))]
      const balances = await lockBalances(work, clientId, barcodes)
      const left = new Map([...balances].map(([barcode, { outside }]) => [barcode, outside]))
      return ofClient.filter((taking) => {
        const units = left.get(taking.unit.barcode) ?? 0
        left.set(taking.unit.barcode, units - 1)
        if (units <= 0) taking.verdict = apart
        return units > 0
      })
    }),
  )
  return groups.flat()
}

/** Everything is sent without waiting; the server does it in this order. */
async function takeAllIn(work: SharedWork, takings: readonly Found[]): Promise<void> {
  const recorded = await recordReturnScans(
    work,
    takings.map((taking) => {
      const { scan, unit, named } = taking
      const { expectedReturnId } = named
      return { ...scan, reason: reasonOf(scan), expectedReturnId, unit, taking }
    }),
  )
  const mine = recorded.map(({ taking }) => taking)
  for (const taking of takings) {
    // Another transaction has recorded the scan meanwhile: alone it finds the answer.
    if (!mine.includes(taking)) taking.verdict = apart
  }
  const [results] = await Promise.all([
    resultsOfReturnScans(
      work.tx,
      mine.map(({ scan }) => scan),
      false,
    ),
    ...mine.map(({ scan, unit }) => moveBack({ ...work, actor: scan.actor }, scan.clientId, unit)),
    ...byClient(mine).map(([clientId, ofClient]) => {
      const [first] = ofClient
      if (first === undefined) return undefined
      const movements = ofClient.map(({ scan, unit }) => ({
        ...movementOf(scan.returnId, scan, unit),
        actor: scan.actor,
      }))
      return recordMovements({ ...work, actor: first.scan.actor }, clientId, movements)
    }),
  ])
  for (const [n, taking] of mine.entries()) {
    const result = results[n]
    if (result === undefined) throw new Error(`scan ${taking.scan.scanId} vanished`)
    taking.verdict = { kind: 'done', result }
  }
}
