import type { Database } from '../../platform/db/connection.ts'
import { type CallEntry, listCalls } from './call-list.ts'
import { listReceiptRequests, type ReceiptRequestEntry } from './receipt-requests.ts'
import { listRefusedReceipts, type RefusedReceiptEntry } from './refused-receipt-list.ts'
import { listStaffChanges, type RecordedChange } from './staff.ts'

/** What the journals know of one request. */
export interface RequestTrace {
  /** Undefined for requests of people: the journal has those of programs alone. */
  readonly call: CallEntry | undefined
  readonly receipts: readonly ReceiptRequestEntry[]
  readonly refused: readonly RefusedReceiptEntry[]
  readonly changes: readonly RecordedChange[]
}

const page = { limit: 100, after: undefined }

export async function traceRequest(db: Database, id: string): Promise<RequestTrace> {
  const everywhere = { all: true, warehouses: [] }
  const period = { request_id: id, created_from: undefined, created_to: undefined }
  const anybody = { client_id: undefined, key_id: undefined, ...period }
  const calls = await listCalls(db, { ...anybody, status: undefined }, page, everywhere)
  const [call] = calls.items
  // Without a client these two leave sandboxes out.
  const own = { ...anybody, client_id: call?.client_id ?? undefined }
  const receipts = await listReceiptRequests(db, { ...own, receipt_id: undefined }, page, [])
  const refused = await listRefusedReceipts(db, { ...own, code: undefined }, page, [])
  const about = { client_id: undefined, object_id: undefined, reports: undefined, actor: undefined }
  const changes = await listStaffChanges(db, { ...about, ...period }, page, everywhere)
  return { call, receipts: receipts.items, refused: refused.items, changes: changes.items }
}
