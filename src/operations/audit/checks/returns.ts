import { goodsNow } from '../../../warehouse/catalogue/merged-products.ts'
import { type Check, check } from '../check.ts'

/** Return batches: their scans, what they expect, and their numbers. */
export const returnChecks: readonly Check[] = [
  check(
    'numbers of return batches are counted',
    (db, own) => db`
      select c.client_id, 'counter' as object, format('%s return batches counted; there are %s, the last number is %s',
        coalesce(n.returns::text, 'no'), coalesce(b.batches, 0), coalesce(b.last, 0)) as what
      from (select id as client_id from clients) c
      left join client_counters n on n.client_id = c.client_id
      left join (
        select b.client_id, count(*) as batches,
          max(case when b.number ~ '^RT-[0-9]{6,18}$' then substr(b.number, 4)::bigint end) as last
        from return_batches b where ${own('b')} group by 1
      ) b on b.client_id = c.client_id
      where ${own('c')} and (n.returns is null or n.returns <> coalesce(b.batches, 0)
        or n.returns <> coalesce(b.last, 0))`,
  ),
  check(
    'units that came back are those of the scans',
    (db, own) => db`
      select client_id, format('return %s, order %s, %s', return_id, order_id, barcode) as object,
        format('%s scanned, %s not sellable; movements say %s and %s', coalesce(s.units, 0),
          coalesce(s.unsellable, 0), coalesce(m.units, 0), coalesce(m.in_question, 0)) as what
      from (
        select s.client_id, s.return_id, coalesce(s.order_id::text, 'unknown') as order_id,
          coalesce(s.shipment_id::text, 'none') as shipment_id, ${goodsNow(db, 's').barcode} as barcode, count(*) as units,
          count(*) filter (where s.condition <> 'sellable') as unsellable
        from return_scans s ${goodsNow(db, 's').join}
        where ${own('s')} and s.undone_at is null group by 1, 2, 3, 4, 5
      ) s
      full join (
        select m.client_id, m.return_id, coalesce(m.order_id::text, 'unknown') as order_id,
          coalesce(m.shipment_id::text, 'none') as shipment_id, ${goodsNow(db, 'm').barcode} as barcode, sum(m.delta) as units,
          sum(m.question_delta) as in_question
        from stock_movements m ${goodsNow(db, 'm').join}
        where ${own('m')} and m.return_id is not null group by 1, 2, 3, 4, 5
      ) m using (client_id, return_id, order_id, shipment_id, barcode)
      where coalesce(s.units, 0) <> coalesce(m.units, 0)
        or coalesce(s.unsellable, 0) <> coalesce(m.in_question, 0)`,
  ),
  check(
    'no more units of a line came back than it expects, and all of its order',
    (db, own) => db`
      select l.client_id, format('return %s, line %s', l.return_id, l.line) as object, case
        when l.order_id is not null and o.id is null then format('of unknown order %s', l.order_id)
        when s.others > 0 then format('%s scans of another order or product', s.others)
        else format('%s expected, %s came', l.units, s.came) end as what
      from return_lines l
      left join orders o on o.client_id = l.client_id and o.id = l.order_id and ${own('o')}
      cross join lateral (
        select count(*) as came, count(*) filter (
          where l.order_id is not null and s.order_id is distinct from l.order_id
            or l.barcode is not null and s.barcode <> l.barcode) as others
        from return_scans s
        where s.client_id = l.client_id and s.return_id = l.return_id and s.line = l.line
          and s.undone_at is null
      ) s
      where ${own('l')} and (l.order_id is not null and o.id is null or s.others > 0
        or s.came > l.units)
      union all
      select s.client_id, format('scan %s', s.scan_id), format('for line %s, which is unknown', s.line)
      from return_scans s
      where ${own('s')} and s.line is not null and not exists (
        select from return_lines l
        where l.client_id = s.client_id and l.return_id = s.return_id and l.line = s.line)`,
  ),
  check(
    'the marks of a unit that came back are not outside',
    (db, own) => db`
      select s.client_id, format('scan %s', s.scan_id) as object,
        format('the marking code %s did not come back', s.marking_code) as what
      from return_scans s
      join marking_codes m on m.identity = s.marking_code
      where ${own('s')} and s.undone_at is null and m.state = 'shipped'
        and m.order_id = s.order_id and m.changed_at < s.at`,
  ),
]
