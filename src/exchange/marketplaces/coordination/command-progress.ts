import type { Queryable, Transaction } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import { actorText } from '../../../platform/kernel/actor.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { newId } from '../../../platform/kernel/ids.ts'
import type { MayRemove } from '../../../warehouse/shipments/removal.ts'
import type { RefusedOrder } from '../connector.ts'
import type { RemoteCommand } from './remote-command.ts'
import { transitionOf } from './state.ts'

/** How remote commands proceed, by the transitions of state.ts. */

const finishedMessage = 'Это уже сделано: обновите список'

/** Must be committed before the marketplace is called. Throws conflict where the command is finished. */
export async function recordAttempt(
  db: Queryable,
  { clientId, id }: Pick<RemoteCommand, 'clientId' | 'id'>,
): Promise<void> {
  const { from } = transitionOf('attempt')
  const attempted = await db`
    update remote_commands set attempted_at = now()
    where client_id = ${clientId} and id = ${id} and state = any(${from as string[]}) returning id`
  if (attempted.length === 0) throw conflict(finishedMessage)
}

/** The result of a command that both sides carried out. */
export interface CommandResult {
  /** The shipment that was created here. */
  readonly shipmentId?: string
  /** For managers, in Russian. */
  readonly note?: string | undefined
  /** Orders that the marketplace refused while others joined. */
  readonly refused?: readonly RefusedOrder[]
}

/** Throws conflict where the command is done already: the transaction must not repeat its effect. */
export async function completeCommand(
  work: Work,
  { clientId, id }: RemoteCommand,
  { shipmentId, note, refused = [] }: CommandResult = {},
): Promise<void> {
  const { from, to } = transitionOf('complete')
  const completed = await work.tx`
    update remote_commands set
      state = ${to}, finished_at = ${work.at}, message = ${note ?? null},
      refused_orders = ${work.tx.json(refused)},
      shipment_id = coalesce(${shipmentId ?? null}, shipment_id)
    where client_id = ${clientId} and id = ${id} and state = any(${from as string[]}) returning id`
  if (completed.length === 0) throw conflict(finishedMessage)
}

/** The reason is in Russian, for managers. A command that is finished already stays as it is. */
export async function refuseCommand(
  work: Work,
  { clientId, id }: RemoteCommand,
  reason: string,
): Promise<void> {
  const { from, to } = transitionOf('refuse')
  await work.tx`
    update remote_commands set state = ${to}, message = ${reason}, finished_at = ${work.at}
    where client_id = ${clientId} and id = ${id} and state = any(${from as string[]})`
}

/**
 * Allows the deletion of a shipment that the marketplace no longer has, unless a command for it is
 * open. A shipment made here must have been created at the marketplace: a number that a manager typed
 * in may never have been there. Withdraws the creation, so that its request number may be used again.
 */
export const withdrawCreation: MayRemove = async ({ tx }, clientId, shipment) => {
  const { id, cabinet_id: cabinetId, mirrored } = shipment
  const open = await tx`
    select id from remote_commands
    where client_id = ${clientId} and shipment_id = ${id} and state = 'requested' limit 1`
  if (open.length > 0) return false
  if (mirrored) return true
  const why = 'Отгрузку удалили или отменили на маркетплейсе; пустая, она убрана и здесь'
  return withdraw(tx, { clientId, cabinetId, shipmentId: id }, why)
}

/** The creation of a shipment no longer counts: its request number may be used again. */
async function withdraw(
  tx: Transaction,
  shipment: { readonly clientId: string; readonly cabinetId: string; readonly shipmentId: string },
  why: string,
): Promise<boolean> {
  const { from, to } = transitionOf('withdraw')
  const withdrawn = await tx`
    update remote_commands set state = ${to}, message = ${why}
    where client_id = ${shipment.clientId} and cabinet_id = ${shipment.cabinetId}
      and shipment_id = ${shipment.shipmentId}
      and kind = 'create' and state = any(${from as string[]}) returning id`
  return withdrawn.length > 0
}

/** To be called in the transaction that cancels a shipment here. */
export async function withdrawCancelled(
  { tx }: Work,
  shipment: { readonly clientId: string; readonly cabinetId: string; readonly shipmentId: string },
): Promise<void> {
  await withdraw(tx, shipment, 'Отгрузку отменили')
}

const localNotes = {
  hand_over: 'Кабинет отключён: передайте эту отгрузку в кабинете маркетплейса сами',
  cancel: 'Кабинет отключён: отмените эту отгрузку в кабинете маркетплейса сами',
} as const

/** Leaves managers a note: the marketplace has this shipment, too, but it was handed over or cancelled only here. */
export async function recordOnlyHere(
  work: Work,
  clientId: string,
  shipmentId: string,
  kind: keyof typeof localNotes,
): Promise<void> {
  await work.tx`
    insert into remote_commands (client_id, id, cabinet_id, shipment_id, kind, detail, state, actor,
      requested_at, finished_at, message)
    select client_id, ${newId()}, cabinet_id, shipment_id, ${kind}, '{}', 'done',
      ${actorText(work.actor)}, ${work.at}, ${work.at}, ${localNotes[kind]}
    from remote_commands
    where client_id = ${clientId} and shipment_id = ${shipmentId} and kind = 'create'
      and state = 'done'`
}
