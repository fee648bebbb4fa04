import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { keepInWarehouse } from '../clients/clients.ts'
import { freeUnitsOfReceipt } from '../stock/adjustments.ts'
import { lockReceipt } from './lock.ts'
import { cabinetOfReceipt, insertReceipts } from './new-receipt.ts'

/**
 * Receiving without a document (walk-in): goods came that nobody has announced. Counting begins at once, and every
 * unit is in question until a manager approves the receipt, during counting or after it.
 */

export interface WalkIn {
  readonly cabinetId?: string | undefined
  readonly comment?: string | undefined
  /** Made by the handheld; a second opening with the same id opens nothing. */
  readonly scanId?: string | undefined
}

export interface OpenedWalkIn {
  readonly id: string
  readonly repeated: boolean
}

/** Opens a receipt without lines and starts to count it. Throws not_found or validation_error. */
export async function openWalkIn(
  work: Work,
  clientId: string,
  { cabinetId, comment, scanId }: WalkIn,
): Promise<OpenedWalkIn> {
  const cabinet = await cabinetOfReceipt(work, clientId, cabinetId, 'staff')
  if (scanId !== undefined) {
    const known = await openedBefore(work, clientId, scanId)
    if (known !== undefined) return { id: known, repeated: true }
  }
  const id = newId()
  await insertReceipts(work, [
    {
      clientId,
      id,
      status: 'RECEIVING',
      source: 'manual',
      cabinetId: cabinet,
      comment,
      walkIn: { scanId },
      items: [],
    },
  ])
  await keepInWarehouse(work, clientId)
  return { id, repeated: false }
}

/** The client's lock puts equal openings in order: one opens the receipt, the others find it. */
async function openedBefore(
  { tx }: Work,
  clientId: string,
  scanId: string,
): Promise<string | undefined> {
  await tx`select from client_counters where client_id = ${clientId} for update`
  const [row] = await tx<{ id: string }[]>`
    select id from receipts where client_id = ${clientId} and walk_in_scan = ${scanId}`
  return row?.id
}

interface CountedLine {
  readonly barcode: string
  readonly units: number
}

/**
 * A manager approves a walk-in receipt: its units are free from now on, those that are still to be counted too. Units
 * that an investigation has decided on stay as it left them. Throws not_found or conflict.
 */
export async function approveReceipt(work: Work, clientId: string, id: string): Promise<void> {
  const { tx } = work
  const { walkIn, approved } = await lockReceipt(work, clientId, id, 'approve')
  if (!walkIn) throw conflict('Одобряют только приёмки без документа, а эта заявлена заранее')
  if (approved) throw conflict('Приёмка уже одобрена')
  const lines = await tx<CountedLine[]>`
    select barcode, accepted_qty as units from receipt_items
    where client_id = ${clientId} and receipt_id = ${id} and accepted_qty > 0`
  const barcodes = lines.map(({ barcode }) => barcode)
  const freed = await freeUnitsOfReceipt(work, clientId, id, barcodes)
  const decided = lines.map(({ barcode, units }) => ({
    barcode,
    units: units - (freed.get(barcode) ?? 0),
  }))
  await tx`
    update receipt_items i set decided_qty = d.units
    from jsonb_to_recordset(${tx.json(decided)}) as d (barcode text, units bigint)
    where i.client_id = ${clientId} and i.receipt_id = ${id} and i.barcode = d.barcode`
  await tx`
    update receipts set approved_at = ${work.at} where client_id = ${clientId} and id = ${id}`
}
