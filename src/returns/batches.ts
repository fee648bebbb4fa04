import { countReturnBatch } from '../clients/counters.ts'
import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { isId, newId } from '../kernel/ids.ts'
import { moscowDate } from '../kernel/moscow-time.ts'
import { type ExpectedUnits, expectUnits, unitsToFetch } from './expected-units.ts'
import { allowsReturnBatchVerb, type ReturnBatchStatus, type ReturnBatchVerb } from './state.ts'

/**
 * Return batches: goods that came back at once, with a list of what was expected. The only writer of
 * return_batches and, with expected-units.ts, of return_lines.
 */
export interface NewReturnBatch {
  readonly cabinetId?: string | undefined
  readonly comment?: string | undefined
  /** Orders whose units are expected. Where none are named: what the cabinet's returns have ready. */
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
  if (id === undefined) throw new Error('a batch without a day met another one')
  if (expected.length > 0) await expectUnits(work, clientId, id, cabinetId, expected)
  else if (cabinetId !== undefined) await unitsToFetch(work, clientId, id, cabinetId)
  return id
}

/** Undefined where the client has an open batch of the day. */
async function insertBatch(
  work: Work,
  clientId: string,
  batch: { cabinetId?: string | undefined; comment?: string | undefined; day?: string },
): Promise<string | undefined> {
  const { tx, at, actor } = work
  const [row] = await tx<{ id: string }[]>`
    with numbered as (${countReturnBatch(tx, clientId)})
    insert into return_batches
      (client_id, id, number, cabinet_id, status, day, comment, created_at, created_by)
    select ${clientId}, ${newId()}, 'RT-' || lpad(returns::text, greatest(6, length(returns::text)), '0'),
      ${batch.cabinetId ?? null}, 'OPEN', ${batch.day ?? null}, ${batch.comment ?? null}, ${at},
      ${actorText(actor)}
    from numbered
    returning id`
  return row?.id
}

/** The open batch of the work's Moscow day, locked against its end; opened where there is none. */
export async function shareBatchOfDay(work: Work, clientId: string): Promise<string> {
  const day = moscowDate(work.now)
  const open = async () => {
    const [row] = await work.tx<{ id: string }[]>`
      select id from return_batches
      where client_id = ${clientId} and day = ${day} and status = 'OPEN' for share`
    return row?.id
  }
  const known = await open()
  if (known !== undefined) return known
  // The client's counter is locked: of several scans at once one opens the batch.
  await work.tx`select from client_counters where client_id = ${clientId} for no key update`
  const id = (await open()) ?? (await insertBatch(work, clientId, { day }))
  if (id === undefined) throw notFound('Клиент не найден')
  return id
}

/** Locks a batch and checks that its status allows the verb. Throws not_found or conflict. */
export async function lockReturnBatch(
  { tx }: Work,
  clientId: string,
  id: string,
  verb: ReturnBatchVerb,
): Promise<{ readonly cabinetId: string | null }> {
  const [batch] = await tx<
    { status: ReturnBatchStatus; number: string; cabinet_id: string | null }[]
  >`
    select status, number, cabinet_id from return_batches
    where client_id = ${clientId} and id = ${id}
    ${verb === 'finish' ? tx`for no key update` : tx`for share`}`
  if (batch === undefined) throw notFound('Приём возвратов не найден')
  if (!allowsReturnBatchVerb(batch.status, verb)) {
    throw conflict(`Приём возвратов ${batch.number} закончен: начните новый`)
  }
  return { cabinetId: batch.cabinet_id }
}

/** Ends a batch: what it expects and did not get stays missing. Throws not_found or conflict. */
export async function finishReturnBatch(work: Work, clientId: string, id: string): Promise<void> {
  await lockReturnBatch(work, clientId, id, 'finish')
  await work.tx`
    update return_batches
    set status = 'FINISHED', finished_at = ${work.at}, finished_by = ${actorText(work.actor)}
    where client_id = ${clientId} and id = ${id}`
}
