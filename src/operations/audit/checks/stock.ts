import { goodsNow } from '../../../warehouse/catalogue/merged-products.ts'
import { type Check, check } from '../check.ts'

/** Balances against movements, and movements against what they belong to. */
export const stockChecks: readonly Check[] = [
  check(
    'balances are the sums of movements',
    (db, own) => db`
      select client_id, barcode as object,
        format('quantity %s, in question %s, outside %s; movements say %s, %s and %s',
          coalesce(b.quantity, 0), coalesce(b.in_question, 0), coalesce(b.outside, 0),
          coalesce(m.quantity, 0), coalesce(m.in_question, 0), coalesce(x.outside, 0)) as what
      from (
        select b.client_id, b.barcode, b.quantity, b.in_question, b.outside
        from stock_balances b where ${own('b')}
      ) b
      full join (
        select m.client_id, m.barcode, sum(m.delta) as quantity, sum(m.question_delta) as in_question
        from stock_movements m where ${own('m')} group by 1, 2
      ) m using (client_id, barcode)
      -- What left as goods that were merged may come back as what they became.
      full join (
        select m.client_id, ${goodsNow(db, 'm').barcode} as barcode, -sum(m.delta) as outside
        from stock_movements m ${goodsNow(db, 'm').join}
        where ${own('m')} and m.kind in ('shipment', 'return') group by 1, 2
      ) x using (client_id, barcode)
      where coalesce(b.quantity, 0) <> coalesce(m.quantity, 0)
        or coalesce(b.in_question, 0) <> coalesce(m.in_question, 0)
        or coalesce(b.outside, 0) <> coalesce(x.outside, 0)`,
  ),
  check(
    'units that a marketplace shows are kept beside each balance',
    (db, own) => db`
      with items as (
        select m.client_id, m.barcode, k.marketplace, max(m.quantity) as quantity
        from marketplace_stock m join cabinets k on k.client_id = m.client_id and k.id = m.cabinet_id
        where ${own('m')} and k.shipments <> 'observe' and not k.has_hidden_rows
        group by m.client_id, m.barcode, k.marketplace, m.cabinet_id, m.warehouse_id, m.product
      ), marketplaces as (
        select client_id, barcode, sum(quantity) as units from items group by client_id, barcode, marketplace
      ), most as (
        select client_id, barcode, greatest(max(units), 0) as units from marketplaces group by 1, 2
      )
      select b.client_id, b.barcode as object,
        format('kept %s, reported %s', b.shown_most, coalesce(s.units, 0)) as what
      from stock_balances b left join most s using (client_id, barcode)
      where ${own('b')} and b.shown_most <> coalesce(s.units, 0)`,
  ),
  check(
    'reserved units are the units of orders in our open shipments',
    (db, own) => db`
      select client_id, barcode as object, format('reserved %s, orders need %s',
        coalesce(b.reserved, 0), coalesce(l.units, 0)) as what
      from (select b.client_id, b.barcode, b.reserved from stock_balances b where ${own('b')}) b
      full join (
        select s.client_id, l.barcode, sum(l.quantity) as units
        from shipments s
        join orders o on o.client_id = s.client_id and o.shipment_id = s.id and ${own('o')}
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id and ${own('l')}
        where ${own('s')} and s.status = 'ASSEMBLING' and not s.mirrored and o.status <> 'CANCELLED'
        group by 1, 2
      ) l using (client_id, barcode)
      where coalesce(b.reserved, 0) <> coalesce(l.units, 0)`,
  ),
  check(
    'each spelling of a GTIN names one product of the client',
    (db, own) => db`
      select p.client_id, s.spelling as object, format('names %s', coalesce(a.barcode, 'nothing')) as what
      from products p cross join lateral gtin_spellings(p.barcode) s (spelling)
      left join barcode_aliases a on a.client_id = p.client_id and a.spelling = s.spelling
      where ${own('p')} and (a.barcode is null or a.barcode <> coalesce(p.merged_into, a.barcode)
        or p.merged_into is null and a.barcode not in (select gtin_spellings(p.barcode)))
      union all
      select a.client_id, a.spelling, format('names %s, which the client does not have', a.barcode)
      from barcode_aliases a
      left join products p on p.client_id = a.client_id and p.barcode = a.barcode
      where ${own('a')} and p.barcode is null`,
  ),
  check(
    'another barcode of a product names it in all spellings, and no other product',
    (db, own) => db`
      select a.client_id, s.spelling as object,
        format('names %s instead of %s', coalesce(n.barcode, 'nothing'), a.barcode) as what
      from barcode_aliases a
      cross join lateral (select a.added union select gtin_spellings(a.added)) s (spelling)
      left join barcode_aliases n on n.client_id = a.client_id and n.spelling = s.spelling
      where ${own('a')} and a.added is not null and n.barcode is distinct from a.barcode
      union all
      select a.client_id, a.spelling, format('names %s and is a product of its own', a.barcode)
      from barcode_aliases a
      join products p on p.client_id = a.client_id and p.barcode = a.spelling
      where ${own('a')} and a.added is not null and p.merged_into is distinct from a.barcode`,
  ),
  check(
    'every product has a balance',
    (db, own) => db`
      select p.client_id, p.barcode as object, 'goods without a balance' as what
      from products p
      where ${own('p')} and p.merged_into is null and not exists (
        select from stock_balances b where b.client_id = p.client_id and b.barcode = p.barcode)
      union all
      select b.client_id, b.barcode, 'a balance without goods'
      from stock_balances b
      where ${own('b')} and not exists (
        select from products p where p.client_id = b.client_id and p.barcode = b.barcode)`,
  ),
  check(
    'goods that were merged are the other product everywhere but in what is over',
    (db, own) => db`
      select p.client_id, p.barcode as object, case
        when o.merged_into is not null then format('was merged into %s, which was merged', p.merged_into)
        when b.barcode is not null then format('was merged into %s and has a balance', p.merged_into)
        when m.units <> 0 then format('was merged into %s and has %s units in the ledger', p.merged_into, m.units)
        when c.boxes > 0 then format('was merged into %s and lies in %s boxes or locations', p.merged_into, c.boxes)
        else format('was merged into %s and is in %s open orders and receipts', p.merged_into, d.documents) end as what
      from products p
      join products o on o.client_id = p.client_id and o.barcode = p.merged_into
      left join stock_balances b on b.client_id = p.client_id and b.barcode = p.barcode
      cross join lateral (
        select coalesce(sum(m.delta), 0) as units from stock_movements m
        where m.client_id = p.client_id and m.barcode = p.barcode
      ) m
      cross join lateral (
        select (select count(*) from box_contents c where c.client_id = p.client_id and c.barcode = p.barcode)
          + (select count(*) from location_contents c where c.client_id = p.client_id and c.barcode = p.barcode) as boxes
      ) c
      cross join lateral (
        select (
          select count(*) from orders q join shipments s on s.client_id = q.client_id and s.id = q.shipment_id
          join order_lines l on l.client_id = q.client_id and l.order_id = q.id
          where q.client_id = p.client_id and s.status = 'ASSEMBLING' and l.barcode = p.barcode
        ) + (
          select count(*) from receipts r join receipt_items i on i.client_id = r.client_id and i.receipt_id = r.id
          where r.client_id = p.client_id and r.status in ('EXPECTED', 'RECEIVING') and i.barcode = p.barcode
        ) as documents
      ) d
      where ${own('p')} and p.merged_into is not null and (o.merged_into is not null or b.barcode is not null
        or m.units <> 0 or c.boxes > 0 or d.documents > 0)`,
  ),
  check(
    'products are counted',
    (db, own) => db`
      select client_id, 'products' as object,
        format('counted %s, there are %s', coalesce(k.products, 0), coalesce(p.products, 0)) as what
      from (
        select v.client_id, sum(v.products) as products from stock_versions v where ${own('v')} group by 1
      ) k
      full join (
        select p.client_id, count(*) as products from products p
        where ${own('p')} and p.merged_into is null group by 1
      ) p using (client_id)
      where coalesce(k.products, 0) <> coalesce(p.products, 0)`,
  ),
  check(
    'movements belong to a receipt, a shipment, an order that came back or a manual entry',
    (db, own) => db`
      select m.client_id, 'movement ' || m.id as object, case
        when p.barcode is null then format('of unknown goods %s', m.barcode)
        when m.kind = 'acceptance' or m.kind = 'question' and m.receipt_id is not null
          then format('%s: no line of a receipt', m.barcode)
        when m.kind = 'return' and m.receipt_id is not null then format('%s: came back, and of a receipt', m.barcode)
        when m.kind not in ('shipment', 'return')
          then format('%s: by hand, and of a receipt or shipment', m.barcode)
        when m.kind = 'return' and m.order_id is not null and o.id is null
          then format('%s: of an unknown order', m.barcode)
        when m.kind = 'return' and m.return_id is null and r.order_id is null
          then format('%s: came back in no batch, and not to be handed over again', m.barcode)
        when m.return_id is not null and b.id is null
          then format('%s: came back in an unknown batch', m.barcode)
        when s.closed_at is null then format('%s: of no shipment that was closed', m.barcode)
        else format('%s: of no order of its shipment', m.barcode) end as what
      from stock_movements m
      left join products p on p.client_id = m.client_id and p.barcode = m.barcode and ${own('p')}
      cross join lateral (
        select m.receipt_id is not null and exists (
          select from receipt_items i where i.client_id = m.client_id and i.receipt_id = m.receipt_id
            and i.barcode in (m.barcode, p.merged_into)) as listed
      ) i
      left join shipments s on s.client_id = m.client_id and s.id = m.shipment_id and ${own('s')}
      left join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      left join (
        select distinct r.client_id, r.order_id, r.shipment_id from reshipments r where ${own('r')}
      ) r on r.client_id = m.client_id and r.order_id = m.order_id and r.shipment_id = m.shipment_id
      left join return_batches b on b.client_id = m.client_id and b.id = m.return_id and ${own('b')}
      where ${own('m')} and (p.barcode is null or m.return_id is not null and b.id is null or case m.kind
        when 'acceptance' then not i.listed or m.shipment_id is not null
        when 'shipment' then s.closed_at is null
          or o.shipment_id is distinct from m.shipment_id and r.order_id is null
        when 'return' then m.receipt_id is not null or m.order_id is not null and o.id is null
          or m.return_id is null and r.order_id is null
          or m.shipment_id is not null and (s.closed_at is null or m.order_id is null)
        when 'question' then m.receipt_id is not null and not i.listed
          or coalesce(m.shipment_id, m.order_id) is not null
        else coalesce(m.receipt_id, m.shipment_id, m.order_id) is not null end)`,
  ),
  check(
    'no more units came back than left',
    (db, own) => db`
      with moved as (
        select m.client_id, m.shipment_id, m.order_id, ${goodsNow(db, 'm').barcode} as barcode,
          coalesce(-sum(m.delta) filter (where m.kind = 'shipment'), 0) as gone,
          coalesce(sum(m.delta) filter (where m.kind = 'return'), 0) as came
        from stock_movements m ${goodsNow(db, 'm').join}
        where ${own('m')} and m.kind in ('shipment', 'return') group by 1, 2, 3, 4
      ), missing as (
        select x.client_id, x.shipment_id, x.order_id, ${goodsNow(db, 'x').barcode} as barcode, sum(x.units) as units
        from shipment_shortages x ${goodsNow(db, 'x').join} where ${own('x')} and x.barcode is not null group by 1, 2, 3, 4
      )
      select client_id, format('shipment %s, order %s, %s', shipment_id, order_id, barcode) as object,
        format('%s left, %s beyond the stock, %s came back', gone, coalesce(units, 0), came) as what
      from moved left join missing using (client_id, shipment_id, order_id, barcode)
      where shipment_id is not null and came > gone + coalesce(units, 0)
      union all
      select client_id, barcode, format('%s left, %s beyond the stock, %s came back', sum(gone),
        coalesce(max(x.units), 0), sum(came))
      from moved
      left join (
        select client_id, barcode, sum(units) as units from missing group by 1, 2
      ) x using (client_id, barcode)
      group by client_id, barcode having sum(came) > sum(gone) + coalesce(max(x.units), 0)`,
  ),
]
