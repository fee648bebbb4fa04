import { resultOf, type Verdict, verdictOf, withoutRepeats } from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { meantByScans } from '../catalogue/other-barcodes.ts'
import { packStatement } from '../orders/change.ts'
import { linesByOrder, type OrderLine, pickedUnitsStatement } from '../orders/lines.ts'
import { type LockedOrder, lockKnownOrders } from '../orders/lock.ts'
import { contradictionByCards } from '../stock/card-gtins.ts'
import { takeFromPlaces } from '../stock/located-units.ts'
import { lockMarkingCodes } from '../stock/marking-codes.ts'
import { supplyLots, takeLots } from '../stock/picked-lots.ts'
import { lineKey, type PlacedUnits, placesNamed, unitsAtPlaces } from '../storage/place-contents.ts'
import { holderFor, refuseOthers } from './claims.ts'
import type { ShipmentGuard } from './lock.ts'
import { awaitProofs } from './mark-proofs.ts'
import { closeFoundMisses } from './miss-endings.ts'
import { type PlacedPick, placing } from './placing.ts'
import type { PickScan, ReceivedPick } from './recorded-pick.ts'
import { pickMarkingCodes } from './scanned-goods.ts'
import { type SharedTask, shareTask } from './tasks.ts'
import { heldUnitMarks, takeUnitMarks, uniqueMarksOf } from './unit-marks.ts'

/**
 * Collecting the orders of open shipments, unit by unit. Locks are taken in this order: task, orders,
 * scans, lines, marking codes, balances.
 */

/** A unit that was picked now. */
export interface PickedUnit {
  readonly scanId: string
  readonly orderId: string
  readonly orderNumber: string
  readonly barcode: string
  /** Of the goods. */
  readonly name: string
  /** Units of the order, and how many of them are picked with this one. */
  readonly orderUnits: number
  readonly orderPicked: number
  /** Undefined while its order needs more units. */
  readonly packedAt: Timestamp | undefined
  readonly marks?: GivenMarks
  /** What staff must do about the unit elsewhere, in Russian. */
  readonly notes: readonly string[]
}

/** The result is undefined for a scan that was recorded before. */
type PickVerdict = Verdict<PickedUnit | undefined>

/**
 * Picks units for orders of one task, any number of scans at once; the last unit of an order packs it. Returns the
 * scans that were new. Throws validation_error for goods that are not in the order or lack a mark that it requires,
 * and conflict for goods that the order no longer needs. The transaction must not be committed then.
 */
export async function pickUnits(
  work: Work,
  clientId: string,
  taskId: string,
  scans: readonly PickScan[],
  guard?: ShipmentGuard,
): Promise<PickedUnit[]> {
  const byId = new Map(scans.map((scan) => [scan.scanId, scan]))
  const received = [...byId.values()].map((scan) => ({
    ...scan,
    clientId,
    taskId,
    actor: work.actor,
  }))
  const verdicts = await pickTogether(work, received, guard)
  return verdicts.flatMap((verdict) => resultOf(verdict) ?? [])
}

/**
 * Picks units for orders of any tasks and clients in one transaction, with a verdict on each scan. Two
 * scans with the same id, or of the same unit by its marks, do not go together. Throws for a scan that turns
 * out to be wrong only when it is written, because another transaction was faster.
 */
export async function pickTogether(
  work: SharedWork,
  picks: readonly ReceivedPick[],
  guard?: ShipmentGuard,
): Promise<PickVerdict[]> {
  // Copies: a verdict belongs to one scan, even where the caller names an object twice.
  const received = picks.map((pick) => ({ ...pick }))
  const separate = withoutRepeats(received, (pick) => {
    const { taskId, scanId, markingCode } = pick
    const code = markingCode ? [`code ${markingCode.identity}`] : []
    return [`${taskId} ${scanId}`, ...code, ...uniqueMarksOf(pick).map(({ key }) => key)]
  })
  const verdicts = new Map<ReceivedPick, PickVerdict>()
  const tasks = Map.groupBy(separate, ({ clientId, taskId }) => `${clientId} ${taskId}`)
  for (const key of [...tasks.keys()].sort()) {
    const ofTask = tasks.get(key) ?? []
    for (const [pick, verdict] of await pickOfTask(work, ofTask, guard)) verdicts.set(pick, verdict)
  }
  return received.map((pick) => verdicts.get(pick) ?? { kind: 'apart' })
}

