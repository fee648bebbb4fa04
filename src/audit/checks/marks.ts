import { type Check, check } from '../check.ts'

/** Marking codes: each is one unit in the whole warehouse. */
export const markChecks: readonly Check[] = [
  check(
    'marking codes are of known goods, receipts and orders',
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
    'a picked code is in an order of an open shipment, a shipped one in a closed one',
    (db, own) => db`
      select m.client_id, m.identity as object, format('%s; order %s is %s, its shipment %s, %s', m.state,
        o.external_id, o.status, coalesce(s.status, 'none'),
        case when k.mark is null then 'and no pick has the code' else 'and a pick has the code' end) as what
      from marking_codes m
      join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
      left join (
        select distinct p.client_id, p.order_id, p.mark, p.barcode
        from picks p where ${own('p')} and p.undone_at is null and p.mark is not null
      ) k on k.client_id = m.client_id and k.order_id = m.order_id and k.mark = m.identity
        and k.barcode = m.barcode
      where ${own('m')} and (k.mark is null or case m.state
        when 'picked' then s.status is distinct from 'ASSEMBLING' or s.mirrored or o.status = 'CANCELLED'
        else s.closed_at is null end)`,
  ),
  check(
    'codes that were picked for open shipments are picked',
    (db, own) => db`
      select p.client_id, p.mark as object, format('picked for order %s; the code is %s', o.external_id,
        coalesce(m.state || coalesce(' for ' || m.order_id::text, ''), 'unknown')) as what
      from picks p
      join orders o on o.client_id = p.client_id and o.id = p.order_id and ${own('o')}
      join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${own('s')}
      left join marking_codes m on m.identity = p.mark
      where ${own('p')} and p.undone_at is null and p.mark is not null and s.status = 'ASSEMBLING'
        and o.status <> 'CANCELLED' and (m.client_id is distinct from p.client_id
          or m.state <> 'picked' or m.order_id <> p.order_id)`,
  ),
  check(
    // A unit that was shipped may have come back, to another receipt and another client, or by
    // mistake: a code whose return was undone is forgotten.
    'codes that were counted are known',
    (db, own) => db`
      select s.client_id, s.mark as object,
        format('counted in receipt %s, and known no more', s.receipt_id) as what
      from receipt_scans s
      where ${own('s')} and s.undone_at is null and s.mark is not null and not exists (
        select from marking_codes m where m.identity = s.mark
      ) and not exists (
        select from picks p
        where p.client_id = s.client_id and p.mark = s.mark and p.undone_at is null)
      union all
      select m.client_id, m.identity, format('of receipt %s, which did not count it', m.receipt_id)
      from marking_codes m
      where ${own('m')} and m.receipt_id is not null and not exists (
        select from receipt_scans s
        where s.client_id = m.client_id and s.receipt_id = m.receipt_id and s.mark = m.identity
          and s.barcode = m.barcode and s.undone_at is null)`,
  ),
]
