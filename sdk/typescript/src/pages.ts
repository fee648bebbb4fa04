import type { CallOptions, Transport } from './transport.ts'

/** Страница списка. */
export interface Page<Item> {
  readonly items: Item[]
  /** Сколько всего подходит под фильтр, на всех страницах. */
  readonly total: number
  /** Передайте в `cursor` следующего вызова; null на последней странице. */
  readonly nextCursor: string | null
}

export interface RawPage<Item> {
  readonly items: Item[]
  readonly total: number
  readonly next_cursor: string | null
}

export function pageOf<Item>({ items, total, next_cursor }: RawPage<Item>): Page<Item> {
  return { items, total, nextCursor: next_cursor }
}

/** A query as the caller gave it, without the signal that may be among its fields. */
export function queryAndOptions<Query extends CallOptions>(given: Query, options: CallOptions) {
  const { signal = options.signal, ...query } = given
  return { query, signal }
}

export async function readPage<Item>(
  transport: Transport,
  path: string,
  given: CallOptions,
  options: CallOptions,
): Promise<Page<Item>> {
  const call = { method: 'GET', path, ...queryAndOptions(given, options) }
  return pageOf(await transport.read<RawPage<Item>>(call))
}

/** Items of all pages, one page in memory at a time. */
export async function* itemsOf<Item, Query extends { cursor?: string | undefined }>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Query,
): AsyncGenerator<Item, void, void> {
  let cursor: string | undefined = query.cursor
  for (;;) {
    const page = await list({ ...query, cursor })
    yield* page.items
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
