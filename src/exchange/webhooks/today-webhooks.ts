import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment } from '../../platform/kernel/schema.ts'

/** Subscriptions shown at most. */
const shownMax = 50

const DisabledWebhook = Type.Object({
  webhook_id: Type.String({ description: 'Подписка.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  url: Type.String({ description: 'Адрес.' }),
  disabled_at: moment('Когда отключена.'),
  disabled_reason: Type.Optional(
    Type.String({ description: 'Почему; если причина неизвестна, поля нет.' }),
  ),
})

export const TodayWebhooks = Type.Object(
  {
    total: count('Сколько подписок отключено.'),
    items: Type.Array(DisabledWebhook, {
      maxItems: shownMax,
      description: `Подписки, сначала отключённые последними; не больше ${shownMax}.`,
    }),
  },
  { description: 'Отключённые подписки продавцов: события им не приходят.' },
)
type TodayWebhooks = Static<typeof TodayWebhooks>

type Row = Omit<Static<typeof DisabledWebhook>, 'disabled_reason'> & {
  total: number
  disabled_at: Timestamp
  disabled_reason: string | null
}

/** Disabled subscriptions of the clients `c` that are seen, the last disabled first. */
export async function webhooksOfToday(db: Queryable, seen: Fragment): Promise<TodayWebhooks> {
  const rows = await db<Row[]>`
    select count(*) over () as total, w.id as webhook_id, w.client_id, c.name as client_name,
      w.url, w.disabled_at, w.disabled_reason
    from webhook_subscriptions w join clients c on c.id = w.client_id and ${seen}
    where w.disabled_at is not null
    order by w.disabled_at desc, w.id limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, disabled_reason, ...row }) => ({
      ...row,
      ...(disabled_reason === null ? {} : { disabled_reason }),
    })),
  }
}
