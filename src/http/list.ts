import type { FastifyRequest } from 'fastify'
import Type, { type TSchema, type TUnsafe } from 'typebox'
import type { Page, PageRequest } from '../db/page.ts'
import type { Cursors } from '../kernel/cursor.ts'
import { ApiError } from '../kernel/errors.ts'
import { count, textOrNull } from '../kernel/schema.ts'

/** What every list shares: the envelope, and cursors bound to client, list and filters. */

export function pageSchema(item: TSchema & { $id?: string }, name: string, description: string) {
  const items: TUnsafe<unknown> = Type.Unsafe({ $ref: `${item.$id}#` })
  return Type.Object(
    {
      items: Type.Array(items, { description: 'Страница списка.' }),
      total: count('Сколько всего подходит под фильтр, на всех страницах.'),
      next_cursor: textOrNull('Передайте в cursor следующего запроса; null на последней странице.'),
    },
    { $id: name, description },
  )
}

export interface ListEnvelope<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly next_cursor: string | null
}

export interface List {
  readonly request: PageRequest
  answer<Item>(page: Page<Item>): ListEnvelope<Item>
}

/**
 * A list as a client asked for it. Filters are compared by what they mean, not by how they were
 * written; the page size may change on the way. Throws bad_cursor.
 */
export function openList(
  cursors: Cursors,
  clientId: string,
  name: string,
  asked: { readonly limit: number; readonly cursor: string | undefined },
  filter: Readonly<Record<string, string | number | undefined>>,
): List {
  const scope = [clientId, name, JSON.stringify(filter)]
  const after = asked.cursor === undefined ? undefined : cursors.read(scope, asked.cursor)
  if (asked.cursor !== undefined && after === undefined) throw new ApiError('bad_cursor')
  return {
    request: { limit: asked.limit, after },
    answer: (page) => ({
      items: page.items,
      total: page.total,
      next_cursor: page.next === null ? null : cursors.issue(scope, page.next),
    }),
  }
}

/** The query string as it came, without its question mark. */
export function rawQuery(request: FastifyRequest): string {
  const mark = request.originalUrl.indexOf('?')
  return mark < 0 ? '' : request.originalUrl.slice(mark + 1)
}

/** An object that was looked up, or not_found where there is none. */
export function found<T>(object: T | undefined): T {
  if (object === undefined) throw new ApiError('not_found')
  return object
}
