import type { SharedWork, Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import { moscowDate } from '../../platform/kernel/moscow-time.ts'
import { countReturnBatch } from '../clients/counters.ts'
import { type ExpectedUnits, expectUnits, unitsToFetch } from './expected-units.ts'
import { allowsReturnBatchVerb, type ReturnBatchStatus, type ReturnBatchVerb } from './state.ts'

/**
 * Return batches: goods that came back at once, with a list of what was expected. The only writer of
 * return_batches and, with expected-units.ts, of return_lines.
 */
export interface NewReturnBatch {
  readonly cabinetId?: string | undefined
  readonly comment?: string | undefined
  /** Orders whose units are expected. Where none are named: what the cabinet's marketplace has ready, or sends back. */
  readonly expected?: readonly ExpectedUnits[] | undefined
}

/** Opens a batch. Throws validation_error. */
export async function openReturnBatch(
  work: Work,
  clientId: string,
  { cabinetId, comment, expected = [] }: NewReturnBatch,
): Promise<string> {
  const { tx } = work
  if (cabinetId !== undefined) {
    const [cabinet] = isId(cabinetId)
      ? await tx`select from cabinets where client_id = ${clientId} and id = ${cabinetId}`
      : []
    if (cabinet === undefined) throw invalidField('cabinet_id', 'у клиента нет такого кабинета')
  }
  const id = await insertBatch(work, clientId, { cabinetId, comment })
  if (id === undefined) throw notFound('Клиент не найден')
  await numberBatch(work, clientId, id)
  if (expected.length > 0) await expectUnits(work, clientId, id, cabinetId, expected)
  else if (cabinetId !== undefined) await unitsToFetch(work, clientId, id, cabinetId)
  return id
}

/** Its number is its id until numberBatch gives it one. Undefined where the client has an open batch of the day. */
async function insertBatch(
  { tx, at, actor }: Work,
  clientId: string,
  batch: { cabinetId?: string | undefined; comment?: string | undefined; day?: string },
): Promise<string | undefined> {
  const id = newId()
  const [row] = await tx<{ id: string }[]>`
    insert into return_batches
      (client_id, id, number, cabinet_id, status, day, comment, created_at, created_by)
    select c.id, ${id}, ${id}, ${batch.cabinetId ?? null}, 'OPEN', ${batch.day ?? null},
      ${batch.comment ?? null}, ${at}, ${actorText(actor)}
    from clients c where c.id = ${clientId}
    on conflict (client_id, day) where status = 'OPEN' and day is not null do nothing
    returning id`
  return row?.id
}

/** Gives a new batch the client's next number. */
async function numberBatch({ tx }: Work, clientId: string, id: string): Promise<void> {
  await tx`
    with numbered as (${countReturnBatch(tx, clientId)})
    update return_batches
    set number = 'RT-' || lpad(n.returns::text, greatest(6, length(n.returns::text)), '0')
    from numbered n where client_id = ${clientId} and id = ${id}`
}

/** How often somebody may end the batch of the day between two looks at it. */
const attemptsMax = 5

/** The open batch of the work's Moscow day, locked against its end; opened where there is none. */
export async function shareBatchOfDay(work: Work, clientId: string): Promise<string> {
  const day = moscowDate(work.now)
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const [open] = await work.tx<{ id: string }[]>`
      select id from return_batches
      where client_id = ${clientId} and day = ${day} and status = 'OPEN' for share`
    if (open !== undefined) return open.id
    // Of several scans at once one opens the batch; the others wait for its commit here, and for nothing else.
    const id = await insertBatch(work, clientId, { day })
    if (id === undefined) continue
    await numberBatch(work, clientId, id)
    return id
  }
  throw conflict('Приём возвратов этого дня только что закончили: отсканируйте ещё раз')
}

/** The open batches of the work's Moscow day, by client; clients without one are left out. */
export async function openBatchesOfDay(
  { tx, now }: SharedWork,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ client_id: string; id: string }[]>`
    select client_id, id from return_batches
    where client_id = any(${[...clientIds]}::uuid[]) and day = ${moscowDate(now)} and status = 'OPEN'`
  return new Map(rows.map((row) => [row.client_id, row.id]))
}

/** A batch of a client. */
export interface ReturnBatchName {
  readonly clientId: string
  readonly returnId: string
}

export const batchKey = ({ clientId, returnId }: ReturnBatchName) => `${clientId} ${returnId}`

export interface LockedBatch {
  readonly status: ReturnBatchStatus
  readonly number: string
  readonly cabinet_id: string | null
}

/** Locks batches against their end, in the order of clients and ids. Unknown ones are left out. */
export async function shareReturnBatches(
  { tx }: SharedWork,
  names: readonly ReturnBatchName[],
): Promise<ReadonlyMap<string, LockedBatch>> {
  const different = new Map(names.map((name) => [batchKey(name), name])).values()
  const rows = [...different].map(({ clientId, returnId }) => ({
    client_id: clientId,
    id: returnId,
  }))
  const batches = await tx<(LockedBatch & { client_id: string; id: string })[]>`
    select q.client_id, q.id, b.*
    from (
      select * from jsonb_to_recordset(${tx.json(rows)}) as q (client_id uuid, id uuid)
      order by client_id, id
    ) q
    cross join lateral (
      select status, number, cabinet_id from return_batches
      where client_id = q.client_id and id = q.id
      offset 0 for share
    ) b`
  return new Map(
    batches.map(({ client_id: clientId, id: returnId, ...batch }) => [
      batchKey({ clientId, returnId }),
      batch,
    ]),
  )
}

/** Throws not_found or conflict where the batch's status does not allow the verb. */
export function allowReturnBatchVerb(
  batch: LockedBatch | undefined,
  verb: ReturnBatchVerb,
): LockedBatch {
  if (batch === undefined) throw notFound('Приём возвратов не найден')
  if (allowsReturnBatchVerb(batch.status, verb)) return batch
  throw conflict(`Приём возвратов ${batch.number} закончен: начните новый`)
}

/** Locks a batch and checks that its status allows the verb. Throws not_found or conflict. */
export async function lockReturnBatch(
  { tx }: Work,
  clientId: string,
  id: string,
  verb: ReturnBatchVerb,
): Promise<{ readonly cabinetId: string | null }> {
  const [batch] = await tx<LockedBatch[]>`
    select status, number, cabinet_id from return_batches
    where client_id = ${clientId} and id = ${id}
    ${verb === 'finish' ? tx`for no key update` : tx`for share`}`
  return { cabinetId: allowReturnBatchVerb(batch, verb).cabinet_id }
}

/** Ends a batch: what it expects and did not get stays missing. Throws not_found or conflict. */
export async function finishReturnBatch(work: Work, clientId: string, id: string): Promise<void> {
  await lockReturnBatch(work, clientId, id, 'finish')
  await work.tx`
    update return_batches
    set status = 'FINISHED', finished_at = ${work.at}, finished_by = ${actorText(work.actor)}
    where client_id = ${clientId} and id = ${id}`
}
