import type { Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, invalidField, notFound } from '../kernel/errors.ts'
import type { MarkingCode } from '../kernel/marking-code.ts'
import { putIntoBox, takeFromBoxes } from '../stock/boxed-units.ts'
import { acceptCounted, recordMovements } from '../stock/ledger.ts'
import { alreadyStored, forgetMarkingCode, storeStatement } from '../stock/marking-codes.ts'
import { findOfClient } from '../storage/queries.ts'
import { lockReceipt, refuseWrongState } from './lock.ts'
import {
  type CodeRule,
  chooseLine,
  type HandheldScan,
  possibleBarcodes,
  readScan,
  type ScannableLine,
} from './scanned-line.ts'
import { findScan, type ScanResult, scanView } from './scans.ts'
import { allowsReceiptVerb, type QuantityPair, type ReceiptStatus, surplus } from './state.ts'

/**
 * Counting goods, scan by scan. Units enter the stock with their scan; units beyond the declared
 * quantity enter in question. Locks are taken in this order: receipt, scan, line, marking code,
 * balance.
 */

/**
 * Counts the units of a scan. A scan whose id the receipt has is answered as it was counted,
 * whatever the receipt's status is now. Throws validation_error, not_found or conflict.
 */
export async function countScan(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: HandheldScan,
  codes: CodeRule = 'required',
): Promise<ScanResult> {
  const { scanId, units = 1 } = scan
  const reading = readScan(scan)
  const barcodes = possibleBarcodes(reading)
  const { status, known, lines } = await openScan(work, clientId, receiptId, scanId, barcodes)
  // While this waited for the lock, another transaction may have counted the scan and ended counting.
  if (known || !allowsReceiptVerb(status, 'count')) {
    const first = await findScan(work.tx, clientId, receiptId, scanId)
    if (first !== undefined) return { ...first, repeated: true }
  }
  refuseWrongState(status, 'count')
  const { line, code } = chooseLine(lines ?? [], scan, reading, codes)
  const boxId = await boxOf(work, clientId, scan.boxId)
  const { barcode, name } = line
  const counted = await record(work, clientId, receiptId, { scanId, barcode, units, code, boxId })
  if (counted === undefined) {
    return { ...(await scanOf(work, clientId, receiptId, scanId)), repeated: true }
  }
  const view = scanView({
    scan_id: scanId,
    barcode,
    name,
    qty: units,
    marking_code: code?.raw ?? null,
    box_id: boxId ?? null,
    at: work.at,
    actor: actorText(work.actor),
    undone_at: null,
    undone_by: null,
    ...counted,
  })
  return { ...view, repeated: false }
}

interface OpenedReceipt {
  readonly status: ReceiptStatus
  /** Whether the receipt has a scan with this id. */
  readonly known: boolean
  /** The lines with one of the barcodes; null where there are none. */
  readonly lines: ScannableLine[] | null
}

/**
 * Locks the receipt against a change of its status, in the statement that reads what a scan needs.
 */
async function openScan(
  work: Work,
  clientId: string,
  receiptId: string,
  scanId: string,
  barcodes: string[],
): Promise<OpenedReceipt> {
  const [opened] = await work.tx<OpenedReceipt[]>`
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
  return opened
}

/** The id of a box that is named by its id or its SSCC. Boxes are never deleted, so this takes no lock. */
async function boxOf(
  work: Work,
  clientId: string,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined
  const id = await findOfClient(work.tx, 'box', clientId, text)
  if (id === undefined) throw invalidField('box_id', 'у этого клиента нет такого короба')
  return id
}

interface Count {
  readonly scanId: string
  readonly barcode: string
  readonly units: number
  readonly code: MarkingCode | undefined
  readonly boxId: string | undefined
}

/** Answers the line's new quantities; undefined where another transaction has counted the scan. */
async function record(
  work: Work,
  clientId: string,
  receiptId: string,
  count: Count,
): Promise<QuantityPair | undefined> {
  const { barcode, units, boxId } = count
  const { taken, stored, expected, accepted } = await enter(work, clientId, receiptId, count)
  if (!taken) return undefined
  if (expected === null || accepted === null) {
    throw invalidField('barcode', `товара ${barcode} нет в этой приёмке`)
  }
  if (!stored) throw alreadyStored()
  if (boxId !== undefined) await putIntoBox(work, clientId, { boxId, barcode, units })
  return { expected, accepted }
}

interface Entered {
  /** Whether the id of the scan was new. */
  readonly taken: boolean
  /** Of the line; null where the receipt has no such line. */
  readonly expected: number | null
  readonly accepted: number | null
  /** Whether the receipt has the marking code now; true for a scan without one. */
  readonly stored: boolean
}

/**
 * Records the id of the scan, adds its units to the line, stores the marking code, and writes the
 * movement, each step only if the one before succeeded. All in one statement: workers who count the
 * same goods wait for each other from here to the commit.
 */
function enter(
  work: Work,
  clientId: string,
  receiptId: string,
  { scanId, barcode, units, code, boxId }: Count,
): Promise<Entered> {
  const { tx } = work
  const stored =
    code === undefined
      ? tx`select from counted`
      : storeStatement(
          work,
          clientId,
          { identity: code.identity, code: code.raw, barcode, receiptId },
          tx`exists (select from counted)`,
        )
  return acceptCounted<Entered>(work, clientId, {
    barcode,
    receiptId,
    counting: tx`
      taken as (
        insert into receipt_scans
          (client_id, receipt_id, scan_id, barcode, quantity, at, actor, mark, box_id)
        values (${clientId}, ${receiptId}, ${scanId}, ${barcode}, ${units}, ${work.at},
          ${actorText(work.actor)}, ${code?.identity ?? null}, ${boxId ?? null})
        on conflict do nothing returning scan_id
      ), counted as (
        update receipt_items set accepted_qty = accepted_qty + ${units}
        where client_id = ${clientId} and receipt_id = ${receiptId} and barcode = ${barcode}
          and exists (select from taken)
        returning expected_qty as expected, accepted_qty as accepted
      ), stored as (${stored})`,
    units: tx`
      select ${units}::bigint as units,
        greatest(0, least(accepted - expected, ${units})) as in_question
      from counted where exists (select from stored)`,
    answer: tx`
      exists (select from taken) as taken, exists (select from stored) as stored,
      (select expected from counted) as expected, (select accepted from counted) as accepted`,
  })
}

interface UndoneScan {
  barcode: string
  units: number
  mark: string | null
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
  await lockReceipt(work, clientId, receiptId, 'count', 'share')
  const [scan] = await work.tx<UndoneScan[]>`
    update receipt_scans set undone_at = ${work.at}, undone_by = ${actorText(work.actor)}
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
  { barcode, units, mark, box_id: boxId }: UndoneScan,
): Promise<void> {
  const [line] = await work.tx<QuantityPair[]>`
    update receipt_items set accepted_qty = accepted_qty - ${units}
    where client_id = ${clientId} and receipt_id = ${receiptId} and barcode = ${barcode}
    returning expected_qty as expected, accepted_qty as accepted`
  if (line === undefined) throw conflict(`Товара ${barcode} нет в этой приёмке`)
  if (mark !== null) await forgetMarkingCode(work, clientId, { identity: mark, receiptId })
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
