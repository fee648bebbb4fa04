import { setTimeout as sleep } from 'node:timers/promises'
import { knownGoods } from '../clients/known-goods.ts'
import type { Database } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { recordReceiptRequest } from '../journal/receipt-journal.ts'
import { ApiError, invalidField } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import {
  type ReceiptDraft,
  readPlannedDate,
  refuseMixedMarking,
  refuseRepeatedBarcodes,
} from './draft.ts'
import { insertReceipt } from './insert.ts'
import { named } from './naming.ts'
import { findReceipt } from './queries.ts'
import type { Receipt } from './view.ts'

export interface Requester {
  readonly clientId: string
  readonly keyId: string
  readonly requestId: string
}

export interface RequestedReceipt {
  readonly receipt: Receipt
  /** False for a repeat of a request that is still pending: nothing was made. */
  readonly created: boolean
}

/**
 * A seller announces a delivery. Requests of one client are taken in one after the other, under the
 * lock of its counters: of any number of equal requests at once, one makes the receipt and the
 * others find it. The journal entry is part of the same transaction.
 *
 * Throws validation_error, mixed_marking, cabinet_required or warehouse_unavailable, and then
 * nothing is written.
 */
export async function requestReceipt(
  work: Work,
  requester: Requester,
  draft: ReceiptDraft,
): Promise<RequestedReceipt> {
  const { clientId } = requester
  refuseRepeatedBarcodes(draft.items)
  const plannedDate = readPlannedDate(draft.planned_date)
  const client = await lockClient(work, clientId)
  const barcodes = draft.items.map((item) => item.barcode)
  const known = await knownGoods(work.tx, clientId, barcodes, draft.cabinet_id)
  const goods = named(draft.items, known)
  refuseMixedMarking(draft.items)
  const cabinetId = chooseCabinet(draft.cabinet_id, client.cabinets ?? [])

  const pending = await findPending(work, clientId, draft.external_ref)
  if (pending !== undefined) {
    await recordReceiptRequest(work, requester, pending.id, 'repeated', draft)
    return { receipt: pending, created: false }
  }
  if (!client.intake_open) throw new ApiError('warehouse_unavailable')

  const id = newId()
  await insertReceipt(work, clientId, {
    id,
    cabinetId,
    status: 'PENDING_CONFIRMATION',
    source: 'api',
    externalRef: draft.external_ref,
    comment: draft.comment,
    plannedDate,
    items: goods.map(({ honest_mark: honestMark, ...item }) => ({ ...item, honestMark })),
  })
  await recordReceiptRequest(work, requester, id, 'created', draft)
  const receipt = await findReceipt(work.tx, clientId, id)
  if (receipt === undefined) throw new Error(`receipt ${id} vanished in its own transaction`)
  return { receipt, created: true }
}

const lookUps = 5
const lookUpPauseMs = 200

/**
 * Whether a request whose transaction ended without an answer is in the journal. The server may still
 * be committing it, so it is looked for a few times.
 */
export async function wasTakenIn(db: Database, requester: Requester): Promise<boolean> {
  for (let attempt = 1; attempt <= lookUps; attempt++) {
    const found = await db`
      select from (
        select request_id from receipt_journal
        where client_id = ${requester.clientId} order by entry desc limit 1000
      ) j where j.request_id = ${requester.requestId}`
    if (found.length > 0) return true
    await sleep(lookUpPauseMs)
  }
  return false
}

interface LockedClient {
  intake_open: boolean
  cabinets: string[] | null
}

async function lockClient(work: Work, clientId: string): Promise<LockedClient> {
  const [client] = await work.tx<LockedClient[]>`
    select w.intake_open,
      (select json_agg(k.id) from cabinets k where k.client_id = c.id) as cabinets
    from clients c
    join client_counters n on n.client_id = c.id
    join warehouses w on w.code = c.warehouse_code
    where c.id = ${clientId}
    for update of n`
  if (client === undefined) throw new Error(`client ${clientId} is gone`)
  return client
}

function chooseCabinet(asked: string | undefined, cabinets: readonly string[]): string | undefined {
  if (asked !== undefined) {
    if (!cabinets.includes(asked)) {
      throw invalidField('cabinet_id', 'такого кабинета нет, возьмите id из GET /v1/me')
    }
    return asked
  }
  if (cabinets.length > 1) throw new ApiError('cabinet_required')
  return cabinets[0]
}

async function findPending(
  work: Work,
  clientId: string,
  externalRef: string | undefined,
): Promise<Receipt | undefined> {
  if (externalRef === undefined) return undefined
  const [row] = await work.tx<{ id: string }[]>`
    select id from receipts
    where client_id = ${clientId} and external_ref = ${externalRef}
      and status = 'PENDING_CONFIRMATION' and source = 'api'`
  return row === undefined ? undefined : findReceipt(work.tx, clientId, row.id)
}
