import type { Queryable } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import { actorText } from '../../../platform/kernel/actor.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { newId } from '../../../platform/kernel/ids.ts'
import type { ShipmentsPlace } from '../../../warehouse/clients/marketplace.ts'
import type { ShipmentGuard } from '../../../warehouse/picking/lock.ts'
import { observedMessage } from '../../../warehouse/shipments/state.ts'
import type { Cabinet } from '../connecting/connected-cabinet.ts'
import {
  type CommandDraft,
  type CommandRow,
  type CreateCommand,
  commandColumns,
  commandOf,
  type RemoteCommand,
} from './remote-command.ts'

/**
 * Records a command before the marketplace is called. An equal command that is still open is returned
 * instead, and so is a creation with the same number that is done: a repeated request has one effect.
 *
 * An observed cabinet accepts no command. An open command blocks what would contradict it, with a conflict at once instead of a wait:
 *
 * - An order is in one open command at a time.
 * - A shipment is handed over, created late or cancelled only while nothing else is asked of it.
 * - While it is being handed over or cancelled, its orders and picks do not change (`refuseWhileEnding`).
 */
export async function requestCommand<Draft extends CommandDraft>(
  work: Work,
  cabinet: Cabinet,
  draft: Draft,
): Promise<RemoteCommand<Draft>> {
  const { tx } = work
  const { clientId, id: cabinetId } = cabinet
  // Serialises equal requests of two workers.
  const [locked] = await tx<{ shipments: ShipmentsPlace }[]>`
    select shipments from cabinets
    where client_id = ${clientId} and id = ${cabinetId} for no key update`
  if (locked?.shipments === 'observe') throw conflict(observedMessage)
  const equal = await findEqual(tx, cabinet, draft)
  if (equal !== undefined) return equal
  await refuseOverlap(tx, cabinet, draft)
  const { actor, at: requestedAt } = work
  const id = newId()
  const command: RemoteCommand<Draft> = { ...draft, id, clientId, cabinetId, actor, requestedAt }
  const shipmentId = draft.kind === 'create' ? null : draft.shipmentId
  await tx`
    insert into remote_commands
      (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor, requested_at)
    values (${clientId}, ${id}, ${cabinetId}, ${shipmentId}, ${draft.kind},
      ${tx.json({ ...draft.detail })}, 'requested', ${actorText(actor)}, ${requestedAt})`
  return command
}

async function findEqual<Draft extends CommandDraft>(
  db: Queryable,
  { clientId, id: cabinetId }: Cabinet,
  draft: Draft,
): Promise<RemoteCommand<Draft> | undefined> {
  const equal =
    draft.kind === 'create'
      ? db`state <> 'refused' and detail ->> 'externalId' = ${draft.detail.externalId}`
      : db`
        state = 'requested' and shipment_id is not distinct from ${draft.shipmentId}::uuid
        and detail = ${db.json({ ...draft.detail })}`
  const [row] = await db<CommandRow<Draft>[]>`
    select ${commandColumns(db)} from remote_commands
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = ${draft.kind}
      and ${equal}
    order by requested_at desc limit 1`
  return row && commandOf(row)
}

async function refuseOverlap(
  db: Queryable,
  { clientId, id: cabinetId }: Cabinet,
  draft: CommandDraft,
): Promise<void> {
  if (draft.kind === 'create') return
  const { shipmentId } = draft
  const orderIds = ordersOf(draft)
  const overlaps = endingKinds.some((kind) => kind === draft.kind)
    ? db`shipment_id = ${shipmentId}`
    : db`
        kind = 'add_orders' and detail -> 'orderIds' ?| ${orderIds}::text[]
        or kind in ('remove_order', 'split', 'set_boxes') and detail ->> 'orderId' = any(${orderIds}::text[])
        or kind = any(${[...endingKinds]}::text[]) and shipment_id = ${shipmentId}`
  const [other] = await db<{ kind: keyof typeof openMessages }[]>`
    select kind from remote_commands
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'requested'
      and (${overlaps}) limit 1`
  if (other !== undefined) throw conflict(openMessages[other.kind])
}

/** Nothing else is asked of a shipment meanwhile. */
const endingKinds = ['create_late', 'hand_over', 'cancel'] as const

function ordersOf(draft: Exclude<CommandDraft, CreateCommand>): string[] {
  if (draft.kind === 'add_orders') return [...draft.detail.orderIds]
  return 'orderId' in draft.detail ? [draft.detail.orderId] : []
}

const openMessages = {
  create_late: 'Отгрузку как раз создают на маркетплейсе: дождитесь его ответа',
  add_orders: 'Заказы как раз добавляют в отгрузку: повторите, когда маркетплейс ответит',
  remove_order: 'Заказ как раз убирают из отгрузки: повторите, когда маркетплейс ответит',
  split: 'Заказ как раз делят: повторите, когда маркетплейс ответит',
  hand_over: 'Отгрузку как раз передают маркетплейсу: дождитесь его ответа',
  add_boxes: 'Грузоместа как раз добавляют: повторите, когда маркетплейс ответит',
  set_boxes: 'Число коробок заказа как раз меняют: повторите, когда маркетплейс ответит',
  remove_boxes: 'Грузоместа как раз удаляют: повторите, когда маркетплейс ответит',
  cancel: 'Отгрузку как раз отменяют: дождитесь ответа маркетплейса',
} as const

/**
 * Refuses a change to the orders or picks of a shipment while the marketplace is asked to take it over or to cancel
 * it, and while it may have done so. Disconnecting the cabinet does not change that.
 */
export const refuseWhileEnding: ShipmentGuard = async ({ tx }, clientId, shipmentId) => {
  const [open] = await tx<{ kind: (typeof endingKinds)[number] }[]>`
    select kind from remote_commands
    where client_id = ${clientId} and shipment_id = ${shipmentId} and state = 'requested'
      and kind = any(${[...endingKinds]}::text[]) limit 1`
  if (open !== undefined) throw conflict(openMessages[open.kind])
}
