import type { Queryable } from '../db/connection.ts'
import { notFound } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'

/**
 * Sellers ask within their own data; staff know an object by its id alone, and this tells whose it
 * is. All that follows is asked within that client, like everything else.
 */
const messages = {
  cabinets: 'Кабинет не найден',
  receipts: 'Приёмка не найдена',
  orders: 'Заказ не найден',
  shipments: 'Отгрузка не найдена',
  picking_tasks: 'Задание на сборку не найдено',
  boxes: 'Короб не найден',
  pallets: 'Паллета не найдена',
  webhooks: 'Подписка не найдена',
} as const

/** The client that an object belongs to. Throws not_found. */
export async function ownerOf(
  db: Queryable,
  kind: keyof typeof messages,
  id: string,
): Promise<string> {
  const [row] = isId(id)
    ? await db<{ client_id: string }[]>`select client_id from ${db(kind)} where id = ${id}`
    : []
  if (row === undefined) throw notFound(messages[kind])
  return row.client_id
}