async function pickOfTask(
  work: SharedWork,
  picks: readonly ReceivedPick[],
  guard: ShipmentGuard | undefined,
): Promise<ReadonlyMap<ReceivedPick, PickVerdict>> {
  const { clientId = '', taskId = '' } = picks[0] ?? {}
  const orderIds = [...new Set(picks.map(({ orderId }) => orderId))]
  // Both statements are sent at once, in the order of their locks.
  const [task, locked] = await Promise.all([
    verdictOf(() => shareTask(work, clientId, taskId, 'pick')),
    lockKnownOrders(work, clientId, orderIds),
  ])
  const identities = picks.flatMap(({ markingCode }) => markingCode?.identity ?? [])
  const places = picks.flatMap(({ boxId, locationId }) => placesNamed(boxId, locationId))
  const [holder, guarded, recorded, lines, codes, stored, held, meant] = await Promise.all([
    task.kind === 'done'
      ? holderFor(
          work,
          clientId,
          taskId,
          task.result.claim,
          picks.map(({ actor }) => actor),
        )
      : undefined,
    verdictOf(async () => {
      if (task.kind === 'done') await guard?.(work, clientId, task.result.shipmentId)
    }),
    recordedScans(work, clientId, taskId, picks),
    linesByOrder(work, clientId, orderIds),
    lockMarkingCodes(work, clientId, identities),
    unitsAtPlaces(work.tx, clientId, places),
    heldUnitMarks(work, picks),
    meantByScans(
      work.tx,
      picks.flatMap(({ barcode: text }) => (text === undefined ? [] : [{ clientId, text }])),
    ),
  ])
  const orders = new Map(locked.map((order) => [order.id, order]))
  const newGtins = picks.flatMap(({ markingCode: code }) =>
    code === undefined || codes.has(code.identity) ? [] : code.gtin,
  )
  const contradicts = await contradictionByCards(work.tx, clientId, newGtins)
  const lots = await supplyLots(work, clientId, barcodesOf(lines, orderIds))
  const place = placing({ at: work.at, orders, lines, codes, contradicts, stored, held, lots })
  const placed: PlacedPick[] = []
  const verdicts = new Map<ReceivedPick, PickVerdict>()
  for (const pick of picks) {
    const verdict = await verdictOf(() => {
      // A recorded scan stays recorded, even if its order has left the task since.
      if (recorded.has(pick.scanId)) return undefined
      const { barcode } = pick
      const own = barcode === undefined ? pick : { ...pick, barcode: meant(clientId, barcode) }
      return place(own, resultOf<SharedTask>(task), () => {
        refuseOthers(holder, pick.actor)
        resultOf(guarded)
      })
    })
    if (verdict.kind === 'done' && verdict.result !== undefined) placed.push(verdict.result)
    verdicts.set(pick, verdict)
  }
  await writePicks(work, clientId, taskId, placed, orders)
  return verdicts
}

/** What these orders need; those with goods that nobody knows are refused when they are scanned. */
function barcodesOf(
  lines: (orderId: string) => OrderLine[],
  orderIds: readonly string[],
): string[] {
  const known = orderIds.flatMap((id) => {
    try {
      return lines(id)
    } catch {
      return []
    }
  })
  return [...new Set(known.map(({ barcode }) => barcode))]
}

/** While their orders are locked nobody records more of these scans for them. */
async function recordedScans(
  { tx }: SharedWork,
  clientId: string,
  taskId: string,
  picks: readonly ReceivedPick[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ scan_id: string }[]>`
    select scan_id from picks
    where client_id = ${clientId} and task_id = ${taskId}
      and scan_id = any(${picks.map(({ scanId }) => scanId)})`
  return new Set(rows.map(({ scan_id }) => scan_id))
}

async function writePicks(
  work: SharedWork,
  clientId: string,
  taskId: string,
  placed: readonly PlacedPick[],
  orders: ReadonlyMap<string, LockedOrder>,
): Promise<void> {
  if (placed.length === 0) return
  const packed = placed.flatMap(({ packedAt, orderId }) =>
    packedAt === undefined || orders.get(orderId)?.packed_at !== null ? [] : [orderId],
  )
  await Promise.all([
    recordPicks(work, clientId, taskId, placed, packed),
    pickMarkingCodes(work, clientId, placed),
    takeUnitMarks(work, clientId, placed),
    awaitProofs(work, clientId, taskId, placed),
    // Sent after the picks are counted.
    closeFoundMisses(work, clientId, placed),
  ])
  await takeFromPlaces(work, clientId, unitsTaken(placed))
  await takeLots(work, clientId, placed)
}

/** Records picks, counts them on the lines of their orders, and packs orders. */
async function recordPicks(
  work: SharedWork,
  clientId: string,
  taskId: string,
  placed: readonly PlacedPick[],
  packed: readonly string[],
): Promise<void> {
  const { tx, at } = work
  const rows = placed.map((pick) => ({
    actor: actorText(pick.actor),
    scan_id: pick.scanId,
    order_id: pick.orderId,
    line: pick.line,
    barcode: pick.barcode,
    box_id: pick.boxId ?? null,
    location_id: pick.locationId ?? null,
    marking_code: pick.markingCode?.identity ?? null,
    marks: { ...pick.marks },
  }))
  const recorded = await tx`
    with counted as (${pickedUnitsStatement(work, clientId, placed)}),
      packed as (${packStatement(work, clientId, packed)})
    insert into picks (client_id, task_id, at, actor, scan_id, order_id, line, barcode, box_id,
      location_id, marking_code, marks)
    select ${clientId}, ${taskId}, ${at}::timestamptz, p.*
    from jsonb_to_recordset(${tx.json(rows)}) as p
      (actor text, scan_id text, order_id uuid, line integer, barcode text, box_id uuid,
       location_id uuid, marking_code text, marks jsonb)
    order by scan_id
    on conflict do nothing returning scan_id`
  // Only another transaction that recorded the same scan for another order gets us here.
  if (recorded.length < rows.length) throw conflict('Скан уже принят для другого заказа')
}

/** What the picks take from each place. */
function unitsTaken(placed: readonly PlacedPick[]): PlacedUnits[] {
  const taken = placed.flatMap(({ boxId, locationId, barcode }) =>
    placesNamed(boxId, locationId).map((place) => ({ ...place, barcode, units: 1 })),
  )
  const lines = Map.groupBy(taken, (entry) => lineKey(entry, entry.barcode))
  return [...lines.values()].flatMap((all) =>
    all.slice(0, 1).map((entry) => ({ ...entry, units: all.length })),
  )
}
