import type { Database } from '../../db/connection.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Connect } from '../connect.ts'
import { close } from './closing.ts'
import { fill } from './filling.ts'
import { type Labels, openLabels } from './labels.ts'
import { type Opened, open, type ShipmentRequest } from './opening.ts'
import type { DeskTools } from './operations.ts'
import { remove } from './removing.ts'
import type { Guards } from './task-guard.ts'
import { openTaskRunner, type Run } from './task-runner.ts'

/**
 * Where workers make shipments. For a cabinet that is not connected it is the verb alone; for a
 * connected one the marketplace is asked too, and both say yes or nothing changes:
 *
 * - The verb is tried out and undone, the marketplace is asked, and the verb is done. While the
 *   marketplace thinks no row is locked: the task claims what must not change meanwhile (tasks.ts).
 * - A shipment is created there first: its number is the marketplace's.
 * - A crash, or an answer that never came, leaves the task asked; the next round of syncing learns
 *   what the marketplace has, and follows (resume.ts).
 */
export interface DeskParts {
  readonly db: Database
  readonly guards: Guards
  readonly clock: Clock
  readonly connect: Connect
}

export interface Desk extends Labels {
  open<A>(clientId: string, draft: ShipmentRequest, actor: string, run: Run<Opened, A>): Promise<A>
  fill<A>(
    clientId: string,
    shipmentId: string,
    orderIds: readonly string[],
    actor: string,
    run: Run<number, A>,
  ): Promise<A>
  remove<A>(
    clientId: string,
    shipmentId: string,
    orderId: string,
    actor: string,
    run: Run<void, A>,
  ): Promise<A>
  close<A>(clientId: string, shipmentId: string, actor: string, run: Run<void, A>): Promise<A>
}

export function openDesk({ db, guards, clock, connect }: DeskParts): Desk {
  const tools: DeskTools = { db, connect, ...openTaskRunner({ db, guards, clock }) }
  return {
    open: (clientId, draft, actor, run) => open(tools, clientId, draft, actor, run),
    fill: (clientId, shipmentId, orderIds, actor, run) =>
      fill(tools, { clientId, shipmentId }, orderIds, actor, run),
    remove: (clientId, shipmentId, orderId, actor, run) =>
      remove(tools, { clientId, shipmentId, orderId }, actor, run),
    close: (clientId, shipmentId, actor, run) => close(tools, { clientId, shipmentId }, actor, run),
    ...openLabels(db, connect),
  }
}
