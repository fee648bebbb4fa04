import type { Work } from '../db/work.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import { meantOf, readGoodsBarcode, spellingsOf } from '../kernel/goods-barcode.ts'
import { barcodesOfGtin, contradicts } from '../kernel/gs1.ts'
import { isId } from '../kernel/ids.ts'
import {
  type MarkingCode,
  type MarkingCodeReading,
  readMarkingCode,
} from '../kernel/marking-code.ts'
import { recordMovements } from '../stock/ledger.ts'
import { forgetMark } from '../stock/marking.ts'
import { takeFromBoxes } from '../stock/storage.ts'
import { countIn } from './counting.ts'
import { lockReceipt, refuseWrongState } from './lock.ts'
import { findScan } from './staff-queries.ts'
import { type ScanResult, scanView } from './staff-view.ts'
import { allowsReceiptVerb, type CountedLine, type ReceiptStatus, surplus } from './state.ts'

/**
 * What a handheld sends while goods are counted. Marked goods are counted a unit at a time, by the
 * marking code; others by barcode. Locks are taken in one order: receipt, scan, line, marking code,
 * balance.
 */
export interface HandheldScan {
  /** Made by the handheld; the same id again changes nothing. */
  readonly scanId: string
  readonly barcode?: string | undefined
  readonly markingCode?: string | undefined
  /** 1 unless told. */
  readonly units?: number | undefined
  readonly boxId?: string | undefined
}

/** Counts units as a handheld asks. Throws validation_error, not_found or conflict. */
export async function takeScan(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: HandheldScan,
): Promise<ScanResult> {
  const { scanId, boxId, units = 1 } = scan
  if (scan.barcode === undefined && scan.markingCode === undefined) {
    throw invalidField('barcode', 'нужен barcode или marking_code')
  }
  const reading = scan.markingCode === undefined ? undefined : readMarkingCode(scan.markingCode)
  const scanned = scan.barcode === undefined ? undefined : readGoodsBarcode(scan.barcode)
  const wanted = scanned === undefined ? barcodesOf(reading) : spellingsOf(scanned)
  const { status, lines } = await openScan(work, clientId, receiptId, scanId, wanted)
  if (lines === undefined || !allowsReceiptVerb(status, 'count')) {
    // A scan that was taken stays taken, whatever has become of the receipt since.
    const known = await findScan(work.tx, clientId, receiptId, scanId)
    if (known !== undefined) return { ...known, repeated: true }
  }
  refuseWrongState(status, 'count')
  if (reading?.ok === false) throw invalidField('marking_code', reading.problem)
  const barcodes = lines?.map((line) => line.barcode) ?? []
  const meant = scanned === undefined ? barcodes : meantOf(scanned, barcodes)
  const possible = lines?.filter((line) => meant.includes(line.barcode)) ?? []
  const line = chooseLine(possible, scan.barcode, reading)
  refuseWrongKind(line, reading, units)
  if (boxId !== undefined) await refuseUnknownBox(work, clientId, boxId)
  const { barcode, name } = line
  const mark = reading && { identity: reading.identity, code: reading.raw }
  const counted = await countIn(work, clientId, receiptId, { scanId, barcode, units, mark, boxId })
  if (counted === undefined) {
    return { ...(await scanOf(work, clientId, receiptId, scanId)), repeated: true }
  }
  const view = scanView({
    scan_id: scanId,
    barcode,
    name,
    qty: units,
    marking_code: reading?.raw ?? null,
    box_id: boxId ?? null,
    at: work.at,
    actor: work.actor,
    undone_at: null,
    undone_by: null,
    ...counted,
  })
  return { ...view, repeated: false }
}

interface Line {
  readonly barcode: string
  readonly name: string
  /** Whether each unit has a marking code: the line tells, and where it doesn't, the product card. */
  readonly marked: boolean
}

/**
 * Locks the receipt against a change of its state, and looks for lines of the barcodes: undefined
 * where the scan is known. All in one statement, this is done a lot.
 */
async function openScan(
  work: Work,
  clientId: string,
  receiptId: string,
  scanId: string,
  barcodes: string[],
): Promise<{ status: ReceiptStatus; lines: Line[] | undefined }> {
  const [opened] = await work.tx<{ status: ReceiptStatus; known: boolean; lines: Line[] | null }[]>`
    select r.status, exists (
        select from receipt_scans s
        where s.client_id = r.client_id and s.receipt_id = r.id and s.scan_id = ${scanId}
      ) as known, (
        select json_agg(json_build_object('barcode', i.barcode, 'name', i.name,
          'marked', coalesce(i.honest_mark, p.honest_mark, false)) order by i.line)
        from receipt_items i
        left join products p on p.client_id = i.client_id and p.barcode = i.barcode
        where i.client_id = r.client_id and i.receipt_id = r.id and i.barcode = any(${barcodes})
      ) as lines
    from receipts r where r.client_id = ${clientId} and r.id = ${receiptId} for share of r`
  if (opened === undefined) throw notFound('Приёмка не найдена')
  return { status: opened.status, lines: opened.known ? undefined : (opened.lines ?? []) }
}

