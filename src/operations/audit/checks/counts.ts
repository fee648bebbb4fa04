import type { Queryable } from '../../../platform/db/connection.ts'
import { type Check, check } from '../check.ts'

/** Who accepts a late scan does not count by it. */
const isInTime = (db: Queryable) => db`not exists (
  select from scan_exceptions x
  where x.client_id = s.client_id and x.kind = 'count_scan' and x.object_id = s.count_id
    and x.scan_id = s.scan_id and x.decision = 'accepted')`

/** Counts, their scans and lines, and the movements that follow from decisions. */
export const countChecks: readonly Check[] = [
  check(
    'lines of counts are the sums of their scans',
    (db, own) => db`
      select l.client_id, format('count %s, %s', l.count_id, l.barcode) as object,
        format('%s units expected in %s to %s, its scans: %s in %s to %s', l.counted, l.expected_min,
          l.expected_max, coalesce(s.counted, 0), s.expected_min, s.expected_max) as what
      from count_lines l
      left join (
        select c.client_id, c.count_id, c.barcode, sum(c.units) as counted, min(c.expected) as expected_min,
          max(c.expected) as expected_max
        from count_scans c where ${own('c')} and c.undone_at is null group by 1, 2, 3
      ) s on s.client_id = l.client_id and s.count_id = l.count_id and s.barcode = l.barcode
      where ${own('l')} and (l.counted <> coalesce(s.counted, 0)
        or l.expected_min <> coalesce(s.expected_min, l.expected_min)
        or l.expected_max <> coalesce(s.expected_max, l.expected_max))
      union all
      select t.client_id, format('count %s, %s', t.count_id, t.barcode), 'was counted and has no line'
      from count_scans t
      join stock_counts k on k.client_id = t.client_id and k.id = t.count_id
        and k.status in ('REVIEW', 'CLOSED')
      where ${own('t')} and t.undone_at is null and not exists (
        select from count_lines l
        where l.client_id = t.client_id and l.count_id = t.count_id and l.barcode = t.barcode)`,
  ),
  check(
    'goods of counts are the sums of their scans',
    (db, own) => db`
      select client_id, format('count %s, %s', count_id, barcode) as object,
        format('%s units of %s scans kept, %s units of %s scans made', coalesce(g.units, 0),
          coalesce(g.scans, 0), coalesce(s.units, 0), coalesce(s.scans, 0)) as what
      from (select * from count_goods g where ${own('g')}) g
      full join (
        select c.client_id, c.count_id, c.barcode, sum(c.units) as units, count(*) as scans
        from count_scans c where ${own('c')} and c.undone_at is null group by 1, 2, 3
      ) s using (client_id, count_id, barcode)
      where (coalesce(g.units, 0), coalesce(g.scans, 0)) <> (coalesce(s.units, 0), coalesce(s.scans, 0))`,
  ),
  check(
    'who counts has a scan',
    (db, own) => db`
      select w.client_id, format('count %s', w.count_id) as object,
        format('%s counts and has no scan', w.actor) as what
      from count_workers w
      where ${own('w')} and w.done_at is null and not exists (
        select from count_scans s
        where s.client_id = w.client_id and s.count_id = w.count_id and s.actor = w.actor
          and s.undone_at is null and ${isInTime(db)})`,
  ),
  check(
    'decisions on counts are in the ledger, and closed counts are decided',
    (db, own) => db`
      select l.client_id, format('count %s, %s', l.count_id, l.barcode) as object,
        'was decided on and has no movement' as what
      from count_lines l
      where ${own('l')} and l.outcome in ('correct', 'in_question') and not exists (
        select from stock_movements m
        where m.client_id = l.client_id and m.barcode = l.barcode
          and m.comment = format('Пересчёт %s', l.count_id))
      union all
      select l.client_id, format('count %s, %s', l.count_id, l.barcode), 'differs, is closed and undecided'
      from count_lines l
      join stock_counts k on k.client_id = l.client_id and k.id = l.count_id and k.status = 'CLOSED'
      where ${own('l')} and l.outcome is null and l.counted not between l.expected_min and l.expected_max
      union all
      select k.client_id, format('count %s', k.id), format('%s has lines', k.status)
      from stock_counts k
      where ${own('k')} and k.status = 'DRAFT' and exists (
        select from count_lines l where l.client_id = k.client_id and l.count_id = k.id)`,
  ),
]
