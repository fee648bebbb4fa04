import {
  decideAlone,
  resultOf,
  type Verdict,
  verdictOf,
  withoutRepeats,
} from '../../platform/db/together.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import { readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type MeantByScan, meantByScans } from '../catalogue/other-barcodes.ts'
import { linesByOrder, type OrderLine } from '../orders/lines.ts'
import { type LockedOrder, lockKnownOrders } from '../orders/lock.ts'
import { type GtinOwnership, gtinsByCards } from '../stock/card-gtins.ts'
import {
  type CountedCheck,
  checkProgress,
  checksOfOrders,
  findCheck,
  recordedChecks,
} from './check-queries.ts'
import { type CheckedUnit, checkedUnit, type PickedCode } from './checked-unit.ts'
import { refuseOrder, refuseOtherScheme, type ShipmentGuard } from './lock.ts'
import { pickedCodes } from './queries.ts'
import { pickingTasksOf, shareTask, unknownTask } from './tasks.ts'
import type { PackCheck } from './view.ts'

/**
 * The packing check: each picked unit of an order is scanned once more before its parcel is closed. It is
 * optional: a shipment closes without it. No check counts more units of a line than were picked.
 *
 * Locks are taken in the order of picks: task, orders. Anybody may check, whoever has claimed the task.
 */

/** A scan, the shipment that it is for, and who made it. */
export interface ReceivedCheck {
  readonly clientId: string
  readonly shipmentId: string
  readonly scanId: string
  readonly orderId: string
  /** A barcode of goods or a marking code, as the scanner sends it. */
  readonly code: string
  readonly actor: Actor
}

/** What is written of a scan, and its answer. */
interface AllowedCheck extends CheckedUnit {
  readonly scan: ReceivedCheck
  readonly answer: PackCheck
}

/** Checks one unit. Throws what `checkTogether` refuses it with. */
export async function checkUnit(
  work: Work,
  scan: Omit<ReceivedCheck, 'actor'>,
  guard?: ShipmentGuard,
): Promise<PackCheck> {
  const verbs = (shared: SharedWork, scans: readonly ReceivedCheck[]) =>
    checkTogether(shared, scans, guard)
  return resultOf(await decideAlone(work, verbs, { ...scan, actor: work.actor }))
}

/**
 * Checks units of orders of any shipments and clients in one transaction, with a verdict on each scan. Two scans of
 * one order, or with the same id, do not go together. A scan is refused with validation_error for goods that are not
 * in the order, conflict for a unit that was not picked or that is one too many, and not_found.
 */
export async function checkTogether(
  work: SharedWork,
  received: readonly ReceivedCheck[],
  guard?: ShipmentGuard,
): Promise<Verdict<PackCheck>[]> {
  // Copies: a verdict belongs to one scan, even where the caller names an object twice.
  const scans = received.map((scan) => ({ ...scan }))
  const separate = withoutRepeats(scans, ({ shipmentId, scanId, orderId }) => [
    `order ${orderId}`,
    `scan ${shipmentId} ${scanId}`,
  ])
  const tasks = await pickingTasksOf(work, separate)
  const groups = Map.groupBy(separate, ({ clientId, shipmentId }) => {
    return `${clientId} ${tasks.get(shipmentId)}`
  })
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const decided = await Promise.all(
    sorted.map(([, ofTask]) => checkInTask(work, tasks.get(shipmentOf(ofTask)), ofTask, guard)),
  )
  const verdicts = new Map(
    sorted.flatMap(([, ofTask], n) => ofTask.map((scan, m) => [scan, decided[n]?.[m]] as const)),
  )
  return scans.map((scan) => verdicts.get(scan) ?? { kind: 'apart' })
}

const shipmentOf = ([first]: readonly ReceivedCheck[]) => first?.shipmentId ?? ''

/** Returns the verdicts in the order of the scans. */
async function checkInTask(
  work: SharedWork,
  taskId: string | undefined,
  scans: readonly ReceivedCheck[],
  guard: ShipmentGuard | undefined,
): Promise<Verdict<PackCheck>[]> {
  if (taskId === undefined) return scans.map(() => ({ kind: 'refused', error: unknownTask() }))
  const parcels = await openParcels(work, taskId, scans, guard)
  const decided = await Promise.all(scans.map((scan) => verdictOf(() => decide(scan, parcels))))
  const allowed = decided.flatMap((verdict) =>
    verdict.kind === 'done' && verdict.result !== undefined ? [verdict.result] : [],
  )
  const recorded = await recordChecks(work, taskId, allowed)
  return Promise.all(
    scans.map(async (scan, n) => {
      const verdict = decided[n] ?? { kind: 'apart' }
      if (verdict.kind !== 'done') return verdict
      const fresh = recorded.has(scan.scanId) ? verdict.result?.answer : undefined
      return { kind: 'done', result: fresh ?? (await repeated(work, scan)) }
    }),
  )
}

