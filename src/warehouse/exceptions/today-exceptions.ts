import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, oneOfValues } from '../../platform/kernel/schema.ts'
import { exceptionKinds } from './kinds.ts'
import { exceptionKindRule } from './view.ts'

/** Exceptions shown at most. */
const shownMax = 50

const OpenException = Type.Object({
  exception_id: Type.String({ description: 'Исключение.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  kind: oneOfValues(exceptionKinds, exceptionKindRule),
  reason: Type.String({ description: 'Почему скан не принят.' }),
  created_at: moment('Когда он пришёл.'),
  set_aside: Type.Boolean({
    description:
      'true — это единица, чей код маркировки не принял маркетплейс: её сняли с заказа и отложили. ' +
      'false — скан из очереди терминала.',
  }),
})

export const TodayExceptions = Type.Object(
  {
    total: count('Сколько исключений ждёт решения.'),
    items: Type.Array(OpenException, {
      maxItems: shownMax,
      description: `Исключения, сначала самые давние; не больше ${shownMax}.`,
    }),
  },
  {
    description:
      'Сканы из очередей терминалов, которые склад не принял, и единицы, чей код не принял маркетплейс.',
  },
)
type TodayExceptions = Static<typeof TodayExceptions>

type Row = Static<typeof OpenException> & { total: number; created_at: Timestamp }

/** Rows x of the clients `c` that are seen. */
export function openExceptions(db: Queryable, seen: Fragment): Fragment {
  return db`scan_exceptions x join clients c on c.id = x.client_id and ${seen} and x.decision is null`
}

/** Open exceptions of the clients `c` that are seen, the oldest first. */
export async function exceptionsOfToday(db: Queryable, seen: Fragment): Promise<TodayExceptions> {
  const rows = await db<Row[]>`
    select count(*) over () as total, x.id as exception_id, x.client_id, c.name as client_name,
      x.kind, x.reason, x.created_at, not starts_with(x.actor, 'staff:') as set_aside
    from ${openExceptions(db, seen)}
    order by x.created_at, x.id limit ${shownMax}`
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _, ...row }) => row) }
}
