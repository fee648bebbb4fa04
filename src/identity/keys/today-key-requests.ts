import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment } from '../../platform/kernel/schema.ts'

/** Requests shown at most. */
const shownMax = 50

const WaitingKeyRequest = Type.Object({
  request_id: Type.String({ description: 'Заявка.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  name: Type.String({ description: 'Имя ключа.' }),
  created_at: moment('Когда подана.'),
})

export const TodayKeyRequests = Type.Object(
  {
    total: count('Сколько заявок на ключ ждёт решения.'),
    items: Type.Array(WaitingKeyRequest, {
      maxItems: shownMax,
      description: `Заявки, сначала самые давние; не больше ${shownMax}.`,
    }),
  },
  {
    $id: 'WaitingKeyRequests',
    description: 'Заявки на ключи API, поданные клиентами в личном кабинете.',
  },
)
export type TodayKeyRequests = Static<typeof TodayKeyRequests>

type Row = Static<typeof WaitingKeyRequest> & { total: number; created_at: Timestamp }

/** Rows x of the clients `c` that are seen. */
export function waitingKeyRequests(db: Queryable, seen: Fragment): Fragment {
  return db`key_requests x join clients c on c.id = x.client_id and ${seen} and x.status = 'WAITING'`
}

/** Requests of the clients `c` that are seen that wait for a decision, the oldest first. */
export async function keyRequestsOfToday(db: Queryable, seen: Fragment): Promise<TodayKeyRequests> {
  const rows = await db<Row[]>`
    select count(*) over () as total, x.id as request_id, x.client_id, c.name as client_name,
      x.name, x.created_at
    from ${waitingKeyRequests(db, seen)}
    order by x.created_at, x.id limit ${shownMax}`
  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _, ...row }) => row) }
}
