import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import {
  allowsReceiptVerb,
  type ReceiptStatus,
  type ReceiptVerb,
  refusalOfReceipt,
} from './state.ts'

/** What verbs want to know of a receipt that they have locked. */
export interface LockedReceipt {
  readonly status: ReceiptStatus
  /** Opened for goods without a document. */
  readonly walkIn: boolean
  /** Whether a manager has approved such a receipt. */
  readonly approved: boolean
}

/**
 * Locks the receipt and checks that its status allows the verb. Mode `share` only keeps the status
 * from changing, so that any number of workers count at once. Throws not_found or conflict.
 */
export async function lockReceipt(
  work: Work,
  clientId: string,
  id: string,
  verb: ReceiptVerb,
  mode: 'update' | 'share' = 'update',
): Promise<LockedReceipt> {
  const { tx } = work
  const [receipt] = await tx<LockedReceipt[]>`
    select status, walk_in as "walkIn", approved_at is not null as approved
    from receipts where client_id = ${clientId} and id = ${id}
    ${mode === 'update' ? tx`for no key update` : tx`for share`}`
  if (receipt === undefined) throw notFound('Приёмка не найдена')
  refuseWrongState(receipt.status, verb)
  return receipt
}

/** Throws conflict where the status does not allow the verb. */
export function refuseWrongState(status: ReceiptStatus, verb: ReceiptVerb): void {
  if (allowsReceiptVerb(status, verb)) return
  throw conflict(refusalOfReceipt(status, verb))
}
