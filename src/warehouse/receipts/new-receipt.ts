import type { SharedWork, Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { countReceipts } from '../clients/counters.ts'
import { type News, tell } from '../events/news.ts'
import { announceNewReceipts } from './announce.ts'
import { announcedUnits, chooseCabinet, type ReceiptMaker } from './new-receipt-rules.ts'
import { findReceipts } from './queries.ts'
import type { ReceiptStatus } from './state.ts'
import type { Receipt, ReceiptSource } from './view.ts'

/** How a new receipt is written, whoever makes it. */

interface NewReceiptItem {
  readonly barcode: string
  readonly name: string
  readonly article?: string | null | undefined
  readonly honestMark?: boolean | undefined
  readonly qty: number
}

export interface NewReceipt {
  readonly clientId: string
  readonly id: string
  readonly cabinetId?: string | undefined
  readonly status: ReceiptStatus
  /** Null only in receipts from before the source was recorded. */
  readonly source: ReceiptSource | null
  readonly externalRef?: string | undefined
  readonly comment?: string | undefined
  /** YYYY-MM-DD, Moscow. */
  readonly plannedDate?: string | undefined
  /** For a receipt without a document; `scanId` is the id that the handheld gave to its opening. */
  readonly walkIn?: { readonly scanId: string | undefined }
  readonly items: readonly NewReceiptItem[]
}

/**
 * Writes receipts of one or several clients and their lines, with the next numbers of each client, and announces them.
 * For several clients the caller must hold their rows of client_counters. Answers with the receipts as sellers see
 * them, by id.
 */
export async function insertReceipts(
  work: SharedWork,
  receipts: readonly NewReceipt[],
): Promise<ReadonlyMap<string, Receipt>> {
  if (receipts.length === 0) return new Map()
  const byClient = Map.groupBy(receipts, ({ clientId }) => clientId)
  // Statements run in the order in which they are sent, so the read sees both inserts.
  const inserted = Promise.all([insertRows(work, byClient), insertReceiptLines(work, receipts)])
  const read = readWritten(work, receipts)
  const announced = [...byClient].map(([clientId, own]) =>
    announceNewReceipts(work, clientId, async () => {
      const written = await read
      return own.flatMap(({ id }) => written.get(id) ?? [])
    }),
  )
  const [, written] = await Promise.all([inserted, read, ...announced])
  await tell(work, newsOfRequests(receipts, written))
  return written
}

function insertRows({ tx, at }: SharedWork, byClient: ReadonlyMap<string, readonly NewReceipt[]>) {
  const taken = new Map([...byClient].map(([clientId, own]) => [clientId, own.length]))
  const rows = [...byClient.values()].flatMap((own) => own.map(rowOf))
  return tx`
    with numbered as (${countReceipts(tx, taken)})
    insert into receipts (client_id, id, number, cabinet_id, status, announced_status, source,
      external_ref, comment, planned_date, expected_qty, created_at, walk_in, walk_in_scan)
    select r.client_id, r.id, 'R-' || lpad((n.before + r.nth)::text, greatest(6, length((n.before + r.nth)::text)), '0'),
      r.cabinet_id, r.status, r.status, r.source, r.external_ref, r.comment, r.planned_date, r.expected_qty, ${at},
      r.walk_in, r.walk_in_scan
    from jsonb_to_recordset(${tx.json(rows)}) as r (client_id uuid, id uuid, nth integer, cabinet_id uuid,
      status text, source text, external_ref text, comment text, planned_date date, expected_qty bigint,
      walk_in boolean, walk_in_scan text)
    join numbered n on n.client_id = r.client_id`
}

function rowOf(receipt: NewReceipt, indexInClient: number) {
  return {
    client_id: receipt.clientId,
    id: receipt.id,
    nth: indexInClient + 1,
    cabinet_id: receipt.cabinetId,
    status: receipt.status,
    source: receipt.source,
    external_ref: receipt.externalRef,
    comment: receipt.comment,
    planned_date: receipt.plannedDate,
    expected_qty: announcedUnits(receipt.items),
    walk_in: receipt.walkIn !== undefined,
    walk_in_scan: receipt.walkIn?.scanId,
  }
}

type ListedReceipt = Pick<NewReceipt, 'clientId' | 'id' | 'items'>

/** Writes the lines of receipts. */
export function insertReceiptLines({ tx }: SharedWork, receipts: readonly ListedReceipt[]) {
  return tx`
    insert into receipt_items
      (client_id, receipt_id, barcode, line, name, article, honest_mark, expected_qty)
    select i.* from jsonb_to_recordset(${tx.json(receipts.flatMap(linesOf))}) as i
      (client_id uuid, receipt_id uuid, barcode text, line integer, name text, article text,
        honest_mark boolean, expected_qty bigint)`
}

function linesOf({ clientId, id, items }: ListedReceipt) {
  return items.map((item, index) => ({
    client_id: clientId,
    receipt_id: id,
    barcode: item.barcode,
    line: index + 1,
    name: item.name,
    article: item.article,
    honest_mark: item.honestMark,
    expected_qty: item.qty,
  }))
}

async function readWritten(
  { tx }: SharedWork,
  receipts: readonly NewReceipt[],
): Promise<ReadonlyMap<string, Receipt>> {
  const written = await findReceipts(tx, receipts)
  const lost = receipts.find(({ id }) => !written.has(id))
  if (lost !== undefined) throw new Error(`receipt ${lost.id} vanished in its own transaction`)
  return written
}

/** News for managers: requests that wait for their confirmation. */
function newsOfRequests(
  receipts: readonly NewReceipt[],
  written: ReadonlyMap<string, Receipt>,
): News[] {
  return receipts
    .filter(({ status }) => status === 'PENDING_CONFIRMATION')
    .map(({ clientId, id }) => {
      const subject = written.get(id)?.number ?? ''
      return { clientId, kind: 'receipt_to_confirm', key: id, objectId: id, subject }
    })
}

/** Throws not_found for an unknown client, or what `chooseCabinet` throws. */
export async function cabinetOfReceipt(
  work: Work,
  clientId: string,
  requested: string | undefined,
  maker: ReceiptMaker,
): Promise<string | undefined> {
  return chooseCabinet(await cabinetsOf(work, clientId), requested, maker)
}

async function cabinetsOf({ tx }: Work, clientId: string): Promise<readonly string[]> {
  const [client] = isId(clientId)
    ? await tx<{ cabinets: string[] }[]>`
        select array(select k.id from cabinets k where k.client_id = c.id) as cabinets
        from clients c where c.id = ${clientId}`
    : []
  if (client === undefined) throw notFound('Клиент не найден')
  return client.cabinets
}
