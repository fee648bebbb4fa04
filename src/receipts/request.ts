import { setTimeout as sleep } from 'node:timers/promises'
import { lookUpProducts } from '../catalogue/product-lookup.ts'
import type { Database } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { recordReceiptRequest } from '../journal/receipt-journal.ts'
import { errorMessages, ServiceError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { ReceiptDraft } from './draft.ts'
import {
  chooseCabinet,
  insertReceipt,
  nameItems,
  readPlannedDate,
  refuseRepeatedBarcodes,
} from './new-receipt.ts'
import { findReceipt } from './queries.ts'
import { type IgnoredField, ignoredFields } from './repeated-request.ts'
import type { Receipt } from './view.ts'

export interface Requester {
  readonly clientId: string
  readonly keyId: string
  readonly requestId: string
}

export interface RequestedReceipt {
  readonly receipt: Receipt
  /** False for a repeat of a request that is still pending: no receipt was created. */
  readonly created: boolean
  /** What a repeat says otherwise than the first request. */
  readonly ignored: readonly IgnoredField[]
}

const cabinetRules = {
  oneOfSeveralRequired: true,
  unknown: 'такого кабинета нет, возьмите id из GET /v1/me',
}

/**
 * A seller requests a receipt. The lock of the client's counters puts requests of one client in
 * order: of any number of equal requests at once, one creates the receipt and the others find it.
 * The journal entry is written in the same transaction.
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
  const products = await lookUpProducts(work.tx, clientId, barcodes, draft.cabinet_id)
  const named = nameItems(draft.items, products)
  refuseMixedMarking(draft.items)
  const cabinetId = chooseCabinet(client.cabinets, draft.cabinet_id, cabinetRules)

  const pending = await findPending(work, clientId, draft.external_ref)
  if (pending !== undefined) {
    await recordReceiptRequest(work, requester, pending.receipt.id, 'repeated', draft)
    const ignored = ignoredFields(draft, { cabinetId, plannedDate }, pending)
    return { receipt: pending.receipt, created: false, ignored }
  }
  if (!client.intake_open) throw new ServiceError('warehouse_unavailable')

  const id = newId()
  await insertReceipt(work, clientId, {
    id,
    cabinetId,
    status: 'PENDING_CONFIRMATION',
    source: 'api',
    externalRef: draft.external_ref,
    comment: draft.comment,
    plannedDate,
    items: named.map(({ honest_mark: honestMark, ...item }) => ({ ...item, honestMark })),
  })
  await recordReceiptRequest(work, requester, id, 'created', draft)
  const receipt = await findReceipt(work.tx, clientId, id)
  if (receipt === undefined) throw new Error(`receipt ${id} vanished in its own transaction`)
  return { receipt, created: true, ignored: [] }
}

const lookUps = 5
const lookUpPauseMs = 200

/**
 * Whether the journal has a request whose commit got no answer. The database may still be
 * committing, so this looks several times, for a second in all.
 */
export async function isRequestRecorded(db: Database, requester: Requester): Promise<boolean> {
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
  cabinets: string[]
}

async function lockClient(work: Work, clientId: string): Promise<LockedClient> {
  const [client] = await work.tx<LockedClient[]>`
    select w.intake_open,
      array(select k.id from cabinets k where k.client_id = c.id) as cabinets
    from clients c
    join client_counters n on n.client_id = c.id
    join warehouses w on w.code = c.warehouse_code
    where c.id = ${clientId}
    for update of n`
  if (client === undefined) throw new Error(`client ${clientId} is gone`)
  return client
}

/** Marked and unmarked goods are counted differently, so one request has one kind of them. */
function refuseMixedMarking(items: readonly { honest_mark: boolean }[]): void {
  const marked = linesWith(items, true)
  const plain = linesWith(items, false)
  if (marked === '' || plain === '') return
  throw new ServiceError(
    'mixed_marking',
    `${errorMessages.mixed_marking}: honest_mark true — ${marked}; false — ${plain}`,
  )
}

/** Lines that a message names at most. */
const namedLinesMax = 10

function linesWith(items: readonly { honest_mark: boolean }[], honestMark: boolean): string {
  const lines = [...items.entries()].filter(([, item]) => item.honest_mark === honestMark)
  const named = lines.slice(0, namedLinesMax).map(([index]) => `items[${index}]`)
  const others = lines.length - named.length
  return others === 0 ? named.join(', ') : `${named.join(', ')} и ещё ${others}`
}

async function findPending(
  work: Work,
  clientId: string,
  externalRef: string | undefined,
): Promise<{ receipt: Receipt; cabinetId: string | null } | undefined> {
  if (externalRef === undefined) return undefined
  const [row] = await work.tx<{ id: string; cabinetId: string | null }[]>`
    select id, cabinet_id as "cabinetId" from receipts
    where client_id = ${clientId} and external_ref = ${externalRef}
      and status = 'PENDING_CONFIRMATION' and source = 'api'`
  const receipt = row && (await findReceipt(work.tx, clientId, row.id))
  return receipt && { receipt, cabinetId: row.cabinetId }
}
