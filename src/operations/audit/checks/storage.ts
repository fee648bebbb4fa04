import { type Check, check } from '../check.ts'

/** Locations, boxes, pallets, their contents, numbers and scans. */
export const storageChecks: readonly Check[] = [
  check(
    'boxes and locations hold no more than the balance',
    (db, own) => db`
      select c.client_id, c.barcode as object, format('%s in boxes and at locations, quantity %s',
        c.units, coalesce(b.quantity, 0)) as what
      from (
        select client_id, barcode, sum(quantity) as units from (
          select c.client_id, c.barcode, c.quantity from box_contents c where ${own('c')}
          union all
          select l.client_id, l.barcode, l.quantity from location_contents l where ${own('l')}
        ) lines group by 1, 2
      ) c
      left join stock_balances b on b.client_id = c.client_id and b.barcode = c.barcode and ${own('b')}
      where c.units > coalesce(b.quantity, 0)`,
  ),
  check(
    'boxes, their contents and their pallets belong to one client',
    (db, own) => db`
      select c.client_id, format('box %s', c.box_id) as object,
        format('%s lies in no box of the client', c.barcode) as what
      from box_contents c
      where ${own('c')} and not exists (
        select from boxes x where x.client_id = c.client_id and x.id = c.box_id)
      union all
      select c.client_id, format('box %s', c.box_id), format('%s is none of the client''s goods', c.barcode)
      from box_contents c
      where ${own('c')} and not exists (
        select from products p where p.client_id = c.client_id and p.barcode = c.barcode)
      union all
      select x.client_id, format('box %s', x.id), format('stands on no pallet of the client, %s', x.pallet_id)
      from boxes x
      where ${own('x')} and x.pallet_id is not null and not exists (
        select from pallets p where p.client_id = x.client_id and p.id = x.pallet_id)`,
  ),
  check(
    'kept figures of boxes and pallets equal the boxes',
    (db, own) => db`
      select client_id, barcode as object, format('kept %s boxes and %s pallets, there are %s and %s',
        coalesce(f.boxes, 0), coalesce(f.pallets, 0), coalesce(c.boxes, 0), coalesce(c.pallets, 0)) as what
      from (select f.client_id, f.barcode, f.boxes, f.pallets from stock_figures f where ${own('f')}) f
      full join (
        select c.client_id, c.barcode, count(*) as boxes, count(distinct x.pallet_id) as pallets
        from box_contents c
        join boxes x on x.client_id = c.client_id and x.id = c.box_id and ${own('x')}
        where ${own('c')} group by 1, 2
      ) c using (client_id, barcode)
      where (coalesce(f.boxes, 0), coalesce(f.pallets, 0)) <> (coalesce(c.boxes, 0), coalesce(c.pallets, 0))`,
  ),
  check(
    'lines of boxes and filled boxes of pallets are counted',
    (db, own) => db`
      select client_id, format('place %s', place_id) as object,
        format('counted %s, there are %s', coalesce(f.held, 0), coalesce(c.held, 0)) as what
      from (select f.* from fill_counts f where ${own('f')}) f
      full join (
        select c.client_id, c.box_id as place_id, count(*) as held
        from box_contents c where ${own('c')} group by 1, 2
        union all
        select c.client_id, x.pallet_id, count(distinct c.box_id)
        from box_contents c
        join boxes x on x.client_id = c.client_id and x.id = c.box_id and ${own('x')}
        where ${own('c')} and x.pallet_id is not null group by 1, 2
      ) c using (client_id, place_id)
      where coalesce(f.held, 0) <> coalesce(c.held, 0)`,
  ),
  check(
    'sums of what lies in storage equal the balances and the boxes',
    (db, own) => db`
      select client_id, s.name as object, format('kept %s, there are %s', s.kept, s.there) as what
      from (
        select v.client_id, sum(units) as units, sum(in_question) as in_question, sum(goods) as goods,
          sum(boxes) as boxes, sum(pallets) as pallets
        from stock_versions v where ${own('v')} group by 1
      ) k
      full join (
        select b.client_id, sum(quantity) as units, sum(in_question) as in_question,
          count(*) filter (where quantity > 0) as goods
        from stock_balances b where ${own('b')} group by 1
      ) b using (client_id)
      full join (
        select c.client_id, count(distinct c.box_id) as boxes, count(distinct x.pallet_id) as pallets
        from box_contents c
        join boxes x on x.client_id = c.client_id and x.id = c.box_id and ${own('x')}
        where ${own('c')} group by 1
      ) c using (client_id),
      lateral (values
        ('units', k.units, b.units), ('units in question', k.in_question, b.in_question), ('goods', k.goods, b.goods),
        ('boxes', k.boxes, c.boxes), ('pallets', k.pallets, c.pallets)
      ) s (name, kept, there)
      where coalesce(s.kept, 0) <> coalesce(s.there, 0)`,
  ),
  check(
    'an SSCC belongs to one box or pallet',
    (db, own) => db`
      select n.client_id, n.sscc as object, format('leads to no %s %s', n.kind, n.object_id) as what
      from storage_numbers n
      where ${own('n')} and not case n.kind
        when 'box' then exists (
          select from boxes x where x.client_id = n.client_id and x.id = n.object_id)
        else exists (
          select from pallets p where p.client_id = n.client_id and p.id = n.object_id) end
      union all
      select n.client_id, format('%s %s', n.kind, n.object_id), format('has %s numbers', count(*))
      from storage_numbers n where ${own('n')}
      group by n.client_id, n.kind, n.object_id having count(*) > 1`,
  ),
  check(
    'storage scans name a box of the client',
    (db, own) => db`
      select z.client_id, z.scan_id as object, format('at no box %s', z.box_id) as what
      from storage_scans z
      where ${own('z')} and not exists (
        select from boxes x where x.client_id = z.client_id and x.id = z.box_id)`,
  ),
  check(
    'what lies at a location belongs to a client of its warehouse',
    (db, own) => db`
      select t.client_id, t.object, case when l.id is null then format('lies at no location, %s', t.location_id)
        else format('lies in warehouse %s, the client''s is %s', l.warehouse_code, k.warehouse_code) end as what
      from (
        select c.client_id, format('%s at %s', c.barcode, c.location_id) as object, c.location_id
        from location_contents c where ${own('c')}
        union all
        select b.client_id, format('box %s', b.id), b.location_id from boxes b
        where ${own('b')} and b.location_id is not null
        union all
        select p.client_id, format('pallet %s', p.id), p.location_id from pallets p
        where ${own('p')} and p.location_id is not null
      ) t
      join clients k on k.id = t.client_id
      left join locations l on l.id = t.location_id
      where l.warehouse_code is distinct from k.warehouse_code`,
  ),
  check(
    'scans at locations and picks name a location',
    (db, own) => db`
      select z.client_id, format('scan %s', z.scan_id) as object, format('at no location %s', z.location_id) as what
      from location_scans z
      where ${own('z')} and not exists (select from locations l where l.id = z.location_id)
      union all
      select p.client_id, format('pick %s', p.scan_id), format('from no location %s', p.location_id)
      from picks p
      where ${own('p')} and p.location_id is not null
        and not exists (select from locations l where l.id = p.location_id)`,
  ),
]
