import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Page, PageRequest } from '../../platform/db/lists/page.ts'
import type { Cursors } from '../../platform/kernel/cursor.ts'
import { errorMessages, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { count, named, textOrNull } from '../../platform/kernel/schema.ts'

/**
 * The parts that all lists share: the envelope, and cursors that hold for one client, list and
 * filter.
 */

export function pageSchema(item: TSchema & { $id?: string }, name: string, description: string) {
  return Type.Object(
    {
      items: Type.Array(named(item), { description: 'Страница списка.' }),
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
 * Reads the cursor of a list request and issues the next one. A cursor holds for the same client,
 * list, filter values and order; the page size may differ. Throws bad_cursor.
 */
export function openList(
  cursors: Cursors,
  clientId: string,
  name: string,
  {
    limit,
    cursor,
    sort,
  }: {
    readonly limit: number
    readonly cursor: string | undefined
    readonly sort?: string | undefined
  },
  filter: Readonly<Record<string, string | number | undefined>>,
): List {
  const scope = [clientId, name, JSON.stringify({ ...filter, sort })]
  const after = cursor === undefined ? undefined : cursors.read(scope, cursor)
  if (cursor === '') throw emptyPosition('cursor')
  if (cursor !== undefined && after === undefined) throw badCursor()
  return {
    request: { limit, after, sort },
    answer: ({ items, total, next }) => ({
      items,
      total,
      next_cursor: next === null ? null : cursors.issue(scope, next),
    }),
  }
}

/** The refusal of a parameter for a position that was given without a value. */
export function emptyPosition(name: 'cursor' | 'after'): ServiceError {
  const message = `Параметр ${name}: пустое значение: для начала списка параметр не передают`
  return new ServiceError('bad_cursor', message)
}

/** The refusal of a cursor that the service did not issue for this list and filter. */
export function badCursor(): ServiceError {
  return new ServiceError(
    'bad_cursor',
    `${errorMessages.bad_cursor}. От страницы к странице меняться может только limit: остальные ` +
      'параметры оставьте такими, как на первой. Подвижную границу, например created_to до текущего ' +
      'времени, вычислите один раз, перед первой страницей',
  )
}

/** The query string as sent, without the question mark. */
export function rawQuery(request: FastifyRequest): string {
  const mark = request.originalUrl.indexOf('?')
  return mark < 0 ? '' : request.originalUrl.slice(mark + 1)
}

/** Passes an object through. Throws not_found for undefined. */
export function found<T>(object: T | undefined, advice?: string): T {
  if (object !== undefined) return object
  throw advice === undefined ? notFound() : notFound(`${errorMessages.not_found}: ${advice}`)
}

/** The id of a path. Throws not_found for a text that can't be an id. */
export function knownId(text: string, advice?: string): string {
  return found(isId(text) ? text : undefined, advice)
}
