import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { recordMovements } from '../stock/ledger.ts'
import { takeFromPlaces } from '../stock/located-units.ts'
import { leaveLot } from '../stock/lots.ts'
import { forgetMarkingCode } from '../stock/marking-codes.ts'
import { lockReceipt } from './lock.ts'
import { existingScan, findScan, type ScanResult } from './scans.ts'
import { type QuantityPair, questioned } from './state.ts'

interface UndoneScan {
  barcode: string
  units: number
  marking_code: string | null
  box_id: string | null
}

/**
 * Undoes a scan while the receipt is RECEIVING: its units leave the stock and the box, and its
 * marking code may be scanned again. The scan's id stays used. A second undo changes nothing.
 * Throws not_found, or conflict where the units are no longer free.
 */
export async function undoScan(
  work: Work,
  clientId: string,
  receiptId: string,
  scanId: string,
): Promise<ScanResult> {
  const known = await findScan(work.tx, clientId, receiptId, scanId)
  if (known === undefined) throw notFound('Скан не найден')
  if (known.undone) return { ...known, repeated: true }
  const { approved } = await lockReceipt(work, clientId, receiptId, 'count', 'share')
  const [scan] = await work.tx<UndoneScan[]>`
    update receipt_scans set undone_at = ${work.at}, undone_by = ${actorText(work.actor)}
    where client_id = ${clientId} and receipt_id = ${receiptId} and scan_id = ${scanId}
      and undone_at is null
    returning barcode, quantity as units, marking_code, box_id`
  if (scan !== undefined) await uncount(work, clientId, receiptId, { ...scan, scanId, approved })
  return {
    ...(await existingScan(work.tx, clientId, receiptId, scanId)),
    repeated: scan === undefined,
  }
}

async function uncount(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: UndoneScan & { readonly scanId: string; readonly approved: boolean },
): Promise<void> {
  const { barcode, units, marking_code: identity, box_id: boxId, approved } = scan
  const [line] = await work.tx<QuantityPair[]>`
    update receipt_items set accepted_qty = accepted_qty - ${units}
    where client_id = ${clientId} and receipt_id = ${receiptId} and barcode = ${barcode}
    returning expected_qty as expected, accepted_qty as accepted`
  if (line === undefined) throw conflict(`Товара ${barcode} нет в этой приёмке`)
  if (identity !== null) await forgetMarkingCode(work, clientId, { identity, receiptId })
  if (boxId !== null) await takeFromPlaces(work, clientId, [{ boxId, barcode, units }])
  await leaveLot(work, {
    clientId,
    barcode,
    receiptId,
    units,
    boxId: boxId ?? undefined,
    scanId: scan.scanId,
  })
  const before = { ...line, accepted: line.accepted + units }
  await recordMovements(work, clientId, [
    {
      kind: 'acceptance',
      barcode,
      delta: -units,
      questionDelta: questioned(line, approved) - questioned(before, approved),
      receiptId,
    },
  ])
}