/** What the scans of a task are compared with. */
interface Parcels {
  /** Why the task allows no check now, or nothing. */
  readonly allowed: Verdict<void>
  readonly recorded: ReadonlySet<string>
  readonly orders: ReadonlyMap<string, LockedOrder>
  /** Throws conflict for an order that nobody can collect. */
  readonly lines: (orderId: string) => readonly OrderLine[]
  readonly checks: readonly CountedCheck[]
  readonly picks: readonly PickedCode[]
  readonly meant: MeantByScan
  readonly owns: GtinOwnership
}

/** Locks the task and the orders of scans, and reads what was picked and checked of them. */
async function openParcels(
  work: SharedWork,
  taskId: string,
  scans: readonly ReceivedCheck[],
  guard: ShipmentGuard | undefined,
): Promise<Parcels> {
  const { clientId = '', shipmentId = '' } = scans[0] ?? {}
  const orderIds = scans.map(({ orderId }) => orderId)
  // Both statements are sent at once, in the order of their locks.
  const [task, locked] = await Promise.all([
    verdictOf(() => shareTask(work, clientId, taskId, 'check')),
    lockKnownOrders(work, clientId, orderIds),
  ])
  const codes = scans.map(({ code }) => readMarkingCode(code))
  const gtins = codes.flatMap((code) => (code.ok ? [code.gtin] : []))
  const [allowed, recorded, lines, checks, picks, meant, owns] = await Promise.all([
    verdictOf(async () => {
      resultOf(task)
      await guard?.(work, clientId, shipmentId)
    }),
    recordedChecks(
      work.tx,
      clientId,
      taskId,
      scans.map(({ scanId }) => scanId),
    ),
    linesByOrder(work, clientId, orderIds),
    checksOfOrders(work.tx, clientId, orderIds),
    gtins.length > 0 ? pickedCodes(work.tx, clientId, orderIds) : [],
    meantByScans(
      work.tx,
      scans.map(({ code: text }) => ({ clientId, text })),
    ),
    gtinsByCards(work.tx, clientId, gtins),
  ])
  const orders = new Map(locked.map((order) => [order.id, order]))
  return { allowed, recorded, orders, lines, checks, picks, meant, owns }
}

/** Undefined for a scan that was recorded before. Throws what refuses it. */
function decide(
  scan: ReceivedCheck,
  { allowed, recorded, orders, lines, checks, picks, meant, owns }: Parcels,
): AllowedCheck | undefined {
  // A recorded scan stays recorded, even if its order has left the task since.
  if (recorded.has(scan.scanId)) return undefined
  resultOf(allowed)
  const order = orders.get(scan.orderId)
  if (order === undefined) throw notFound('Заказ не найден')
  refuseOrder(order, scan.shipmentId)
  refuseOtherScheme(order)
  const ofOrder = ({ order_id }: { readonly order_id: string }) => order_id === order.id
  const own = lines(order.id)
  const before = checks.filter(ofOrder)
  const unit = checkedUnit({
    number: order.external_id,
    code: meant(scan.clientId, scan.code),
    lines: own,
    checks: before,
    picks: picks.filter(ofOrder),
    owns,
  })
  const answer = {
    scan_id: scan.scanId,
    repeated: false,
    undone: false,
    order_id: order.id,
    order_external_id: order.external_id,
    barcode: unit.barcode,
    ...checkProgress(own, [...before, unit]),
  }
  return { ...unit, scan, answer }
}

/** Returns the ids of the scans that no other transaction has recorded. */
async function recordChecks(
  { tx, at }: SharedWork,
  taskId: string,
  checks: readonly AllowedCheck[],
): Promise<ReadonlySet<string>> {
  if (checks.length === 0) return new Set()
  const rows = checks.map(({ scan, line, barcode, markingCode }) => ({
    client_id: scan.clientId,
    scan_id: scan.scanId,
    order_id: scan.orderId,
    line,
    barcode,
    marking_code: markingCode,
    actor: actorText(scan.actor),
  }))
  const recorded = await tx<{ scan_id: string }[]>`
    insert into pack_checks
      (task_id, at, client_id, scan_id, order_id, line, barcode, marking_code, actor)
    select ${taskId}::uuid, ${at}::timestamptz, c.*
    from jsonb_to_recordset(${tx.json(rows)}) as c
      (client_id uuid, scan_id text, order_id uuid, line integer, barcode text, marking_code text,
       actor text)
    order by c.scan_id
    on conflict do nothing returning scan_id`
  return new Set(recorded.map(({ scan_id }) => scan_id))
}

async function repeated(
  { tx }: SharedWork,
  { clientId, shipmentId, scanId }: ReceivedCheck,
): Promise<PackCheck> {
  const known = await findCheck(tx, clientId, shipmentId, scanId)
  if (known === undefined) throw new Error(`scan ${scanId} vanished`)
  return { ...known, repeated: true }
}
