import { goodsNow } from '../../../warehouse/catalogue/merged-products.ts'
import { type Check, check } from '../check.ts'

/** Receipts, their lines and scans, and the receipt counter of each client. */
export const receiptChecks: readonly Check[] = [
  check(
    'numbers of receipts are counted',
    (db, own) => db`
      select c.client_id, 'counter' as object, format('%s receipts counted; there are %s, the last number is %s',
        coalesce(n.receipts::text, 'no'), coalesce(r.receipts, 0), coalesce(r.last, 0)) as what
      from (select id as client_id from clients) c
      left join client_counters n on n.client_id = c.client_id
      left join (
        select r.client_id, count(*) as receipts,
          max(case when r.number ~ '^R-[0-9]{6,18}$' then substr(r.number, 3)::bigint end) as last
        from receipts r where ${own('r')} group by 1
      ) r on r.client_id = c.client_id
      where ${own('c')} and (n.receipts is null or n.receipts <> coalesce(r.receipts, 0)
        or n.receipts <> coalesce(r.last, 0))`,
  ),
  check(
    'totals of receipts',
    (db, own) => db`
      select r.client_id, r.number as object, format(
        'expected %s, accepted %s, missing %s; lines say %s and %s', r.expected_qty, r.accepted_qty,
        r.discrepancy_qty, coalesce(i.expected, 0), coalesce(i.accepted, 0)) as what
      from receipts r
      left join (
        select i.client_id, i.receipt_id, sum(i.expected_qty) as expected, sum(i.accepted_qty) as accepted
        from receipt_items i where ${own('i')} group by 1, 2
      ) i on i.client_id = r.client_id and i.receipt_id = r.id
      where ${own('r')} and (r.expected_qty <> coalesce(i.expected, 0) or case
        when r.completed_at is null then r.accepted_qty <> 0 or r.discrepancy_qty <> 0
        else r.accepted_qty <> coalesce(i.accepted, 0) or
          r.discrepancy_qty <> greatest(0, coalesce(i.expected - i.accepted, 0)) end)`,
  ),
  check(
    'statuses of receipts are those of their lines',
    (db, own) => db`
      select r.client_id, r.number as object, format('%s; %s lines differ, %s are short, %s have a reason, %s were counted',
        r.status, i.differing, i.short, i.reasons, i.counted) as what
      from receipts r
      join (
        select i.client_id, i.receipt_id, count(*) filter (where i.accepted_qty <> i.expected_qty) as differing,
          count(*) filter (where i.accepted_qty < i.expected_qty) as short,
          count(i.shortage_reason) as reasons,
          count(i.shortage_reason) filter (where i.accepted_qty >= i.expected_qty) as needless,
          count(*) filter (where i.accepted_qty > 0) as counted
        from receipt_items i where ${own('i')} group by 1, 2
      ) i on i.client_id = r.client_id and i.receipt_id = r.id
      where ${own('r')} and case r.status
        when 'RECEIVED' then i.differing > 0 or i.reasons > 0
        when 'RECEIVED_WITH_DISCREPANCY' then i.differing = 0 or i.reasons <> i.short or i.needless > 0
        when 'RECEIVING' then i.reasons > 0
        else i.reasons > 0 or i.counted > 0 end`,
  ),
  check(
    'lines of receipts are the sums of their scans and movements',
    (db, own) => db`
      select client_id, format('receipt %s, %s', receipt_id, barcode) as object, format(
        'expected %s, accepted %s; scans %s, movements %s, in question %s of %s', i.expected_qty, i.accepted_qty,
        coalesce(s.units, 0), coalesce(m.units, 0), coalesce(m.in_question, 0), i.questioned) as what
      from (
        select i.client_id, i.receipt_id, ${goodsNow(db, 'i').barcode} as barcode,
          sum(i.expected_qty) as expected_qty, sum(i.accepted_qty) as accepted_qty,
          sum(case when r.approved_at is null then greatest(0, i.accepted_qty - i.expected_qty)
            else i.decided_qty end) as questioned
        from receipt_items i
        join receipts r on r.client_id = i.client_id and r.id = i.receipt_id and ${own('r')}
        ${goodsNow(db, 'i').join}
        where ${own('i')} group by 1, 2, 3
      ) i
      full join (
        select s.client_id, s.receipt_id, ${goodsNow(db, 's').barcode} as barcode, sum(s.quantity) as units
        from receipt_scans s ${goodsNow(db, 's').join} where ${own('s')} and s.undone_at is null group by 1, 2, 3
      ) s using (client_id, receipt_id, barcode)
      full join (
        select m.client_id, m.receipt_id, ${goodsNow(db, 'm').barcode} as barcode, sum(m.delta) as units,
          sum(m.question_delta) as in_question
        from stock_movements m ${goodsNow(db, 'm').join} where ${own('m')} and m.receipt_id is not null group by 1, 2, 3
      ) m using (client_id, receipt_id, barcode)
      where i.accepted_qty is null or i.accepted_qty <> coalesce(s.units, 0)
        or i.accepted_qty <> coalesce(m.units, 0)
        or i.questioned <> coalesce(m.in_question, 0)`,
  ),
  check(
    'lines of walk-in receipts declare nothing, and only approved ones were decided on',
    (db, own) => db`
      select i.client_id, format('receipt %s, %s', i.receipt_id, i.barcode) as object,
        format('expected %s, decided %s', i.expected_qty, i.decided_qty) as what
      from receipt_items i
      join receipts r on r.client_id = i.client_id and r.id = i.receipt_id and ${own('r')}
      where ${own('i')} and (r.walk_in and i.expected_qty <> 0
        or r.approved_at is null and i.decided_qty <> 0)`,
  ),
  check(
    'cancelled receipts are short of everything, for the reason CANCELLED',
    (db, own) => db`
      select i.client_id, format('receipt %s, %s', i.receipt_id, i.barcode) as object,
        format('expected %s, accepted %s, reason %s', i.expected_qty, i.accepted_qty, i.shortage_reason) as what
      from receipt_items i
      join receipts r on r.client_id = i.client_id and r.id = i.receipt_id and ${own('r')}
      where ${own('i')} and (i.shortage_reason is not distinct from 'CANCELLED') <> (r.cancelled_at is not null)`,
  ),
]
