import type { FastifyRequest } from 'fastify'
import type { ExportColumn, ExportRow } from '../../../../documents/exports/table.ts'
import type { Database } from '../../../../platform/db/connection.ts'
import { allPages, type Page, type PageRequest } from '../../../../platform/db/lists/page.ts'
import { excerpt, invalidParameter } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import { clientNames } from '../../../../warehouse/clients/clients.ts'
import { objectNames } from '../../../../warehouse/lookup/object-names.ts'
import type { FileOf } from '../../../files/table-answer.ts'
import type { QueryReader } from '../../../route/query.ts'
import { ownScope, scopeWithin } from '../../gate.ts'

/** A list as a file: the rows, filters and order of the list. */
export interface ExportedList {
  readonly title: string
  readonly query: QueryReader<object>
  readonly columns: readonly ExportColumn[]
  /** The rows, in batches; `asked` is what `query` parsed. */
  readonly batches: (source: ExportSource, asked: object) => AsyncGenerator<readonly ExportRow[]>
}

export interface ExportSource {
  readonly db: Database
  readonly request: FastifyRequest
  readonly now: Instant
}

/** A column with its cell of an item. */
interface FilledColumn<Item> extends ExportColumn {
  readonly of: (item: Item) => ExportRow[number] | undefined
}

type FilterOf<Values> = Omit<Values, 'limit' | 'cursor' | 'sort'>

interface ListSpec<Values extends object, Filter, Item> {
  readonly title: string
  readonly query: QueryReader<Values>
  /** The page that the list itself shows, by the list's own statement. */
  readonly read: (source: ExportSource, filter: Filter, page: PageRequest) => Promise<Page<Item>>
}

interface WithoutColumns<Item> {
  readonly withColumns: (columns: readonly FilledColumn<Item>[]) => ExportedList
}

export function exportedList<Values extends object, Item>({
  read,
  ...list
}: ListSpec<Values, FilterOf<Values>, Item>): WithoutColumns<Item> {
  return {
    withColumns: (columns) => ({
      ...list,
      columns: columns.map(({ of: _, ...column }) => column),
      async *batches(source, asked) {
        const { limit: _, cursor: __, sort, ...filter } = asked as Paged & Values
        const wanted = filter as FilterOf<Values>
        for await (const items of allPages((page) => read(source, wanted, { ...page, sort }))) {
          yield items.map((item) => columns.map(({ of }) => of(item) ?? null))
        }
      },
    }),
  }
}

interface Paged {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: string
}

interface OfClients {
  readonly client_id: string | undefined
  readonly warehouse_code: string | undefined
}

/** A list that shows one client at a time; without a client the file has all of them, by name. */
export function exportedByClient<Values extends OfClients, Item>({
  read,
  ...list
}: ListSpec<
  Values,
  FilterOf<Values> & { readonly client_id: string },
  Item
>): WithoutColumns<Item> {
  return {
    withColumns: (columns) => ({
      ...list,
      columns: [{ title: 'Клиент', kind: 'text' }, ...columns.map(({ of: _, ...each }) => each)],
      async *batches(source, asked) {
        const filter = asked as Values
        const { warehouses } = scopeWithin(source.request, filter.warehouse_code)
        for (const { id, name } of await clientNames(source.db, warehouses, filter.client_id)) {
          const ofOne = { ...filter, client_id: id }
          for await (const items of allPages((page) => read(source, ofOne, page))) {
            yield items.map((item) => [name, ...columns.map(({ of }) => of(item) ?? null)])
          }
        }
      },
    }),
  }
}

/** The columns of a file that the account has as well. */
export function filledColumns<Item>({
  columns,
  cells,
}: FileOf<Item>): readonly FilledColumn<Item>[] {
  return columns.map((column, place) => ({ ...column, of: (item) => cells(item)[place] }))
}

type CellOf<Item, Value> = (item: Item) => Value | null | undefined

export const wordCell = <Item>(title: string, of: CellOf<Item, string>): FilledColumn<Item> => ({
  ...{ title, kind: 'text', of },
})
export const codeCell = <Item>(title: string, of: CellOf<Item, string>): FilledColumn<Item> => ({
  ...{ title, kind: 'text', isCode: true, of },
})
export const numberCell = <Item>(title: string, of: CellOf<Item, number>): FilledColumn<Item> => ({
  ...{ title, kind: 'number', of },
})
export const moneyCell = <Item>(title: string, of: CellOf<Item, number>): FilledColumn<Item> => ({
  ...{ title, kind: 'money', of },
})
export const momentCell = <Item>(title: string, of: CellOf<Item, string>): FilledColumn<Item> => ({
  ...{ title, kind: 'moment', of },
})
/** Whose each row is, for lists that show all clients. */
export const clientCell = <Item extends { readonly client_name: string }>(): FilledColumn<Item> =>
  wordCell('Клиент', ({ client_name: name }) => name)

export const yesOrNo = (is: boolean): string => (is ? 'да' : 'нет')

/** A page whose items have the names of their cabinets. */
export async function withCabinets<
  Item extends { readonly client_id: string; readonly cabinet_id: string | null },
>(
  { db }: ExportSource,
  page: Page<Item>,
): Promise<Page<Item & { readonly cabinet: string | undefined }>> {
  const names = await objectNames(
    db,
    page.items.map(({ client_id, cabinet_id: id }) => ({ client_id, id })),
  )
  const items = page.items.map((item) => ({
    ...item,
    cabinet: names.get(item.cabinet_id ?? '')?.title,
  }))
  return { ...page, items }
}

/** The client of an object that a parameter names, if the user works in the client's warehouse. Throws bad_request. */
export async function ownerNamed(
  { db, request }: ExportSource,
  [name, id]: readonly [parameter: string, id: string | undefined],
  ownerOf: (db: Database, id: string) => Promise<string>,
): Promise<{ readonly clientId: string; readonly id: string }> {
  if (id === undefined) throw invalidParameter(name, 'без него список не выгрузить')
  const clientId = await ownerOf(db, id).catch(() => undefined)
  const seen = clientId && (await clientNames(db, ownScope(request).warehouses, clientId))
  if (!clientId || !seen?.length) throw invalidParameter(name, `${excerpt(id)}: такого здесь нет`)
  return { clientId, id }
}

/** Throws bad_request for a client that the user does not see. */
export async function refuseUnknownClient(
  { db, request }: ExportSource,
  { client_id: id }: { readonly client_id?: string | undefined },
): Promise<void> {
  if (id === undefined) return
  const seen = isId(id) ? await clientNames(db, ownScope(request).warehouses, id) : []
  if (seen.length === 0) throw invalidParameter('client_id', `клиента ${excerpt(id)} нет`)
}
