import { learnProducts } from '../clients/products.ts'
import type { Work } from '../db/work.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { recordMovements } from '../stock/ledger.ts'
import { announceReceipt } from './announce.ts'
import { refuseRepeatedBarcodes } from './draft.ts'
import { insertReceipt, type NewReceipt } from './insert.ts'
import {
  allowsReceiptVerb,
  outcomeOfCounting,
  type ReceiptStatus,
  type ReceiptVerb,
  receiptStatusLabels,
  shortage,
} from './state.ts'

/** A manager registers a delivery, from a file or by hand: it starts EXPECTED, its goods known. */
export async function registerReceipt(
  work: Work,
  clientId: string,
  receipt: Omit<NewReceipt, 'id' | 'status' | 'externalRef'>,
): Promise<string> {
  refuseRepeatedBarcodes(receipt.items)
  const id = newId()
  await learnProducts(work, clientId, receipt.items)
  await insertReceipt(work, clientId, { ...receipt, id, status: 'EXPECTED' })
  return id
}

/** A manager confirms a seller's request: it becomes a task of the warehouse, its goods known. */
export async function confirmReceipt(work: Work, clientId: string, id: string): Promise<void> {
  await lockReceipt(work, clientId, id, 'confirm')
  const items = await work.tx<
    { barcode: string; name: string; article: string | null; honest_mark: boolean | null }[]
  >`
    select barcode, name, article, honest_mark from receipt_items
    where client_id = ${clientId} and receipt_id = ${id}`
  const goods = items.map(({ honest_mark, ...item }) => ({
    ...item,
    honestMark: honest_mark ?? false,
  }))
  await learnProducts(work, clientId, goods)
  await work.tx`
    update receipts set status = 'EXPECTED', confirmed_at = ${work.at}
    where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'PENDING_CONFIRMATION')
}

/** Counting begins. */
export async function startReceiving(work: Work, clientId: string, id: string): Promise<void> {
  await lockReceipt(work, clientId, id, 'start')
  await work.tx`
    update receipts set status = 'RECEIVING' where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'EXPECTED')
}

export interface Scan {
  /** Made by the handheld; the same id again changes nothing. */
  readonly scanId: string
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
}

/**
 * Units of one SKU are counted: they enter the ledger at once, what goes beyond the declared
 * quantity as units in question. Returns false for a scan that was already taken.
 */
export async function countUnits(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: Scan,
): Promise<boolean> {
  const { tx } = work
  // A scan that was taken stays taken, whatever has become of the receipt since.
  const known = await tx`
    select scan_id from receipt_scans
    where client_id = ${clientId} and receipt_id = ${receiptId} and scan_id = ${scan.scanId}`
  if (known.length > 0) return false
  await lockReceipt(work, clientId, receiptId, 'count', 'share')
  const taken = await tx`
    insert into receipt_scans (client_id, receipt_id, scan_id, barcode, quantity, at, actor)
    values (${clientId}, ${receiptId}, ${scan.scanId}, ${scan.barcode}, ${scan.units}, ${work.at}, ${work.actor})
    on conflict do nothing returning scan_id`
  if (taken.length === 0) return false
  const [item] = await tx<{ expected_qty: number; accepted_qty: number }[]>`
    update receipt_items set accepted_qty = accepted_qty + ${scan.units}
    where client_id = ${clientId} and receipt_id = ${receiptId} and barcode = ${scan.barcode}
    returning expected_qty, accepted_qty`
  if (item === undefined) throw conflict(`Товара ${scan.barcode} нет в этой приёмке`)
  const surplus = Math.max(0, item.accepted_qty - item.expected_qty)
  await recordMovements(work, clientId, [
    {
      kind: 'acceptance',
      barcode: scan.barcode,
      delta: scan.units,
      questionDelta: Math.min(surplus, scan.units),
      receiptId,
    },
  ])
  return true
}

interface CountedItem {
  barcode: string
  expected: number
  accepted: number
}

/**
 * Counting ends. Every line that is short needs a reason of the curated list.
 * Returns the status that the receipt ended in.
 */
export async function finishReceiving(
  work: Work,
  clientId: string,
  id: string,
  reasons: ReadonlyMap<string, string>,
): Promise<ReceiptStatus> {
  const { tx } = work
  await lockReceipt(work, clientId, id, 'finish')
  const items = await tx<CountedItem[]>`
    select barcode, expected_qty as expected, accepted_qty as accepted from receipt_items
    where client_id = ${clientId} and receipt_id = ${id} order by line`
  const status = outcomeOfCounting(items)
  await recordShortages(work, clientId, id, reasons, shortItems(status, items))
  const accepted = items.reduce((sum, item) => sum + item.accepted, 0)
  await tx`
    update receipts set status = ${status}, completed_at = ${work.at}, accepted_qty = ${accepted},
      discrepancy_qty = greatest(0, expected_qty - ${accepted})
    where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'RECEIVING')
  return status
}

function shortItems(status: ReceiptStatus, items: readonly CountedItem[]): CountedItem[] {
  return items.filter((item) => shortage(status, item) > 0)
}

async function recordShortages(
  work: Work,
  clientId: string,
  receiptId: string,
  reasons: ReadonlyMap<string, string>,
  short: readonly CountedItem[],
): Promise<void> {
  if (short.length === 0) return
  const { tx } = work
  const known = await tx<{ code: string }[]>`select code from reasons where kind = 'shortage'`
  const codes = new Set(known.map((row) => row.code))
  const rows = short.map(({ barcode }) => {
    const reason = reasons.get(barcode)
    if (reason === undefined) throw invalidField('shortages', `нет причины недостачи ${barcode}`)
    if (!codes.has(reason)) throw invalidField('shortages', `нет причины с кодом ${reason}`)
    return { barcode, reason }
  })
  await tx`
    update receipt_items i set shortage_reason = s.reason
    from jsonb_to_recordset(${tx.json(rows)}) as s (barcode text, reason text)
    where i.client_id = ${clientId} and i.receipt_id = ${receiptId} and i.barcode = s.barcode`
}

/**
 * Locks the receipt and checks that the verb may be done to it. Scans lock it only against a change
 * of state, so that any number of workers count at once.
 */
async function lockReceipt(
  work: Work,
  clientId: string,
  id: string,
  verb: ReceiptVerb,
  mode: 'update' | 'share' = 'update',
): Promise<void> {
  const { tx } = work
  const [receipt] = await tx<{ status: ReceiptStatus }[]>`
    select status from receipts where client_id = ${clientId} and id = ${id}
    ${mode === 'update' ? tx`for no key update` : tx`for share`}`
  if (receipt === undefined) throw notFound('Приёмка не найдена')
  if (!allowsReceiptVerb(receipt.status, verb)) {
    throw conflict(`Приёмка в состоянии «${receiptStatusLabels[receipt.status]}»`)
  }
}
