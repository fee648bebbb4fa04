import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import { moment } from '../../platform/kernel/schema.ts'
import { isColleague } from './user-warehouses.ts'

/**
 * Views of lists that managers share: a name for what the address of a list says. Whoever works in a warehouse of the
 * one who saved a view sees it; the one who saved it changes it. The only writer of staff_list_views.
 */
export const ListView = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор вида.' }),
    list: Type.String({ description: 'Список, к которому он относится.' }),
    name: Type.String({ description: 'Название вида.' }),
    query: Type.String({ description: 'Фильтры и порядок: строка запроса страницы.' }),
    saved_by: Type.String({ description: 'Логин того, кто его сохранил.' }),
    own: Type.Boolean({ description: 'Сохранили вы: вид можно изменить и удалить.' }),
    saved_at: moment('Когда сохранён.'),
  },
  { $id: 'ListView', description: 'Сохранённый вид списка.' },
)
export type ListView = Static<typeof ListView>

/** Of one list and one person. */
const viewsMax = 50

/** Who reads views. */
export interface ViewReader {
  readonly id: string
  /** Codes of the reader's warehouses; none: all. */
  readonly warehouses: readonly string[]
}

function views(db: Queryable, reader: ViewReader) {
  return db`
    select v.id, v.list, v.name, v.query, u.login as saved_by, v.saved_by = ${reader.id} as own, v.saved_at
    from staff_list_views v join staff_users u on u.id = v.saved_by
    where (v.saved_by = ${reader.id} or (u.active and ${isColleague(db, reader.warehouses)}))`
}

/** The views that the reader sees, of one list or of all, the reader's own first. */
export function listViews(
  db: Queryable,
  list: string | undefined,
  reader: ViewReader,
): Promise<ListView[]> {
  const ofList = list === undefined ? db`` : db`and v.list = ${list}`
  return db<ListView[]>`${views(db, reader)} ${ofList} order by own desc, v.name, v.id limit 500`
}

/** A view that the reader sees. */
export async function findView(
  db: Queryable,
  id: string,
  reader: ViewReader,
): Promise<ListView | undefined> {
  if (!isId(id)) return undefined
  const [view] = await db<ListView[]>`${views(db, reader)} and v.id = ${id}`
  return view
}

export interface ViewDraft {
  readonly list: string
  readonly name: string
  readonly query: string
}

/** Saves a view; one's own of this name is written anew. Throws conflict where one person has too many of a list. */
export async function saveView(
  { tx, at }: Work,
  userId: string,
  { list, name, query }: ViewDraft,
): Promise<string> {
  const [row] = await tx<[{ id: string; saved: number }]>`
    insert into staff_list_views as v (id, list, name, query, saved_by, saved_at)
    values (${newId()}, ${list}, ${name}, ${query}, ${userId}, ${at})
    on conflict (saved_by, list, name) do update set query = excluded.query, saved_at = excluded.saved_at
    returning v.id, (
      select count(*)::int from staff_list_views o where o.saved_by = ${userId} and o.list = ${list}) as saved`
  if (row.saved >= viewsMax) {
    throw conflict(`У списка уже ${viewsMax} ваших видов: удалите ненужный`)
  }
  return row.id
}

/** Deletes a view. Throws not_found for one that the reader does not see, and forbidden for another's. */
export async function deleteView({ tx }: Work, id: string, reader: ViewReader): Promise<void> {
  const view = await findView(tx, id, reader)
  if (view === undefined) throw notFound('Вид не найден')
  if (!view.own)
    throw new ServiceError(
      'forbidden',
      `Вид сохранил ${view.saved_by}: удалить его может только он`,
    )
  await tx`delete from staff_list_views where id = ${id}`
}
