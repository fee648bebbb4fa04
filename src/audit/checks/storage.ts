import { type Check, check } from '../check.ts'

/** Boxes, pallets, their contents, numbers and scans. */
export const storageChecks: readonly Check[] = [
  check(
    'boxes hold no more than the balance',
    (db, own) => db`
      select c.client_id, c.barcode as object, format('%s in boxes, quantity %s', c.units,
        coalesce(b.quantity, 0)) as what
      from (
        select c.client_id, c.barcode, sum(c.quantity) as units
        from box_contents c where ${own('c')} group by 1, 2
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
]
