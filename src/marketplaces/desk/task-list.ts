import Type, { type Static } from 'typebox'
import type { Queryable } from '../../db/connection.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../../db/page.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../kernel/schema.ts'

/** What was asked of a marketplace for shipments, as managers see it. */
export const CabinetTask = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор поручения.' }),
    kind: oneOfValues(
      ['create', 'fill', 'remove', 'deliver'],
      'Что поручено: `create` — создать отгрузку, `fill` — добавить заказы, `remove` — убрать заказ, ' +
        '`deliver` — передать её.',
    ),
    state: oneOfValues(
      ['asked', 'done', 'refused'],
      'Чем кончилось: `asked` — ответа ещё нет, и следующая синхронизация узнает, что вышло.',
    ),
    name: textOrNull('Название отгрузки, которую создают.'),
    shipment_id: textOrNull('Отгрузка; null, пока она не создана.'),
    orders_count: Type.Integer({
      minimum: 0,
      description: 'Сколько заказов добавляют или убирают.',
    }),
    message: textOrNull('Почему отказано или что стоит знать, по-русски.'),
    asked_at: moment('Когда поручено.'),
    ended_at: momentOrNull('Когда закончено.'),
  },
  { $id: 'CabinetTask', description: 'Поручение маркетплейсу.' },
)
export type CabinetTask = Static<typeof CabinetTask>

/** The tasks of a cabinet, the newest first. */
export async function listTasks(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  page: PageRequest,
): Promise<Page<CabinetTask>> {
  const own = db`t.client_id = ${clientId} and t.cabinet_id = ${cabinetId}`
  const total = db`select count(*) from cabinet_tasks t where ${own}`
  const [last] = page.after ?? []
  const rows = await db<(CabinetTask & { total: number })[]>`
    select id, kind, state, detail ->> 'name' as name, shipment_id,
      case kind when 'fill' then jsonb_array_length(detail -> 'orderIds') when 'remove' then 1 else 0
        end as orders_count,
      error as message, asked_at, ended_at, (${total}) as total
    from cabinet_tasks t
    where ${own} ${last === undefined ? db`` : db`and id < ${String(last)}::uuid`}
    order by id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...task }) => task,
    position: ({ id }) => [id],
    count: () => countOf(db, total),
  })
}
