import Type, { type Static } from 'typebox'
import type { Queryable } from '../../../platform/db/connection.ts'
import { conditionsOf } from '../../../platform/db/lists/filter.ts'
import {
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../../platform/db/lists/page.ts'
import { isId } from '../../../platform/kernel/ids.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../../platform/kernel/schema.ts'

/** A remote command as managers see it. The staff API has its own words for kinds and states. */
export const RemoteCommandView = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор поручения.' }),
    kind: oneOfValues(
      [
        'create',
        'fill',
        'remove',
        'deliver',
        'cancel',
        'split',
        'set_boxes',
        'add_boxes',
        'remove_boxes',
      ],
      'Что поручено: `create` — создать отгрузку, `fill` — добавить заказы, `remove` — убрать заказ, ' +
        '`deliver` — передать её, `cancel` — отменить, `split` — разделить заказ, `set_boxes` — назвать число его коробок, ' +
        '`add_boxes` и `remove_boxes` — добавить и удалить грузоместа.',
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
  { $id: 'RemoteCommand', description: 'Поручение маркетплейсу.' },
)
export type RemoteCommandView = Static<typeof RemoteCommandView>

export interface RemoteCommandFilter {
  readonly shipment_id?: string | undefined
}

/** The commands of a cabinet, the newest first. */
export async function listRemoteCommands(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  page: PageRequest,
  filter: RemoteCommandFilter = {},
): Promise<Page<RemoteCommandView>> {
  const { shipment_id: shipment } = filter
  if (shipment !== undefined && !isId(shipment)) return emptyPage
  const conditions = conditionsOf(db, filter, {
    shipment_id: (id) => db`c.shipment_id = ${id}`,
  })
  const own = db`c.client_id = ${clientId} and c.cabinet_id = ${cabinetId} ${conditions}`
  const total = db`select count(*) from remote_commands c where ${own}`
  const [last] = page.after ?? []
  const rows = await db<(RemoteCommandView & { total: number })[]>`
    select id,
      case kind when 'create_late' then 'create' when 'add_orders' then 'fill' when 'remove_order' then 'remove'
        when 'hand_over' then 'deliver' else kind end as kind,
      case state when 'requested' then 'asked' else state end as state,
      detail ->> 'name' as name, shipment_id,
      case kind when 'add_orders' then jsonb_array_length(detail -> 'orderIds')
        when 'remove_order' then 1 when 'split' then 1 when 'set_boxes' then 1 else 0 end as orders_count,
      message, requested_at as asked_at, finished_at as ended_at, ${totalFor(db, total, page)} as total
    from remote_commands c
    where ${own} ${last === undefined ? db`` : db`and id < ${String(last)}::uuid`}
    order by id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...command }) => command,
    position: ({ id }) => [id],
    count: () => countOf(db, total),
  })
}
