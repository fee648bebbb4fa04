import type { Database, Queryable } from '../../../platform/db/connection.ts'
import type { Timestamp } from '../../../platform/kernel/moscow-time.ts'
import type { RefusedOrder } from '../connector.ts'
import {
  type CommandRow,
  commandColumns,
  commandOf,
  type RemoteCommand,
  referenceOf,
} from './remote-command.ts'
import type { CommandState } from './state.ts'

export interface CommandProgress {
  readonly state: CommandState
  /** The marketplace may have been called before. */
  readonly attempted: boolean
  readonly shipmentId: string | null
  readonly message: string | null
  readonly refused: readonly RefusedOrder[]
}

/** How far a command has come, whichever process worked on it. */
export async function progressOf(
  db: Queryable,
  { clientId, id }: RemoteCommand,
): Promise<CommandProgress> {
  const [row] = await db<CommandProgress[]>`
    select state, attempted_at is not null as attempted, shipment_id as "shipmentId", message,
      refused_orders as refused
    from remote_commands where client_id = ${clientId} and id = ${id}`
  return row ?? { state: 'refused', attempted: true, shipmentId: null, message: null, refused: [] }
}

/** A younger command may belong to a worker who has recorded it and not locked it yet. */
export const strandedSeconds = 2

/**
 * Open commands of a cabinet that a crash may have left, oldest first, at most 100. The lock of a
 * command tells whether somebody still works on it.
 */
export async function strandedCommands(
  db: Database,
  clientId: string,
  cabinetId: string,
): Promise<RemoteCommand[]> {
  const rows = await db<CommandRow[]>`
    select ${commandColumns(db)} from remote_commands
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and state = 'requested'
      and requested_at < now() - make_interval(secs => ${strandedSeconds})
    order by requested_at limit 100`
  return rows.map(commandOf)
}

/** Whether the cabinet may hold a shipment that was requested here and has no row yet. */
export async function isCreationOpen(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<boolean> {
  const open = await db`
    select id from remote_commands
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and kind in ('create', 'create_late') and state = 'requested' limit 1`
  return open.length > 0
}

/** References of refused creations that the marketplace may still carry out, requested since then. */
export async function abandonedReferences(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  since: Timestamp,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from remote_commands
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and kind = 'create'
      and state = 'refused' and requested_at >= ${since} and attempted_at is not null`
  return rows.map(referenceOf)
}
