import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'

/** Counts shown at most. */
const shownMax = 50

const openStatuses = ['COUNTING', 'REVIEW'] as const

const OpenCount = Type.Object({
  count_id: Type.String({ description: 'Пересчёт.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  status: oneOfValues(
    openStatuses,
    'COUNTING — считают, REVIEW — посчитано, и менеджер решает о расхождениях.',
  ),
  started_at: moment('Когда начали считать.'),
  counted_at: momentOrNull('Когда все, кто считал, сказали, что закончили; null, пока считают.'),
  counted_by: Type.Array(Type.String(), { description: 'Кто посчитал; пусто, пока считают.' }),
})

export const TodayCounts = Type.Object(
  {
    total: count('Сколько пересчётов не закончено.'),
    items: Type.Array(OpenCount, {
      maxItems: shownMax,
      description: `Пересчёты, сначала те, что ждут решения, потом посчитанные, потом давние; не больше ${shownMax}.`,
    }),
  },
  { description: 'Начатые пересчёты.' },
)
type TodayCounts = Static<typeof TodayCounts>

type Row = Static<typeof OpenCount> & {
  total: number
  started_at: Timestamp
  counted_at: Timestamp | null
}

/** Rows n of the clients `c` that are seen. */
export function openCounts(db: Queryable, seen: Fragment): Fragment {
  return db`
    stock_counts n
    join clients c on c.id = n.client_id and ${seen} and n.status in ('COUNTING', 'REVIEW')`
}

/** Counts of the clients `c` that are seen, first those that wait for a decision. `counted_by` has the texts of actors. */
export async function countsOfToday(db: Queryable, seen: Fragment): Promise<TodayCounts> {
  const rows = await db<Row[]>`
    select count(*) over () as total, n.id as count_id, n.client_id, c.name as client_name,
      n.status, n.started_at, w.counted_at,
      case when w.counted_at is null then '{}' else w.actors end as counted_by
    from ${openCounts(db, seen)}
    cross join lateral (
      select case when count(w.done_at) = count(*) then max(w.done_at) end as counted_at,
        array_agg(w.actor order by w.done_at, w.actor) as actors
      from count_workers w where w.client_id = n.client_id and w.count_id = n.id
    ) w
    order by n.status = 'REVIEW' desc, w.counted_at is null, n.started_at, n.id limit ${shownMax}`
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _, ...row }) => row) }
}
