import { type Check, check } from '../check.ts'

/** Picking tasks, picks and misses. */
export const pickingChecks: readonly Check[] = [
  check(
    'a picking task is done when its shipment is closed',
    (db, own) => db`
      select s.client_id, s.external_id as object, format('shipment %s, task %s', s.status,
        coalesce(t.status, 'none')) as what
      from shipments s
      left join picking_tasks t on t.client_id = s.client_id and t.shipment_id = s.id and ${own('t')}
      where ${own('s')} and case
        when s.mirrored then t.id is not null
        else t.id is null or (t.status = 'DONE') <> (s.closed_at is not null)
          or (t.done_at is not null) <> (t.status = 'DONE') end`,
  ),
  check(
    'the picked units of a line equal its picks that are not undone',
    (db, own) => db`
      select client_id, format('order %s, line %s', order_id, line) as object, format('%s picked of %s, %s picks',
        coalesce(l.picked::text, 'no line'), coalesce(l.barcode, 'unknown goods'), coalesce(p.picks, 0)) as what
      from (
        select l.client_id, l.order_id, l.line, l.barcode, l.picked from order_lines l where ${own('l')}
      ) l
      full join (
        select p.client_id, p.order_id, p.line, count(*) as picks,
          min(p.barcode) as first, max(p.barcode) as last
        from picks p where ${own('p')} and p.undone_at is null group by 1, 2, 3
      ) p using (client_id, order_id, line)
      where coalesce(l.picked, 0) <> coalesce(p.picks, 0)
        or p.picks > 0 and (p.first <> l.barcode or p.last <> l.barcode)`,
  ),
  check(
    'an order is packed when all of its units are picked',
    (db, own) => db`
      select o.client_id, o.external_id as object, format('%s, %s of %s units picked',
        case when o.packed_at is null then 'not packed' else 'packed' end, l.picked, l.units) as what
      from orders o
      join (
        select l.client_id, l.order_id, sum(l.picked) as picked, sum(l.quantity) as units
        from order_lines l where ${own('l')} group by 1, 2
      ) l on l.client_id = o.client_id and l.order_id = o.id
      where ${own('o')} and (o.packed_at is not null) <> (l.picked = l.units)`,
  ),
  check(
    'picks and misses belong to an order of their task',
    (db, own) => db`
      select p.client_id, format('pick %s', p.scan_id) as object, case
        when t.id is null then format('of unknown task %s', p.task_id)
        when o.id is null then format('of unknown order %s', p.order_id)
        else format('counts, and order %s is not in the shipment', o.external_id) end as what
      from picks p
      left join picking_tasks t on t.client_id = p.client_id and t.id = p.task_id and ${own('t')}
      left join orders o on o.client_id = p.client_id and o.id = p.order_id and ${own('o')}
      where ${own('p')} and (t.id is null or o.id is null
        or p.undone_at is null and o.shipment_id is distinct from t.shipment_id)
      union all
      select m.client_id, format('miss %s', m.id), format('of unknown order %s', m.order_id)
      from pick_misses m
      where ${own('m')} and not exists (
        select from orders o where o.client_id = m.client_id and o.id = m.order_id)`,
  ),
  check(
    'a miss waits only while its order is collected and lacks the goods',
    (db, own) => db`
      select m.client_id, format('miss %s', m.id) as object, case
        when t.status is distinct from 'OPEN' then 'waits, and its shipment is not collected'
        when o.shipment_id is distinct from t.shipment_id
          then format('waits, and order %s is not in the shipment', o.external_id)
        else format('waits, and order %s lacks no %s', o.external_id, m.barcode) end as what
      from pick_misses m
      left join picking_tasks t on t.client_id = m.client_id and t.id = m.task_id and ${own('t')}
      left join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      where ${own('m')} and m.outcome is null and (t.status is distinct from 'OPEN'
        or o.shipment_id is distinct from t.shipment_id
        or not exists (
          select from order_lines l where l.client_id = m.client_id and l.order_id = m.order_id
            and l.barcode = m.barcode and l.picked < l.quantity))`,
  ),
  check(
    'a mark that names one unit is held by the order of its pick',
    (db, own) => db`
      select coalesce(u.client_id, p.client_id) as client_id,
        format('%s %s', coalesce(u.kind, p.kind), coalesce(u.value, p.value)) as object,
        case when u.kind is null then format('of order %s, which does not hold it', p.external_id)
          else format('held by order %s, and no pick of it has the mark', u.order_id) end as what
      from (select * from unit_marks u where ${own('u')}) u
      full join (
        select k.client_id, k.order_id, k.scan_id, m.key as kind, m.value, o.external_id,
          o.status = 'CANCELLED' as cancelled
        from (
          -- Few picks have such a mark: they are found before their orders are.
          select * from picks k
          where ${own('k')} and k.undone_at is null and k.marks ?| '{uin,imei}' offset 0
        ) k
        join picking_tasks t on t.client_id = k.client_id and t.id = k.task_id and ${own('t')}
        join orders o on o.client_id = k.client_id and o.id = k.order_id and ${own('o')}
        cross join jsonb_each_text(k.marks) m
        where m.key in ('uin', 'imei') and m.value is not null and not exists (
            select from return_scans b
            where b.client_id = k.client_id and b.order_id = k.order_id
              and b.shipment_id = t.shipment_id and b.pick_scan_id = k.scan_id
              and b.undone_at is null)
      ) p on p.client_id = u.client_id and p.order_id = u.order_id and p.scan_id = u.scan_id
        and p.kind = u.kind and p.value = u.value
      where p.kind is null or u.kind is null and not p.cancelled`,
  ),
  check(
    'marks that are being proven are of picked units, and refused ones of units that were put back',
    (db, own) => db`
      select m.client_id, format('scan %s', m.scan_id) as object, case
        when p.scan_id is null then format('%s, and order %s has no such pick', m.state, m.order_id)
        when t.status <> 'OPEN' then format('%s, and the shipment has left', m.state)
        when o.shipment_id is distinct from t.shipment_id
          then format('%s, and its order has left', m.state)
        else format('%s, and the unit is %s', m.state,
          case when p.undone_at is null then 'picked' else 'put back' end) end as what
      from mark_proofs m
      left join picks p on p.client_id = m.client_id and p.task_id = m.task_id
        and p.scan_id = m.scan_id and p.order_id = m.order_id and ${own('p')}
      left join picking_tasks t on t.client_id = m.client_id and t.id = m.task_id and ${own('t')}
      left join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      where ${own('m')} and (p.scan_id is null or t.status is distinct from 'OPEN'
        or o.shipment_id is distinct from t.shipment_id
        or (m.state = 'refused') <> (p.undone_at is not null))`,
  ),
  check(
    'an order is packed later than a mark of it was refused, with another unit',
    (db, own) => db`
      select m.client_id, format('order %s', o.external_id) as object,
        format('packed at %s, the unit of scan %s was refused at %s', o.packed_at, m.scan_id,
          p.undone_at) as what
      from mark_proofs m
      join picks p on p.client_id = m.client_id and p.task_id = m.task_id
        and p.scan_id = m.scan_id and ${own('p')}
      join orders o on o.client_id = m.client_id and o.id = m.order_id and ${own('o')}
      where ${own('m')} and m.state = 'refused' and o.packed_at is not null
        and (o.packed_at < p.undone_at or not exists (
          select from picks other
          where other.client_id = p.client_id and other.task_id = p.task_id
            and other.order_id = p.order_id and other.line = p.line
            and other.undone_at is null and other.at >= p.undone_at))`,
  ),
  check(
    'checked units are picked units of their order',
    (db, own) => db`
      select client_id, format('order %s, line %s', order_id, line) as object,
        format('%s checked, %s of them with other codes, %s picked', checked, strange,
          coalesce(picked, 0)) as what
      from (
        select c.client_id, c.order_id, c.line, count(*) as checked,
          count(*) filter (where k.scan_id is null and c.marking_code is not null
            and not exists (
              select from picks b where b.client_id = c.client_id and b.order_id = c.order_id
                and b.line = c.line and b.undone_at is null and b.marking_code is null)) as strange
        from pack_checks c
        left join picks k on k.client_id = c.client_id and k.order_id = c.order_id
          and k.line = c.line and k.marking_code = c.marking_code and k.undone_at is null
          and ${own('k')}
        where ${own('c')} and c.undone_at is null group by 1, 2, 3
      ) c
      left join (
        select p.client_id, p.order_id, p.line, count(*) as picked
        from picks p where ${own('p')} and p.undone_at is null group by 1, 2, 3
      ) p using (client_id, order_id, line)
      where checked > coalesce(picked, 0) or strange > 0`,
  ),
  check(
    'a claim is of a user with access',
    (db, own) => db`
      select t.client_id, format('task %s', t.id) as object,
        format('claimed by %s, who is unknown or has no access', t.claimed_by) as what
      from picking_tasks t
      where ${own('t')} and t.claimed_by is not null and not exists (
        select from staff_users u where u.id = t.claimed_by and u.active)`,
  ),
]
