import type { SharedWork } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import type { MarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { acceptCounted } from '../stock/ledger.ts'
import { storeStatement } from '../stock/marking-codes.ts'
import type { ScannableLine } from './scanned-line.ts'
import type { ReceiptStatus } from './state.ts'

/**
 * The two statements that count scans, any number of them at once, of any receipts and clients. Each
 * takes its locks in the order of clients, receipts and then scans, lines, marking codes or balances.
 */

export interface ScanQuestion {
  readonly clientId: string
  readonly receiptId: string
  readonly scanId: string
  /** The barcodes that the scanned line may have. */
  readonly barcodes: readonly string[]
  /** Identity of the scanned marking code. */
  readonly identity: string | undefined
}

export interface OpenedScan {
  readonly status: ReceiptStatus
  readonly cabinetId: string | null
  /** Whether a manager has approved the receipt of goods without a document. */
  readonly approved: boolean
  /** Whether the receipt has a scan with this id. */
  readonly known: boolean
  /** Whether the warehouse has a unit with this marking code. */
  readonly stored: boolean
  /** The lines with one of the barcodes; null where there are none. */
  readonly lines: readonly ScannableLine[] | null
}

/**
 * Locks the receipts against a change of their status, in the statement that reads what scans need.
 * Answers in the order of the questions; undefined for an unknown receipt. It counts where `exists`
 * would do, because the planner turns `exists` for many rows into a scan of the whole table.
 */
export async function openScans(
  { tx }: SharedWork,
  questions: readonly ScanQuestion[],
): Promise<(OpenedScan | undefined)[]> {
  const rows = questions.map(({ clientId, receiptId, scanId, barcodes, identity }, n) => ({
    n,
    client_id: clientId,
    receipt_id: receiptId,
    scan_id: scanId,
    barcodes,
    identity,
  }))
  const opened = await tx<(OpenedScan & { n: number })[]>`
    select q.n, r.status, r.cabinet_id as "cabinetId", r.approved, (
        select count(*) from receipt_scans s
        where s.client_id = q.client_id and s.receipt_id = q.receipt_id and s.scan_id = q.scan_id
      ) > 0 as known, (
        select count(*) from marking_codes m where m.identity = q.identity and m.state <> 'shipped'
      ) > 0 as stored, (
        select json_agg(json_build_object('barcode', i.barcode, 'name', i.name,
          'marked', coalesce(i.honest_mark, p.honest_mark, false)) order by i.line)
        from receipt_items i
        left join products p on p.client_id = i.client_id and p.barcode = i.barcode
        where i.client_id = q.client_id and i.receipt_id = q.receipt_id
          and i.barcode = any(q.barcodes)
      ) as lines
    from (
      select * from jsonb_to_recordset(${tx.json(rows)}) as q
        (n integer, client_id uuid, receipt_id uuid, scan_id text, barcodes text[], identity text)
      order by client_id, receipt_id
    ) q
    cross join lateral (
      select status, cabinet_id, approved_at is not null as approved from receipts
      where client_id = q.client_id and id = q.receipt_id
      offset 0 for share
    ) r`
  const byNumber = new Map(opened.map(({ n, ...scan }) => [n, scan]))
  return questions.map((_, n) => byNumber.get(n))
}

export interface Count {
  readonly clientId: string
  readonly receiptId: string
  readonly actor: Actor
  readonly scanId: string
  readonly barcode: string
  readonly units: number
  /** Whether the receipt is approved: none of its units is in question. */
  readonly approved: boolean
  readonly code: MarkingCode | undefined
  readonly boxId: string | undefined
}

export interface EnteredScan {
  /** Of the line, after this scan; null where the receipt has no such line. */
  readonly expected: number | null
  readonly accepted: number | null
  /** Whether the receipt has the marking code now; true for a scan without one. */
  readonly stored: boolean
}

/**
 * Records the scans, adds their units to the lines, stores their marking codes and writes their movements, all in one
 * statement. Workers who count the same goods wait for each other from here to the commit. Scans of one line count in
 * their order. Answers in the order of the counts; undefined for a scan that another transaction has recorded:
 * nothing was written for it.
 */
export async function enterScans(
  work: SharedWork,
  counts: readonly Count[],
): Promise<(EnteredScan | undefined)[]> {
  const { tx, at } = work
  const rows = counts.map(({ code, actor, ...count }, n) => ({
    n,
    client_id: count.clientId,
    receipt_id: count.receiptId,
    scan_id: count.scanId,
    barcode: count.barcode,
    units: count.units,
    approved: count.approved,
    actor: actorText(actor),
    identity: code?.identity,
    code: code?.code,
    box_id: count.boxId,
  }))
  const codes = tx`
    select identity, code, client_id, barcode, receipt_id from taken where identity is not null`
  const entered = await acceptCounted<(EnteredScan & { n: number })[] | null>(work, {
    counting: tx`
      scans as materialized (
        select * from jsonb_to_recordset(${tx.json(rows)}) as s
          (n integer, client_id uuid, receipt_id uuid, scan_id text, barcode text, units bigint,
           approved boolean, actor text, identity text, code text, box_id uuid)
        order by client_id, receipt_id, scan_id
      ), recorded as (
        insert into receipt_scans
          (client_id, receipt_id, scan_id, barcode, quantity, at, actor, marking_code, box_id)
        select client_id, receipt_id, scan_id, barcode, units, ${at}::timestamptz, actor, identity, box_id
        from scans
        on conflict do nothing returning client_id, receipt_id, scan_id
      ), taken as materialized (
        select s.* from scans s join recorded using (client_id, receipt_id, scan_id)
      ), lines as materialized (
        select l.* from (
          select client_id, receipt_id, barcode, sum(units)::bigint as units from taken
          group by client_id, receipt_id, barcode order by client_id, receipt_id, barcode
        ) l cross join lateral (
          select from receipt_items i
          where i.client_id = l.client_id and i.receipt_id = l.receipt_id and i.barcode = l.barcode
          offset 0 for no key update
        ) held
      ), counted as (
        update receipt_items i set accepted_qty = i.accepted_qty + l.units from lines l
        where i.client_id = l.client_id and i.receipt_id = l.receipt_id and i.barcode = l.barcode
        returning i.client_id, i.receipt_id, i.barcode, i.expected_qty as expected,
          i.accepted_qty - l.units as before
      ), stored as (${storeStatement(work, codes)}
      ), entered as materialized (
        select t.*, c.expected, c.before + sum(t.units) over (
            partition by t.client_id, t.receipt_id, t.barcode order by t.n
          ) as accepted
        from taken t left join counted c using (client_id, receipt_id, barcode)
      )`,
    entries: tx`
      select client_id, barcode, units, receipt_id, actor,
        case when approved then 0 else greatest(0, least(accepted - expected, units)) end::bigint
          as in_question
      from entered where expected is not null order by n`,
    answer: tx`(
      select json_agg(json_build_object('n', n, 'expected', expected, 'accepted', accepted,
        'stored', identity is null or identity in (select identity from stored)))
      from entered)`,
  })
  const byNumber = new Map(entered?.map(({ n, ...scan }) => [n, scan]))
  return counts.map((_, n) => byNumber.get(n))
}
