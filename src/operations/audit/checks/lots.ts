import { type Check, check } from '../check.ts'

/** Lots: a division of the balances by place. */
export const lotChecks: readonly Check[] = [
  check(
    'lots of goods are as many as the units at each place',
    (db, own) => db`
      select client_id, format('%s at %s %s', barcode, place, place_id) as object,
        format('%s in lots, there are %s', coalesce(l.units, 0), coalesce(t.units, 0)) as what
      from (
        select s.client_id, s.barcode, case s.place when 'picked' then 'loose' else s.place end as place, s.place_id,
          sum(s.quantity) as units
        from stock_lots s where ${own('s')} group by 1, 2, 3, 4
      ) l
      full join (
        select c.client_id, c.barcode, 'box' as place, c.box_id as place_id, c.quantity as units
        from box_contents c join lot_goods g using (client_id, barcode) where ${own('c')}
        union all
        select c.client_id, c.barcode, 'location', c.location_id, c.quantity
        from location_contents c join lot_goods g using (client_id, barcode) where ${own('c')}
        union all
        select b.client_id, b.barcode, 'loose', '00000000-0000-0000-0000-000000000000', b.quantity - coalesce((
            select sum(c.quantity) from box_contents c where c.client_id = b.client_id and c.barcode = b.barcode
          ), 0) - coalesce((
            select sum(c.quantity) from location_contents c where c.client_id = b.client_id and c.barcode = b.barcode
          ), 0)
        from stock_balances b join lot_goods g using (client_id, barcode) where ${own('b')}
      ) t using (client_id, barcode, place, place_id)
      where coalesce(l.units, 0) <> coalesce(t.units, 0)`,
  ),
  check(
    'expired units that went in question are units of lots with a date',
    (db, own) => db`
      select g.client_id, g.barcode as object, format('%s went in question, %s have a date', g.expired_units, d.units) as what
      from lot_goods g cross join lateral (
        select coalesce(sum(quantity), 0) as units from stock_lots s where s.client_id = g.client_id
          and s.barcode = g.barcode and s.expires_on > '-infinity' and s.place <> 'picked'
      ) d
      where ${own('g')} and g.expired_units > d.units`,
  ),
  check(
    'lots of scans name a scan that counts',
    (db, own) => db`
      select l.client_id, format('scan %s', l.scan_id) as object, format('no such %s of %s', l.kind, l.barcode) as what
      from scan_lots l
      left join receipt_scans r on l.kind = 'receipt' and r.client_id = l.client_id and r.receipt_id = l.object_id
        and r.scan_id = l.scan_id and r.undone_at is null
      left join picks p on l.kind = 'pick' and p.client_id = l.client_id and p.task_id = l.object_id
        and p.scan_id = l.scan_id and p.order_id = l.order_id and p.undone_at is null
      left join count_scans c on l.kind = 'count' and c.client_id = l.client_id and c.count_id = l.object_id
        and c.scan_id = l.scan_id
      left join products m on m.client_id = l.client_id
        and m.barcode = coalesce(r.barcode, p.barcode, c.barcode) and m.merged_into is not null
      where ${own('l')}
        and l.barcode is distinct from coalesce(m.merged_into, r.barcode, p.barcode, c.barcode)`,
  ),
]
