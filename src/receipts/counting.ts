import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { recordMovements } from '../stock/ledger.ts'
import { storeMark } from '../stock/marking.ts'
import { putIntoBox } from '../stock/storage.ts'
import { type CountedLine, surplus } from './state.ts'

export interface Scan {
  /** Made by the handheld; the same id again changes nothing. */
  readonly scanId: string
  readonly barcode: string
  /** 1 or more; 1 with a marking code. */
  readonly units: number
  /** The marking code of the unit, by its identity and as it was scanned. */
  readonly mark?: { readonly identity: string; readonly code: string } | undefined
  /** A box of the client that the units are put into. */
  readonly boxId?: string | undefined
}

/**
 * Counts units of one SKU, in a receipt that the caller has locked: they enter the ledger at once,
 * what goes beyond the declared quantity as units in question. Returns the line as it is then;
 * undefined for a scan that was already taken, which changes nothing.
 */
export async function countIn(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: Scan,
): Promise<CountedLine | undefined> {
  const { barcode, units, mark, boxId } = scan
  const { taken, ...line } = await enterScan(work, clientId, receiptId, scan)
  if (!taken) return undefined
  if (!isCounted(line)) throw invalidField('barcode', `товара ${barcode} нет в этой приёмке`)
  if (mark !== undefined) await storeMark(work, clientId, { ...mark, barcode, receiptId })
  const questionDelta = Math.min(surplus(line), units)
  await recordMovements(work, clientId, [
    { kind: 'acceptance', barcode, delta: units, questionDelta, receiptId },
  ])
  if (boxId !== undefined) await putIntoBox(work, clientId, { boxId, barcode, units })
  return line
}

type EnteredLine = CountedLine | { readonly expected: null; readonly accepted: null }

function isCounted(line: EnteredLine): line is CountedLine {
  return line.accepted !== null
}

/** Takes the id of the scan and adds its units to the line: in one statement, this is done a lot. */
async function enterScan(
  work: Work,
  clientId: string,
  receiptId: string,
  { scanId, barcode, units, mark, boxId }: Scan,
): Promise<EnteredLine & { readonly taken: boolean }> {
  const [entered] = await work.tx<[EnteredLine & { taken: boolean }]>`
    with taken as (
      insert into receipt_scans
        (client_id, receipt_id, scan_id, barcode, quantity, at, actor, mark, box_id)
      values (${clientId}, ${receiptId}, ${scanId}, ${barcode}, ${units}, ${work.at},
        ${work.actor}, ${mark?.identity ?? null}, ${boxId ?? null})
      on conflict do nothing returning scan_id
    ), counted as (
      update receipt_items set accepted_qty = accepted_qty + ${units}
      where client_id = ${clientId} and receipt_id = ${receiptId} and barcode = ${barcode}
        and exists (select from taken)
      returning expected_qty as expected, accepted_qty as accepted
    )
    select exists (select from taken) as taken, counted.expected, counted.accepted
    from (values (0)) one left join counted on true`
  return entered
}
