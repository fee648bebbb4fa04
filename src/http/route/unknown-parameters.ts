import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { badRequest, excerpt } from '../../platform/kernel/errors.ts'
import { rawQuery } from './list.ts'
import { likelyName } from './look-alike.ts'
import { namesIn, type QuerySchema } from './query.ts'

/**
 * Query parameters that a route does not know. A list that ignores a filter with a typing error in its
 * name returns the wrong rows, so a name that looks like a known one is refused. Any other unknown
 * name is ignored and named in the answer's header X-Unknown-Parameters: clients that send more than
 * the API reads keep working.
 */

/** Names in the header at most, and code units of each. */
const namesMax = 10
const nameLengthMax = 40

/** For `onRequest` hooks of a route's scope. Throws bad_request for a likely mistake. */
export function reportUnknownParameters(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const raw = rawQuery(request)
  if (raw !== '') report(raw, request, reply)
  done()
}

function report(raw: string, request: FastifyRequest, reply: FastifyReply): void {
  const schema = request.routeOptions.schema?.querystring as QuerySchema | undefined
  const known = Object.keys(schema?.properties ?? {})
  const unknown = [...new Set(namesIn(raw))].filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  for (const name of unknown) refuseMistake(name, known)
  reply.header('X-Unknown-Parameters', unknown.slice(0, namesMax).map(encoded).join(', '))
}

/** Percent-encoded, so that a header can carry any name, and a comma only separates. */
function encoded(name: string): string {
  return encodeURIComponent(name.slice(0, nameLengthMax).toWellFormed())
}

/** Names that other APIs have for the next page, and what to use here. */
const pages = [
  { names: ['offset', 'page'], meant: 'cursor', advice: 'next_cursor предыдущей страницы' },
  { names: ['offset', 'page', 'cursor'], meant: 'after', advice: 'next_after прошлого ответа' },
]

function refuseMistake(name: string, known: readonly string[]): void {
  const page = pages.find(({ names, meant }) => names.includes(name) && known.includes(meant))
  if (page !== undefined) {
    throw badRequest(`Параметра ${name} нет: передайте ${page.meant} со значением ${page.advice}`)
  }
  const meant = likelyName(name, known)
  if (meant !== undefined) {
    throw badRequest(`Параметра ${excerpt(name)} нет, возможно, вы имели в виду ${meant}`)
  }
}
