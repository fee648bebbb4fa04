import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment } from '../../platform/kernel/schema.ts'
import { type JournalScope, scopeCondition } from '../../warehouse/journal/staff.ts'

/**
 * What each user did in a period, from the journal of changes: it has an entry for each scan, and none for a repeat. So
 * the figures never differ from the journal, and no scan pays for them. A tally by user and day would be one more row that
 * every scan locks; counting the scans themselves, an index by user and time on each of the fastest growing tables.
 */

export const Shift = Type.Object(
  {
    user_id: Type.String({ description: 'Пользователь.' }),
    login: Type.String({ description: 'Его логин.' }),
    name: Type.String({ description: 'Его имя; без имени — логин.' }),
    first_at: moment('Первое изменение за период.'),
    last_at: moment('Последнее.'),
    receipts: count('Приёмок, в которых он считал.'),
    scans: count('Сканов приёмки.'),
    scanned_units: count('Единиц в этих сканах.'),
    undone_scans: count('Отменено сканов приёмки.'),
    picking_tasks: count('Заданий, которые он собирал.'),
    picks: count('Собрано единиц.'),
    picking_hours: count('Часов суток, в которые он собирал: делите на них собранное.'),
    undone_picks: count('Отменено сканов сборки.'),
    checks: count('Проверено единиц при упаковке.'),
    misses: count('Отметок «не найден».'),
    counts: count('Сканов пересчёта.'),
    returns: count('Сканов возвратов.'),
    shipments: count('Закрыто отгрузок.'),
    changes: count('Всех изменений, вместе с остальными.'),
  },
  { $id: 'Shift', description: 'Что сделал пользователь за период.' },
)
export type Shift = Static<typeof Shift>

export interface ShiftPeriod {
  readonly from: Instant
  readonly to: Instant
  readonly userId: string | undefined
}

const usersMax = 500

/** A correction of a place has a second entry, for the journal of the place: that one counts as no change. */
function isDeed(db: Queryable): Fragment {
  return db`not (action = 'correctStock' and after ? 'units')`
}

/** The most active users first, at most 500. */
export async function listShifts(
  db: Database,
  { from, to, userId }: ShiftPeriod,
  scope: JournalScope,
): Promise<Shift[]> {
  if (!areIds(userId)) return []
  const ofUser = userId === undefined ? db`` : db`and actor = ${`staff:${userId}`}`
  return db<(Shift & { first_at: Timestamp; last_at: Timestamp })[]>`
    select u.id as user_id, u.login, u.shown_name as name, j.first_at, j.last_at, j.receipts, j.scans, j.scanned_units,
      j.undone_scans, j.picking_tasks, j.picks, j.picking_hours, j.undone_picks, j.checks, j.misses, j.counts,
      j.returns, j.shipments, j.changes
    from (
      select actor, min(at) as first_at, max(at) as last_at, count(*) filter (where ${isDeed(db)}) as changes,
        count(distinct object_id) filter (where action = 'scanReceipt') as receipts,
        count(*) filter (where action = 'scanReceipt') as scans,
        coalesce(sum((after ->> 'qty')::bigint) filter (where action = 'scanReceipt'), 0)::bigint
          as scanned_units,
        count(*) filter (where action = 'undoReceiptScan') as undone_scans,
        count(distinct object_id) filter (where action = 'pickUnit') as picking_tasks,
        count(*) filter (where action = 'pickUnit') as picks,
        count(distinct date_trunc('hour', at, 'UTC')) filter (where action = 'pickUnit')
          as picking_hours,
        count(*) filter (where action = 'undoPick') as undone_picks,
        count(*) filter (where action = 'checkUnit') as checks,
        count(*) filter (where action = 'reportNotFound') as misses,
        count(*) filter (where action = 'scanInCount') as counts,
        count(*) filter (where action in ('scanReturn', 'scanReturnOfDay')) as returns,
        count(*) filter (where action = 'closeShipment') as shipments
      from staff_journal
      where at >= ${toTimestamp(from)} and at < ${toTimestamp(to)} and actor like 'staff:%' ${ofUser}
        ${scopeCondition(db, scope)}
      group by actor
    ) j
    join staff_users u on 'staff:' || u.id = j.actor
    order by j.changes desc, u.login limit ${usersMax}`
}
