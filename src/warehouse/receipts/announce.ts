import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { SubscribableType } from '../events/catalogue.ts'
import { tell } from '../events/news.ts'
import { announce, unannounced } from '../events/outbox.ts'
import { knownReceipt } from './queries.ts'
import { isCompleted, type ReceiptStatus } from './state.ts'
import type { Receipt } from './view.ts'

/** Announces receipts that the transaction inserts; their status counts as announced. */
export function announceNewReceipts(
  work: SharedWork,
  clientId: string,
  inserted: () => Promise<readonly Receipt[]>,
): Promise<void> {
  return announce(work, clientId, 'receipt.created', async () =>
    (await inserted()).map((object) => ({ object })),
  )
}

/** Announces a receipt's change of status from `before`. */
export async function announceReceipt(
  work: Work,
  clientId: string,
  id: string,
  before: ReceiptStatus,
): Promise<void> {
  const [row] = await work.tx<{ number: string; status: ReceiptStatus }[]>`
    update receipts set announced_status = status
    where client_id = ${clientId} and id = ${id} returning number, status`
  if (row === undefined) throw new Error(`receipt ${id} is gone`)
  await announce(work, clientId, eventTypeOf(before, row.status), async () => [
    { object: await knownReceipt(work.tx, clientId, id), previousStatus: before },
  ])
  if (isCompleted(row.status)) await tellCompleted(work, clientId, id, row)
}

async function tellCompleted(
  work: Work,
  clientId: string,
  id: string,
  { number, status }: { readonly number: string; readonly status: ReceiptStatus },
): Promise<void> {
  const kind = status === 'RECEIVED' ? 'receipt_completed' : 'receipt_discrepancy'
  await tell(work, [{ clientId, kind, key: id, objectId: id, subject: number }])
}

function eventTypeOf(before: ReceiptStatus, now: ReceiptStatus): SubscribableType {
  if (isCompleted(now)) return 'receipt.completed'
  const confirmed = before === 'PENDING_CONFIRMATION' && now === 'EXPECTED'
  return confirmed ? 'receipt.confirmed' : 'receipt.status_changed'
}

/** Announces up to `limit` receipts whose status has changed unannounced. Returns how many. */
export async function announceMissedReceipts(work: Work, limit: number): Promise<number> {
  const rows = await unannounced<ReceiptStatus>(work, 'receipts', limit)
  for (const { client_id, id, before } of rows) await announceReceipt(work, client_id, id, before)
  return rows.length
}
