import { type Database, inTransaction } from '../../../platform/db/connection.ts'
import { perform, type Work } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { fromTimestamp, minute } from '../../../platform/kernel/moscow-time.ts'
import {
  closeShipment,
  nameCreatedShipment,
  openShipment,
  removeOrder,
} from '../../../warehouse/shipments/verbs.ts'
import { isRejected } from '../calls/failure.ts'
import { connectionOfOrder, connectionOfShipment } from '../connecting/connected-cabinet.ts'
import { requestSyncRun } from '../connecting/sync-requests.ts'
import type { Connector } from '../connector.ts'
import { addAccepted, noteOf } from './add-orders.ts'
import type { AdvisoryLocks } from './advisory-locks.ts'
import { cancelHere } from './cancel-shipment.ts'
import { type CommandResult, completeCommand, refuseCommand } from './command-progress.ts'
import { progressOf, strandedCommands } from './command-queries.ts'
import { findCreated } from './create-at-opening.ts'
import { compareHandedOver } from './hand-over.ts'
import { setBoxesHere } from './order-boxes.ts'
import {
  type AddBoxesCommand,
  type AddOrdersCommand,
  type CancelCommand,
  type CreateCommand,
  type CreateLateCommand,
  type HandOverCommand,
  lockKeyOf,
  type RemoteCommand,
  type RemoveBoxesCommand,
  type RemoveOrderCommand,
  type SetBoxesCommand,
  type SplitCommand,
} from './remote-command.ts'
import { removeRemotely } from './remove-order.ts'
import { refuseWhileEnding } from './request-command.ts'
import { joiningAndPresent, shippedOrders } from './shipment-orders.ts'
import { splitHere } from './split-order.ts'
import { doneRemotelyOnly } from './staff-errors.ts'

/**
 * Finishes commands that a crash, or a call with an unknown outcome, left open. It reads the state from
 * the marketplace. If the marketplace carried the command out, the change is applied here, too; otherwise
 * the command is refused, and neither side has changed. A command without an attempt is refused at once.
 * A marketplace that may still be carrying a command out gets a while for it: then it stays open.
 */
export interface ResumeParts {
  readonly db: Database
  readonly locks: AdvisoryLocks
  readonly clock: Clock
  readonly connector: Connector
}

/** Throws the first failure, after all commands have had their turn. */
export async function resumeCommands(
  parts: ResumeParts,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  const failures: unknown[] = []
  for (const command of await strandedCommands(parts.db, clientId, cabinetId)) {
    try {
      await parts.locks.ifUnlocked(lockKeyOf(command), () => resume(parts, command))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function resume(parts: ResumeParts, command: RemoteCommand): Promise<void> {
  const { db, clock } = parts
  const { state, attempted } = await progressOf(db, command)
  if (state !== 'requested') return
  const refuse = (reason: string) =>
    perform(db, clock, command.actor, (work) => refuseCommand(work, command, reason))
  try {
    const verb = attempted ? await verbOf(parts, command) : undefined
    if (verb === 'later') return await lookAgain(parts, command)
    if (verb === undefined) return await refuse('Маркетплейс этого не выполнил')
    await perform(db, clock, command.actor, async (work) =>
      completeCommand(work, command, await verb(work)),
    )
  } catch (error) {
    if (!(error instanceof ServiceError) && !isRejected(error)) throw error
    await refuse(isRejected(error) ? error.message : doneRemotelyOnly(error.message))
  }
}

type Verb = (work: Work) => Promise<CommandResult>

/** The next sync run follows soon. */
async function lookAgain({ db }: ResumeParts, { clientId, cabinetId }: RemoteCommand) {
  await inTransaction(db, (tx) => requestSyncRun(tx, clientId, cabinetId, lookAgainMs))
}
const lookAgainMs = 10_000

/**
 * The verb that is left to run here; undefined where the marketplace did not carry the command out, and
 * `later` where it may still be doing so.
 */
async function verbOf(
  parts: ResumeParts,
  command: RemoteCommand,
): Promise<Verb | 'later' | undefined> {
  if (command.kind === 'create') return verbOfCreation(parts, command)
  if (command.kind === 'split') return verbOfSplit(parts, command)
  if (command.kind === 'set_boxes') return verbOfOrderBoxes(parts, command)
  const { clientId, shipmentId } = command
  const shipment = await connectionOfShipment(parts.db, clientId, shipmentId)
  if (shipment === undefined) return undefined
  const { externalId, awaitsCreation } = shipment
  switch (command.kind) {
    case 'add_orders':
      return verbOfAddition(parts, command, externalId)
    case 'remove_order':
      return verbOfRemoval(parts, command, externalId)
    case 'create_late':
      return verbOfLateCreation(parts, command)
    case 'hand_over':
      // Nobody can ask about a shipment that the marketplace does not have: closing it again packs nothing twice.
      return awaitsCreation ? undefined : verbOfHandOver(parts, command, externalId)
    case 'cancel':
      return verbOfCancellation(parts, command, externalId)
    case 'add_boxes':
    case 'remove_boxes':
      return verbOfBoxes(parts, command, externalId)
  }
}

async function verbOfCreation(
  { db, connector }: ResumeParts,
  command: RemoteCommand<CreateCommand>,
) {
  const { clientId, cabinetId } = command
  const externalId = await findCreated(db, connector.shipping, command)
  if (externalId === undefined) return undefined
  const draft = { cabinetId, externalId, name: command.detail.name }
  return async (work: Work) => ({ shipmentId: await openShipment(work, clientId, draft) })
}

async function verbOfLateCreation(
  { db, connector: { shipping } }: ResumeParts,
  command: RemoteCommand<CreateLateCommand>,
) {
  const { clientId, shipmentId } = command
  const number = await findCreated(db, shipping, command)
  if (number === undefined) return undefined
  return async (work: Work) => {
    await nameCreatedShipment(work, clientId, shipmentId, number)
    return {}
  }
}

async function verbOfAddition(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, shipmentId, detail: { orderIds } }: RemoteCommand<AddOrdersCommand>,
  externalId: string,
) {
  const { joining, present } = await joiningAndPresent(db, clientId, shipmentId, orderIds)
  const inside = await shipping.ordersOf(externalId)
  if (inside !== undefined && !joining.some((order) => inside.includes(order.externalId))) {
    return undefined
  }
  // Some may be missing; or the marketplace does not tell, and all may be. Repeating is harmless.
  const refused = await shipping.addOrders(externalId, joining, present)
  return async (work: Work) => {
    await addAccepted(work, { clientId, shipmentId }, orderIds, refused)
    return { refused, note: noteOf(refused) }
  }
}

async function verbOfRemoval(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, shipmentId, detail: { orderId } }: RemoteCommand<RemoveOrderCommand>,
  externalId: string,
) {
  const [order] = await shippedOrders(db, clientId, [orderId])
  const inside = await shipping.ordersOf(externalId)
  if (order !== undefined && inside?.includes(order.externalId)) return undefined
  // Where the marketplace does not tell what is inside, the order may still be. Repeating is harmless.
  const note = await removeRemotely(db, shipping, externalId, { clientId, shipmentId, orderId })
  return async (work: Work) => {
    await removeOrder(work, clientId, shipmentId, orderId, refuseWhileEnding)
    return { note }
  }
}

async function verbOfHandOver(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, shipmentId }: RemoteCommand<HandOverCommand>,
  externalId: string,
) {
  if ((await shipping.remoteStateOf(externalId)) !== 'handedOver') return undefined
  const note = await compareHandedOver(db, shipping, { clientId, shipmentId, externalId })
  return async (work: Work) => {
    await closeShipment(work, clientId, shipmentId)
    return { note }
  }
}

