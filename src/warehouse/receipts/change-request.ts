import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { textOrNull } from '../../platform/kernel/schema.ts'
import { lookUpProducts } from '../catalogue/product-lookup.ts'
import { type Requester, recordReceiptRequests } from '../journal/receipt-journal.ts'
import type { ReceiptDraft } from './draft.ts'
import { refuseWrongState } from './lock.ts'
import { cabinetOfReceipt, insertReceiptLines } from './new-receipt.ts'
import {
  announcedUnits,
  nameItems,
  readPlannedDate,
  refuseMixedMarking,
  refuseSameGoods,
  refuseWrongBarcodes,
} from './new-receipt-rules.ts'
import { knownReceipt } from './queries.ts'
import { ignoredFields } from './repeated-request.ts'
import { allowsReceiptVerb, type ReceiptStatus } from './state.ts'
import { cancelReceipt } from './verbs.ts'
import type { Receipt } from './view.ts'

/**
 * A seller's own request, until a manager has confirmed it. What a person announced in the account, a person may change
 * or withdraw there. What a program announced stays as it is, because the program would not learn of the change.
 */

export const AccountAnnouncement = Type.Object(
  {
    changeable: Type.Boolean({
      description:
        'Заявлена в личном кабинете и ещё ждёт подтверждения: её можно изменить и отозвать.',
    }),
    cabinet_id: textOrNull('Кабинет; null, если не указан.'),
  },
  { $id: 'AccountAnnouncement', description: 'Что можно сделать с заявкой.' },
)
export type AccountAnnouncement = Static<typeof AccountAnnouncement>

interface Announced {
  readonly status: ReceiptStatus
  readonly cabinetId: string | null
  readonly isCancelled: boolean
  /** Announced by a user, not by a key. */
  readonly isByUser: boolean
}

/** The columns of Announced. The journal writes a request at the moment at which its receipt is created. */
function announcedColumns(db: Queryable) {
  return db`
    r.status, r.cabinet_id as "cabinetId", r.cancelled_at is not null as "isCancelled", exists (
      select from receipt_journal j where j.client_id = r.client_id and j.at = r.created_at
        and j.receipt_id = r.id and j.outcome = 'created' and j.user_id is not null
    ) as "isByUser"`
}

export async function findAnnouncement(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<AccountAnnouncement | undefined> {
  const [row] = await db<Announced[]>`
    select ${announcedColumns(db)} from receipts r where r.client_id = ${clientId} and r.id = ${id}`
  if (row === undefined) return undefined
  const changeable = row.isByUser && allowsReceiptVerb(row.status, 'change')
  return { changeable, cabinet_id: row.cabinetId }
}

/** Throws not_found, or conflict where a program announced the receipt. */
async function lockAnnounced({ tx }: Work, clientId: string, id: string): Promise<Announced> {
  const [row] = await tx<Announced[]>`
    select ${announcedColumns(tx)} from receipts r
    where r.client_id = ${clientId} and r.id = ${id} for no key update of r`
  if (row === undefined) throw notFound('Приёмка не найдена')
  if (row.isByUser) return row
  throw conflict(
    'Эта приёмка заявлена не в личном кабинете: изменить или отозвать её здесь нельзя, обратитесь к менеджеру склада',
  )
}

/** The receipt, and whether anything was changed. */
export interface ChangedRequest {
  readonly receipt: Receipt
  readonly before: Receipt
  readonly isChanged: boolean
}

/**
 * Puts a whole new version in the place of the request, under the rules of a new one. The receipt keeps its number, and
 * the journal keeps all versions. The same version again changes nothing. No event tells of it: the event of the
 * confirmation has the last version. Throws what a new request is refused with, not_found, or conflict.
 */
export async function changeRequest(
  work: Work,
  requester: Requester,
  id: string,
  draft: ReceiptDraft,
): Promise<ChangedRequest> {
  const { tx } = work
  const { clientId } = requester
  refuseWrongBarcodes(draft.items)
  refuseMixedMarking(draft.items)
  const plannedDate = readPlannedDate(draft.planned_date)
  // As new requests: the journal and the numbers of documents need this lock.
  await tx`select from client_counters where client_id = ${clientId} for update`
  const announced = await lockAnnounced(work, clientId, id)
  refuseWrongState(announced.status, 'change')
  const cabinetId = await cabinetOfReceipt(work, clientId, draft.cabinet_id, 'seller')
  const barcodes = draft.items.map(({ barcode }) => barcode)
  const items = nameItems(draft.items, await lookUpProducts(tx, clientId, barcodes, cabinetId))
  const before = await knownReceipt(work.tx, clientId, id)
  const { cabinetId: cabinetBefore } = announced
  const pending = { receipt: before, cabinetId: cabinetBefore }
  const differing = ignoredFields(draft, { cabinetId, plannedDate }, pending)
  if (differing.length === 0 && draft.external_ref === before.external_ref) {
    return { receipt: before, before, isChanged: false }
  }
  refuseSameGoods(
    draft.items,
    items.map(({ barcode }) => barcode),
  )
  await refuseTakenReference(work, clientId, id, draft.external_ref)
  await tx`delete from receipt_items where client_id = ${clientId} and receipt_id = ${id}`
  await insertReceiptLines(work, [
    {
      clientId,
      id,
      items: items.map(({ honest_mark, ...item }) => ({ ...item, honestMark: honest_mark })),
    },
  ])
  await tx`
    update receipts set cabinet_id = ${cabinetId ?? null}, external_ref = ${draft.external_ref ?? null},
      comment = ${draft.comment ?? null}, planned_date = ${plannedDate ?? null},
      expected_qty = ${announcedUnits(items)}
    where client_id = ${clientId} and id = ${id}`
  await recordReceiptRequests(work, [{ requester, receiptId: id, outcome: 'changed', body: draft }])
  return { receipt: await knownReceipt(work.tx, clientId, id), before, isChanged: true }
}

async function refuseTakenReference(
  { tx }: Work,
  clientId: string,
  id: string,
  reference: string | undefined,
): Promise<void> {
  if (reference === undefined) return
  const [other] = await tx<{ number: string }[]>`
    select number from receipts where client_id = ${clientId} and external_ref = ${reference}
      and status = 'PENDING_CONFIRMATION' and source = 'api' and id <> ${id}`
  if (other === undefined) return
  throw conflict(
    `Номер документа ${reference} уже у заявки ${other.number}, она ждёт подтверждения: укажите другой номер`,
  )
}

/**
 * The seller takes the request back, which ends it as a manager's cancelling does. Again, it changes nothing.
 * Throws not_found or conflict.
 */
export async function withdrawRequest(
  work: Work,
  clientId: string,
  id: string,
): Promise<ChangedRequest> {
  const { status, isCancelled } = await lockAnnounced(work, clientId, id)
  const before = await knownReceipt(work.tx, clientId, id)
  if (isCancelled) return { receipt: before, before, isChanged: false }
  refuseWrongState(status, 'withdraw')
  await cancelReceipt(work, clientId, id, 'Отозвана продавцом в личном кабинете')
  return { receipt: await knownReceipt(work.tx, clientId, id), before, isChanged: true }
}
