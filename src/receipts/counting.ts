import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { alreadyHere, storing } from '../stock/marking.ts'
import { posting, refuseShortages, type Shortage, shortages } from '../stock/posting.ts'
import { putIntoBox } from '../stock/storage.ts'
import type { CountedLine } from './state.ts'

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
  const { barcode, units, boxId } = scan
  const { taken, stored, short, expected, accepted } = await enter(work, clientId, receiptId, scan)
  if (!taken) return undefined
  if (expected === null || accepted === null) {
    throw invalidField('barcode', `товара ${barcode} нет в этой приёмке`)
  }
  if (!stored) throw alreadyHere()
  refuseShortages(short)
  if (boxId !== undefined) await putIntoBox(work, clientId, { boxId, barcode, units })
  return { expected, accepted }
}

interface Entered {
  /** Whether the id of the scan was new. */
  readonly taken: boolean
  /** Of the line; null where the receipt has none such. */
  readonly expected: number | null
  readonly accepted: number | null
  /** Whether the marking code is the receipt's now; true where there is none. */
  readonly stored: boolean
  readonly short: Shortage[] | null
}

/**
 * Takes the id of the scan, adds its units to the line, stores the marking code, and enters the units
 * in the ledger, each if the one before went well. In one statement: workers who count the same goods
 * wait for each other from here to the commit.
 */
async function enter(
  work: Work,
  clientId: string,
  receiptId: string,
  { scanId, barcode, units, mark, boxId }: Scan,
): Promise<Entered> {
  const { tx } = work
  const stored =
    mark === undefined
      ? tx`select from counted`
      : storing(work, clientId, { ...mark, barcode, receiptId }, tx`exists (select from counted)`)
  const [entered] = await tx<[Entered]>`
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
    ), stored as (${stored}), entries as materialized (
      select ${barcode}::text as barcode, 'acceptance' as kind, ${units}::bigint as delta,
        greatest(0, least(accepted - expected, ${units})) as question_delta, 0 as from_reserve,
        ${receiptId}::uuid as receipt_id, null::uuid as shipment_id, null::uuid as order_id,
        null as reason, null as comment
      from counted where exists (select from stored)
    ), ${posting(work, clientId)}
    select exists (select from taken) as taken, counted.expected, counted.accepted,
      exists (select from stored) as stored, ${shortages(work)} as short
    from (values (0)) one left join counted on true`
  return entered
}
