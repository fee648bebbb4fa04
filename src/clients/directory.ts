import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { afterPosition } from '../db/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import { isId } from '../kernel/ids.ts'
import { moment, textOrNull } from '../kernel/schema.ts'
import { fold } from './fold.ts'

/** Live clients as staff see them. */

export const Client = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор юридического лица.' }),
    name: Type.String({ description: 'Название.' }),
    inn: textOrNull('ИНН; null, если не заполнен.'),
    warehouse_code: Type.String({ description: 'Код склада, где лежат товары.' }),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'Client', description: 'Юридическое лицо.' },
)
export type Client = Static<typeof Client>

function columns(db: Queryable) {
  return db`c.id, c.name, c.inn, c.warehouse_code, c.created_at`
}

/** A live client; locked against changes where that is asked for. */
export async function findClient(
  db: Queryable,
  id: string,
  lock = false,
): Promise<Client | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<Client[]>`
    select ${columns(db)} from clients c where c.id = ${id} and c.mode = 'live'
    ${lock ? db`for no key update` : db``}`
  return row
}

/** Live clients, the newest first; `search` looks for a part of the name or of the INN. */
export async function listClients(
  db: Queryable,
  search: string | undefined,
  page: PageRequest,
): Promise<Page<Client>> {
  const sought = search === undefined || search === '' ? undefined : fold(search)
  const matches = db`
    c.mode = 'live'
    ${
      sought === undefined
        ? db``
        : db`and (strpos(c.name_folded, ${sought}) > 0 or strpos(c.inn, ${sought}) > 0)`
    }`
  const total = db`select count(*) from clients c where ${matches}`
  const rows = await db<(Client & { total: number })[]>`
    select ${columns(db)}, (${total}) as total from clients c
    where ${matches} ${afterPosition(db, 'c', page.after)}
    order by c.created_at desc, c.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ id, name, inn, warehouse_code, created_at }) => ({
      id,
      name,
      inn,
      warehouse_code,
      created_at,
    }),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}
