import { type Check, check } from '../check.ts'

/** Remote commands, shortages of mirrored shipments, and what is observed. */
export const marketplaceChecks: readonly Check[] = [
  check(
    // A shipment that the marketplace no longer had was deleted here, and its creation withdrawn. One that
    // is older than the cabinet's connection has no creation: it goes when it is cancelled.
    'remote commands and shortages belong to shipments',
    (db, own) => db`
      select r.client_id, format('remote command %s', r.id) as object,
        format('of unknown shipment %s', r.shipment_id) as what
      from remote_commands r
      where ${own('r')} and r.state = 'done'
        and (r.kind not in ('split', 'set_boxes') or r.shipment_id is not null) and not exists (
        select from shipments s where s.client_id = r.client_id and s.id = r.shipment_id
      ) and not exists (
        select from remote_commands c
        where ${own('c')} and c.client_id = r.client_id and c.shipment_id = r.shipment_id
          and (c.kind = 'create' and c.state = 'refused' or c.kind = 'cancel' and c.state = 'done'))
      union all
      select x.client_id, format('shipment %s', x.shipment_id),
        format('%s units of order %s are missing of a shipment that is not mirrored and closed', x.units, x.order_id)
      from shipment_shortages x
      left join shipments s on s.client_id = x.client_id and s.id = x.shipment_id
      where ${own('x')} and (s.id is null or not s.mirrored or s.closed_at is null)`,
  ),
  check(
    'kept figures of marketplaces equal what their cabinets report',
    (db, own) => db`
      with products as (
        select m.client_id, m.barcode, m.cabinet_id, m.warehouse_id, m.product,
          max(m.warehouse_name) as name, max(m.quantity) as quantity, min(m.synced_at) as synced_at
        from marketplace_stock m where ${own('m')} group by 1, 2, 3, 4, 5
      ), figures as (
        select p.client_id, p.barcode, p.cabinet_id, p.warehouse_id, max(p.name) as name,
          sum(p.quantity) as quantity, min(p.synced_at) as synced_at
        from products p group by 1, 2, 3, 4
      ), lists as (
        select s.client_id, s.barcode, jsonb_agg(
            jsonb_build_object('marketplace', k.marketplace, 'quantity', s.quantity,
              'synced_at', to_char(s.synced_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"+03:00"'))
            || case when s.warehouse_id = 0 then '{}' else jsonb_build_object('warehouse_id', s.warehouse_id) end
            || case when s.name is null then '{}' else jsonb_build_object('warehouse_name', s.name) end
            order by k.marketplace, k.created_at, k.id, s.warehouse_id) as list
        from figures s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
        where k.shipments <> 'observe' and not k.has_hidden_rows group by 1, 2
      )
      select client_id, barcode as object,
        format('kept %s, reported %s', coalesce(f.kept, '[]'), coalesce(l.list, '[]')) as what
      from (
        select f.client_id, f.barcode, f.marketplace_stock::jsonb as kept from stock_figures f where ${own('f')}
      ) f
      full join lists l using (client_id, barcode)
      where coalesce(f.kept, '[]') <> coalesce(l.list, '[]')`,
  ),
  check(
    'observed orders and shipments belong to observed cabinets',
    (db, own) => db`
      select o.client_id, format('order %s', o.external_id) as object,
        format('observed, and its cabinet is %s', k.shipments) as what
      from orders o join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
      where ${own('o')} and o.observed and k.shipments <> 'observe'
        and not k.has_hidden_rows
      union all
      select s.client_id, format('shipment %s', s.external_id),
        format('observed, and its cabinet is %s', k.shipments)
      from shipments s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where ${own('s')} and s.observed and k.shipments <> 'observe'
        and not k.has_hidden_rows
      union all
      select o.client_id, format('order %s', o.external_id),
        format('observed is %s, and %s in its shipment %s', o.observed, s.observed, s.external_id)
      from orders o join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
      where ${own('o')} and o.observed <> s.observed`,
  ),
]

/** Product cards of marketplaces, and their index by barcode, which triggers keep. */
export const cardChecks: readonly Check[] = [
  check(
    'cards are found by all of their barcodes and no others',
    (db, own) => db`
      select client_id, format('card %s', item_id) as object, case
        when b.barcode is null then format('not found by %s', c.barcode)
        else format('found by %s, which it does not have', b.barcode) end as what
      from (
        select distinct m.client_id, m.cabinet_id, m.item_id, barcode
        from marketplace_cards m cross join unnest(m.barcodes) as u (barcode) where ${own('m')}
      ) c
      full join (
        select b.client_id, b.cabinet_id, b.item_id, b.barcode from card_barcodes b where ${own('b')}
      ) b using (client_id, cabinet_id, item_id, barcode)
      where c.barcode is null or b.barcode is null`,
  ),
]
