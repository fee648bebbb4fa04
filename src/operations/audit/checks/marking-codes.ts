import { goodsNow } from '../../../warehouse/catalogue/merged-products.ts'
import { type Check, check } from '../check.ts'

/** Marking codes: each belongs to one unit in the whole warehouse. */
export const markingCodeChecks: readonly Check[] = [
  check(
    'marking codes belong to known products, receipts and orders',
    (db, own) => db`
      select m.client_id, m.identity as object, case
        when p.barcode is null then format('of unknown goods %s', m.barcode)
        when m.receipt_id is not null and r.id is null then format('of unknown receipt %s', m.receipt_id)
        else format('in unknown order %s', m.order_id) end as what
      from marking_codes m
      left join products p on p.client_id = m.client_id and p.barcode = m.barcode and ${own('p')}
      left join receipts r on r.client_id = m.client_id and r.id = m.receipt_id and ${own('r')}
      left join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      where ${own('m')} and (p.barcode is null or m.receipt_id is not null and r.id is null
        or m.order_id is not null and o.id is null)`,
  ),
  check(
    'a picked code belongs to an order of an open shipment, a shipped code to one of a closed shipment',
    (db, own) => db`
      select m.client_id, m.identity as object, format('%s; order %s is %s, its shipment %s, %s', m.state,
        o.external_id, o.status, coalesce(s.status, 'none'),
        case when k.marking_code is null then 'and no pick has the code' else 'and a pick has the code' end) as what
      from marking_codes m
      join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
      left join (
        select distinct p.client_id, p.order_id, p.marking_code, ${goodsNow(db, 'p').barcode} as barcode
        from picks p ${goodsNow(db, 'p').join} where ${own('p')} and p.undone_at is null and p.marking_code is not null
      ) k on k.client_id = m.client_id and k.order_id = m.order_id and k.marking_code = m.identity
        and k.barcode = m.barcode
      where ${own('m')} and (k.marking_code is null or case m.state
        when 'picked' then s.status is distinct from 'ASSEMBLING' or s.mirrored or o.status = 'CANCELLED'
        else s.closed_at is null end)`,
  ),
  check(
    'codes of picks for open shipments have the state picked',
    (db, own) => db`
      select p.client_id, p.marking_code as object, format('picked for order %s; the code is %s', o.external_id,
        coalesce(m.state || coalesce(' for ' || m.order_id::text, ''), 'unknown')) as what
      from picks p
      join orders o on o.client_id = p.client_id and o.id = p.order_id and ${own('o')}
      join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
      left join marking_codes m on m.identity = p.marking_code
      where ${own('p')} and p.undone_at is null and p.marking_code is not null and s.status = 'ASSEMBLING'
        and o.status <> 'CANCELLED' and (m.client_id is distinct from p.client_id
          or m.state <> 'picked' or m.order_id <> p.order_id)`,
  ),
  check(
    // A shipped unit may come back, to another receipt and another client. If that scan is undone, the
    // code is deleted: so a pick may have a code that marking_codes does not.
    'counted codes are known',
    (db, own) => db`
      select s.client_id, s.marking_code as object,
        format('counted in receipt %s, and known no more', s.receipt_id) as what
      from receipt_scans s
      where ${own('s')} and s.undone_at is null and s.marking_code is not null and not exists (
        select from marking_codes m where m.identity = s.marking_code
      ) and not exists (
        select from picks p
        where p.client_id = s.client_id and p.marking_code = s.marking_code and p.undone_at is null)
      union all
      select m.client_id, m.identity, format('of receipt %s, which did not count it', m.receipt_id)
      from marking_codes m
      where ${own('m')} and m.receipt_id is not null and not exists (
        select from receipt_scans s ${goodsNow(db, 's').join}
        where s.client_id = m.client_id and s.receipt_id = m.receipt_id and s.marking_code = m.identity
          and ${goodsNow(db, 's').barcode} = m.barcode and s.undone_at is null)`,
  ),
]
