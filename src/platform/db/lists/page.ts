import type { Position } from '../../kernel/cursor.ts'
import type { Queryable } from '../connection.ts'
import type { Fragment } from '../statements/fragment.ts'

export interface Page<Item> {
  readonly items: Item[]
  /** Items that match the filter, on all pages. */
  readonly total: number
  /** Null on the last page. */
  readonly next: Position | null
}

/** The page of a filter that nothing can match. */
export const emptyPage: Page<never> = { items: [], total: 0, next: null }

/** All items of what is never long, as one page. */
export function onePage<Item>(items: readonly Item[]): Page<Item> {
  return { items: [...items], total: items.length, next: null }
}

/** The page that a request wants: its size and the position that it follows. */
export interface PageRequest {
  readonly limit: number
  readonly after: Position | undefined
  /** False where only the items are wanted, as of exports: then the total is 0. */
  readonly counted?: false
  /** The order, as ListOrders says; undefined: the newest first. */
  readonly sort?: string | undefined
}

/** The total that rows of a page bring along. */
export function totalFor(db: Queryable, total: Fragment, { counted }: PageRequest): Fragment {
  return counted === false ? db`0` : db`(${total})`
}

/**
 * Makes a page of rows that were read with a limit of one more than `limit`: the extra row shows that another page
 * follows. Each row carries the total, so that page and total are of one moment. Only an empty page past the end of a
 * list needs a statement of its own for the total.
 */
export async function pageOf<Row, Item>(
  rows: readonly (Row & { readonly total: number })[],
  { limit, after }: PageRequest,
  shape: {
    readonly view: (row: Row) => Item
    readonly position: (row: Row) => Position
    readonly count: () => Promise<number>
  },
): Promise<Page<Item>> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const total = rows[0]?.total ?? (after === undefined ? 0 : await shape.count())
  return {
    items: shown.map((row) => shape.view(row)),
    total,
    next: last === undefined ? null : shape.position(last),
  }
}

/** Lists that grow without end, such as journals, count their totals up to this number. */
export const countedMax = 100_000

/** Runs the statement that counts a list, where no row brought the total along. */
export async function countOf(db: Queryable, total: Fragment): Promise<number> {
  const [row] = await db<[{ total: number }]>`select (${total}) as total`
  return row.total
}

const readPageSize = 500

/** All items of a list, page by page, for files: no more than a page is in memory. */
export async function* allPages<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
  limit = readPageSize,
): AsyncGenerator<readonly Item[]> {
  let after: Position | undefined
  do {
    const { items, next } = await read({ limit, after, counted: false })
    yield items
    after = next ?? undefined
  } while (after !== undefined)
}
