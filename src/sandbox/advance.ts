import { type Work, workAt } from '../platform/db/work.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import { recordSync } from '../warehouse/clients/cabinets.ts'
import type { Requester } from '../warehouse/journal/receipt-journal.ts'
import type { OrderDraft } from '../warehouse/orders/draft.ts'
import { chargeNow } from './charging.ts'
import { joinShipment, reportNextStatuses, takeInNewOrders } from './passing-orders.ts'
import { showSoldUnits } from './robot/poll.ts'
import { nextReceiptStep, ownReceipts, takeReceiptStep } from './robot/receiving.ts'
import { openScene, type Scene } from './triggers/scene.ts'
import { accept, findOpenShipment, openNew, pickAndClose } from './triggers/shipments.ts'

/**
 * Plays hours of the warehouse's time at once: the seller's own receipt requests are counted by the
 * robot's rules, orders arrive, are packed, handed over, accepted and travel to their buyers.
 *
 * - Everything carries the moment at which it is written, so nothing lies in the future. Time passes in
 *   rounds: in each, an order or shipment takes at most one step. The last round ships nothing, so new
 *   orders are left.
 * - Work is bounded: at most `roundsMax` rounds, some orders an hour, a limited number of scans.
 * - A WB cabinet whose sync fails neither brings orders nor reports statuses; then only receipts are played.
 */
export const advanceHoursMax = 168

const ordersPerHour = 3
export const roundsPerHour = 4
export const roundsMax = 48

export interface Advanced {
  readonly hours: number
  readonly completed_receipts: number
  readonly new_orders: number
  readonly handed_over_shipments: number
  readonly message: string
}

/** The transaction of `work` holds the sandbox. */
export async function advanceSandbox(
  work: Work,
  requester: Requester,
  hours: number,
  clock: Clock,
): Promise<Advanced> {
  const scene = await openScene(work, requester)
  const completed = await completeOwnReceipts(work, scene.clientId)
  const isSynced = await cabinetAnswers(scene)
  const played = isSynced ? await playRounds(scene, hours, clock) : { orders: [], shipments: 0 }
  await chargeNow(workAt(work.tx, clock.now(), work.actor), scene.clientId)
  return {
    hours,
    completed_receipts: completed,
    new_orders: played.orders.length,
    handed_over_shipments: played.shipments,
    message: isSynced
      ? 'Время на складе прошло'
      : 'Время на складе прошло только для приёмок: кабинет WB не отвечает, вернуть его — sync_restored',
  }
}

async function cabinetAnswers({ work, clientId, cabinetId }: Scene): Promise<boolean> {
  const failing = await work.tx`
    select from cabinets
    where client_id = ${clientId} and id = ${cabinetId} and sync_error is not null`
  return failing.length === 0
}

interface Played {
  readonly orders: readonly OrderDraft[]
  readonly shipments: number
}

async function playRounds(scene: Scene, hours: number, clock: Clock): Promise<Played> {
  const rounds = Math.min(hours * roundsPerHour, roundsMax)
  const arrivedBy = (round: number) => Math.floor((hours * ordersPerHour * round) / rounds)
  const orders: OrderDraft[] = []
  let shipments = 0
  let now = scene.work.now
  for (let round = 1; round <= rounds; round++) {
    now = Math.max(now, clock.now())
    const present = { ...scene, work: workAt(scene.work.tx, now, scene.work.actor) }
    await acceptHandedOver(present)
    await reportNextStatuses(present)
    orders.push(...(await takeInNewOrders(present, arrivedBy(round) - arrivedBy(round - 1))))
    if (round < rounds && (await shipWaiting(present))) shipments += 1
    if (round === rounds) await endSync(present, orders)
  }
  return { orders, shipments }
}

async function acceptHandedOver(scene: Scene): Promise<void> {
  const { work, clientId, cabinetId } = scene
  const handedOver = await work.tx<{ id: string }[]>`
    select id from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and status = 'HANDED_OVER'
    order by closed_at, id`
  for (const { id } of handedOver) await accept(scene, id)
}

/** Sends the open shipment with the orders that wait for one. False where there is nothing to send. */
async function shipWaiting(scene: Scene): Promise<boolean> {
  const open = await findOpenShipment(scene)
  const id = open?.id ?? (await openNew(scene))
  const joined = await joinShipment(scene, id)
  if (joined === 0 && !open?.leaves) return false
  await pickAndClose(scene, id)
  return true
}

async function endSync(
  { work, clientId, cabinetId }: Scene,
  orders: readonly OrderDraft[],
): Promise<void> {
  await showSoldUnits(work, clientId, cabinetId, orders)
  await recordSync(work, clientId, cabinetId)
}

/** A step counts up to sixty lines; the robot takes those that are left. */
const stepsMax = 60

/** Plays the seller's own receipt requests to their end. Answers how many were completed. */
export async function completeOwnReceipts(work: Work, clientId: string): Promise<number> {
  let completed = 0
  let left = stepsMax
  for (const { id } of await ownReceipts(work.tx, clientId)) {
    for (; left > 0; left--) {
      const [receipt] = await ownReceipts(work.tx, clientId, id)
      const step = receipt && nextReceiptStep(receipt, Number.POSITIVE_INFINITY)
      if (step === undefined) break
      await takeReceiptStep(work, clientId, id, step)
      if (step.kind === 'finish') completed += 1
    }
  }
  return completed
}
