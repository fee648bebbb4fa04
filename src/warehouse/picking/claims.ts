import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import { isId } from '../../platform/kernel/ids.ts'
import type { PickingTaskVerb } from './state.ts'
import { lockTask, shareTask, type TaskClaim } from './tasks.ts'

/**
 * Claims: one user alone collects a picking task.
 *
 *   free --claim--> claimed --release--> free
 *   claimed --take over (manager)--> claimed by another
 *
 * - A claim ends 30 minutes after it was made or after the last scan of its user (`claim_ends_at`), when the
 *   user signs out or loses access, and when the shipment is closed.
 * - While it lasts nobody else picks, undoes picks or reports missing goods. Without one anybody may.
 * - Verbs of a claim lock the task against picks, so no pick of another user follows a claim.
 */

/** Claims a task. Returns false where the user holds it already. Throws conflict where another one does. */
export async function claimTask(
  work: Work,
  clientId: string,
  taskId: string,
  userId: string,
): Promise<boolean> {
  return giveTask(work, clientId, taskId, userId, false)
}

/** Gives a task to a user, whoever has claimed it. Returns false where the user holds it already. */
export async function takeOverTask(
  work: Work,
  clientId: string,
  taskId: string,
  userId: string,
): Promise<boolean> {
  return giveTask(work, clientId, taskId, userId, true)
}

async function giveTask(
  work: Work,
  clientId: string,
  taskId: string,
  userId: string,
  takesOver: boolean,
): Promise<boolean> {
  await lockUser(work, clientId, userId)
  const { claim } = await lockTask(work, clientId, taskId, 'claim')
  const holder = await holderOf(work, clientId, taskId, claim)
  if (holder?.userId === userId) return false
  if (holder !== undefined && !takesOver) throw claimedByOther(holder)
  await setClaim(work, clientId, taskId, userId)
  return true
}

/** Releases a claim of the user. Returns false where nobody holds the task. Throws conflict where another one does. */
export async function releaseTask(
  work: Work,
  clientId: string,
  taskId: string,
  userId: string,
): Promise<boolean> {
  const { claim } = await lockTask(work, clientId, taskId, 'claim')
  const holder = await holderOf(work, clientId, taskId, claim)
  if (holder !== undefined && holder.userId !== userId) throw claimedByOther(holder)
  // A claim that has ended would come back with the next scan of its user.
  if (claim?.userId === userId) await setClaim(work, clientId, taskId, null)
  return holder !== undefined
}

/** Releases all claims of a user who signed out or lost access. Returns the ids of the tasks. */
export async function releaseClaimsOf({ tx }: Work, userId: string): Promise<string[]> {
  const released = await tx<{ id: string }[]>`
    update picking_tasks set claimed_by = null, claimed_at = null where (client_id, id) in (
      select client_id, id from picking_tasks where claimed_by = ${userId}
      order by client_id, id for no key update)
    returning id`
  return released.map(({ id }) => id)
}

/** Throws conflict for a change by staff while another user holds the task. */
export function refuseOthers(holder: TaskClaim | undefined, actor: Actor): void {
  if (holder === undefined || actor.kind !== 'staff' || actor.userId === holder.userId) return
  throw claimedByOther(holder)
}

/** Locks a task as `shareTask` does, for a change that the holder of its claim alone may make. */
export async function shareOwnTask(
  work: Work,
  clientId: string,
  taskId: string,
  verb: PickingTaskVerb,
): Promise<{ readonly shipmentId: string }> {
  const task = await shareTask(work, clientId, taskId, verb)
  refuseOthers(await holderFor(work, clientId, taskId, task.claim, [work.actor]), work.actor)
  return task
}

/**
 * The holder of the claim of a locked task, where somebody else among `actors` changes something; else it need not be
 * asked.
 */
export async function holderFor(
  work: SharedWork,
  clientId: string,
  taskId: string,
  claim: TaskClaim | undefined,
  actors: readonly Actor[],
): Promise<TaskClaim | undefined> {
  const isOther = (actor: Actor) => actor.kind === 'staff' && actor.userId !== claim?.userId
  if (claim === undefined || !actors.some(isOther)) return undefined
  return holderOf(work, clientId, taskId, claim)
}

async function holderOf(
  { tx, at }: SharedWork,
  clientId: string,
  taskId: string,
  claim: TaskClaim | undefined,
): Promise<TaskClaim | undefined> {
  if (claim === undefined) return undefined
  const [lasting] = await tx`
    select t.id from picking_tasks t
    where t.client_id = ${clientId} and t.id = ${taskId}
      and ${claimEnd(tx)} > ${at}::timestamptz`
  return lasting === undefined ? undefined : claim
}

function claimedByOther({ name }: TaskClaim): Error {
  return conflict(`Задание собирает ${name}: возьмите другое или попросите менеджера передать его`)
}

async function setClaim(
  { tx, at }: Work,
  clientId: string,
  taskId: string,
  userId: string | null,
): Promise<void> {
  await tx`
    update picking_tasks set claimed_by = ${userId},
      claimed_at = ${userId === null ? null : at}::timestamptz
    where client_id = ${clientId} and id = ${taskId}`
}

/** A user who is losing access, or does not work in the client's warehouse, claims nothing more. */
async function lockUser({ tx }: Work, clientId: string, userId: string): Promise<void> {
  const known = isId(userId)
    ? await tx`
        select u.id from staff_users u where u.id = ${userId} and u.active and (
          not exists (select from staff_user_warehouses w where w.user_id = u.id)
          or exists (
            select from staff_user_warehouses w join clients c on c.warehouse_code = w.warehouse_code
            where w.user_id = u.id and c.id = ${clientId}))
        for share of u`
    : []
  if (known.length === 0) {
    throw invalidField('user_id', 'действующий пользователь, который работает на этом складе')
  }
}

/** When the claim of the task `t` ends; null without one. */
export function claimEnd(db: Queryable) {
  return db`claim_ends_at(t.client_id, t.id, t.claimed_by, t.claimed_at)`
}