function chooseLine(
  [line, other]: readonly Line[],
  barcode: string | undefined,
  code: MarkingCode | undefined,
): Line {
  if (line === undefined) {
    throw barcode === undefined
      ? invalidField('marking_code', `товара с GTIN ${code?.gtin} нет в этой приёмке`)
      : invalidField('barcode', `товара ${barcode} нет в этой приёмке`)
  }
  if (other !== undefined) {
    throw invalidField('barcode', `код подходит к ${line.barcode} и ${other.barcode}, укажите один`)
  }
  if (code !== undefined && contradicts(code.gtin, line.barcode)) {
    throw invalidField('marking_code', `код другого товара, его GTIN ${code.gtin}`)
  }
  return line
}

function barcodesOf(reading: MarkingCodeReading | undefined): string[] {
  return reading?.ok ? barcodesOfGtin(reading.gtin) : []
}

function refuseWrongKind(line: Line, code: MarkingCode | undefined, units: number): void {
  if (line.marked && code === undefined) {
    throw invalidField(
      'marking_code',
      `товар ${line.barcode} маркируется: отсканируйте код маркировки каждой единицы`,
    )
  }
  if (!line.marked && code !== undefined) {
    throw invalidField(
      'marking_code',
      `товар ${line.barcode} не маркируется: отсканируйте его штрихкод`,
    )
  }
  if (code !== undefined && units !== 1) {
    throw invalidField('qty', '1: у каждой единицы свой код маркировки')
  }
}

/** Boxes are never deleted, so it takes no lock. */
async function refuseUnknownBox(work: Work, clientId: string, boxId: string): Promise<void> {
  const boxes = isId(boxId)
    ? await work.tx`select id from boxes where client_id = ${clientId} and id = ${boxId}`
    : []
  if (boxes.length === 0) throw invalidField('box_id', 'у этого клиента нет такого короба')
}

interface TakenScan {
  barcode: string
  units: number
  mark: string | null
  box_id: string | null
}

/**
 * Takes a scan back: its units leave the ledger and the box, its marking code may be scanned anew. The
 * id of the scan stays taken. Again changes nothing. Throws conflict where the units are not free.
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
  await lockReceipt(work, clientId, receiptId, 'count', 'share')
  const [scan] = await work.tx<TakenScan[]>`
    update receipt_scans set undone_at = ${work.at}, undone_by = ${work.actor}
    where client_id = ${clientId} and receipt_id = ${receiptId} and scan_id = ${scanId}
      and undone_at is null
    returning barcode, quantity as units, mark, box_id`
  if (scan !== undefined) await uncount(work, clientId, receiptId, scan)
  return {
    ...(await scanOf(work, clientId, receiptId, scanId)),
    repeated: scan === undefined,
  }
}

async function uncount(
  work: Work,
  clientId: string,
  receiptId: string,
  { barcode, units, mark, box_id: boxId }: TakenScan,
): Promise<void> {
  const [line] = await work.tx<CountedLine[]>`
    update receipt_items set accepted_qty = accepted_qty - ${units}
    where client_id = ${clientId} and receipt_id = ${receiptId} and barcode = ${barcode}
    returning expected_qty as expected, accepted_qty as accepted`
  if (line === undefined) throw conflict(`Товара ${barcode} нет в этой приёмке`)
  if (mark !== null) await forgetMark(work, clientId, { identity: mark, receiptId })
  if (boxId !== null) await takeFromBoxes(work, clientId, [{ boxId, barcode, units }])
  const before = { ...line, accepted: line.accepted + units }
  await recordMovements(work, clientId, [
    {
      kind: 'acceptance',
      barcode,
      delta: -units,
      questionDelta: surplus(line) - surplus(before),
      receiptId,
    },
  ])
}

async function scanOf(work: Work, clientId: string, receiptId: string, scanId: string) {
  const scan = await findScan(work.tx, clientId, receiptId, scanId)
  if (scan === undefined) throw new Error(`scan ${scanId} vanished in its own transaction`)
  return scan
}
