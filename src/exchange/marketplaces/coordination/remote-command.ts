import type { Queryable } from '../../../platform/db/connection.ts'
import { type Actor, parseActor } from '../../../platform/kernel/actor.ts'
import type { Timestamp } from '../../../platform/kernel/moscow-time.ts'

/**
 * A remote command asks a marketplace to change one shipment. It is committed before the marketplace is
 * called and finished in the transaction that applies the result here. After a crash between the two,
 * a sync run therefore knows what the marketplace may have done, and asks it before anything is
 * repeated (resume.ts). Its states are in state.ts; what an open command blocks is in
 * request-command.ts.
 */
export type RemoteCommand<Draft extends CommandDraft = CommandDraft> = Draft & Identity<Actor>

export type CommandDraft =
  | CreateCommand
  | CreateLateCommand
  | AddOrdersCommand
  | RemoveOrderCommand
  | HandOverCommand
  | CancelCommand
  | AddBoxesCommand
  | RemoveBoxesCommand
  | SplitCommand
  | SetBoxesCommand

export interface CreateCommand {
  readonly kind: 'create'
  readonly detail: {
    /** The worker's number of the request: the same number again means the same shipment. */
    readonly externalId: string
    readonly name: string
    /** The orders that will be added, where the worker named them. */
    readonly orderIds?: readonly string[]
  }
}

/** A shipment that exists here is created at the marketplace, because it is being closed. */
export interface CreateLateCommand {
  readonly kind: 'create_late'
  readonly shipmentId: string
  readonly detail: Readonly<Record<string, never>>
}

export interface AddOrdersCommand {
  readonly kind: 'add_orders'
  readonly shipmentId: string
  readonly detail: { readonly orderIds: readonly string[] }
}

export interface RemoveOrderCommand {
  readonly kind: 'remove_order'
  readonly shipmentId: string
  readonly detail: { readonly orderId: string }
}

export interface HandOverCommand {
  readonly kind: 'hand_over'
  readonly shipmentId: string
  readonly detail: Readonly<Record<string, never>>
}

/** The shipment is cancelled, with orders in it or without. */
export interface CancelCommand {
  readonly kind: 'cancel'
  readonly shipmentId: string
  readonly detail: Readonly<Record<string, never>>
}

/** The shipment shall have so many boxes, with those that it has already. */
export interface AddBoxesCommand {
  readonly kind: 'add_boxes'
  readonly shipmentId: string
  readonly detail: { readonly count: number }
}

export interface RemoveBoxesCommand {
  readonly kind: 'remove_boxes'
  readonly shipmentId: string
  /** The marketplace's numbers of the boxes. */
  readonly detail: { readonly boxes: readonly string[] }
}

/** An order becomes several, each with its own units. */
export interface SplitCommand {
  readonly kind: 'split'
  /** Null where the order is in no shipment. */
  readonly shipmentId: string | null
  readonly detail: {
    readonly orderId: string
    readonly packages: readonly (readonly PackedGoods[])[]
  }
}

/** An order is packed in so many boxes. */
export interface SetBoxesCommand {
  readonly kind: 'set_boxes'
  /** Null where the order is in no shipment. */
  readonly shipmentId: string | null
  readonly detail: { readonly orderId: string; readonly count: number }
}

/** Units of goods, by the marketplace's number. */
export interface PackedGoods {
  readonly itemId: number
  readonly quantity: number
}

interface Identity<Author> {
  readonly id: string
  readonly clientId: string
  readonly cabinetId: string
  readonly actor: Author
  readonly requestedAt: Timestamp
}

/** A command as the columns of `commandColumns` return it. */
export type CommandRow<Draft extends CommandDraft = CommandDraft> = Draft & Identity<string>

export function commandColumns(db: Queryable) {
  return db`
    id, client_id as "clientId", cabinet_id as "cabinetId", shipment_id as "shipmentId", kind,
    detail, actor, requested_at as "requestedAt"`
}

export function commandOf<Draft extends CommandDraft>(
  row: CommandRow<Draft>,
): RemoteCommand<Draft> {
  return { ...row, actor: parseActor(row.actor) }
}

/** The text by which the shipment that a command created is found at the marketplace. */
export function referenceOf(command: Pick<RemoteCommand, 'id'>): string {
  return `SK-${command.id.replaceAll('-', '').slice(-12).toUpperCase()}`
}

/** What commands that must not run at the same time have in common: the shipment, or its creation. */
export function lockKeyOf(command: RemoteCommand): string {
  if (command.kind === 'create') return command.id
  if (command.kind === 'split' || command.kind === 'set_boxes') {
    return command.shipmentId ?? command.detail.orderId
  }
  return command.shipmentId
}