async function verbOfCancellation(
  { connector: { shipping } }: ResumeParts,
  { clientId, cabinetId, shipmentId }: RemoteCommand<CancelCommand>,
  externalId: string,
) {
  if ((await shipping.remoteStateOf(externalId)) !== 'gone') return undefined
  return async (work: Work) => {
    await cancelHere(work, { clientId, cabinetId, shipmentId })
    return {}
  }
}

/** The boxes exist at the marketplace alone, so nothing is left to do here. */
async function verbOfBoxes(
  { connector: { shipping } }: ResumeParts,
  command: RemoteCommand<AddBoxesCommand | RemoveBoxesCommand>,
  externalId: string,
): Promise<Verb | undefined> {
  const present = (await shipping.destinations?.boxesOf(externalId)) ?? []
  const isDone =
    command.kind === 'add_boxes'
      ? present.length >= command.detail.count
      : !command.detail.boxes.some((box) => present.includes(box))
  return isDone ? async () => ({}) : undefined
}

/** A marketplace that has begun to split an order may make its parts one by one. */
const splitMsMax = 10 * minute
/** One that shows no part after so long did not split it. */
const unsplitMsMax = minute

async function verbOfSplit(
  { db, clock, connector: { shipping } }: ResumeParts,
  { clientId, cabinetId, requestedAt, detail }: RemoteCommand<SplitCommand>,
): Promise<Verb | 'later' | undefined> {
  const { orderId, packages } = detail
  const order = await connectionOfOrder(db, clientId, orderId)
  const parts = order && (await shipping.partsOf?.(order.externalId))
  const missing = packages.length - (parts?.items.length ?? 0)
  const patienceMs = parts === undefined ? unsplitMsMax : splitMsMax
  if (missing > 0 && clock.now() - fromTimestamp(requestedAt) < patienceMs) return 'later'
  if (parts === undefined) return undefined
  const note = `Маркетплейс сделал не все части, не хватает ${missing}: проверьте заказ в кабинете`
  return async (work: Work) => {
    await splitHere(work, { clientId, cabinetId, orderId }, parts)
    return missing > 0 ? { note } : {}
  }
}

async function verbOfOrderBoxes(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, detail: { orderId, count } }: RemoteCommand<SetBoxesCommand>,
): Promise<Verb | undefined> {
  const order = await connectionOfOrder(db, clientId, orderId)
  const boxes = order && (await shipping.orderBoxesOf?.(order.externalId))
  if (boxes !== count) return undefined
  return async (work: Work) => {
    await setBoxesHere(work, { clientId, orderId, count })
    return {}
  }
}
