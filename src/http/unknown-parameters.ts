import type { FastifyReply, FastifyRequest } from 'fastify'
import { badRequest } from '../kernel/errors.ts'
import { rawQuery } from './list.ts'
import { namesIn, type QuerySchema } from './query.ts'

/**
 * Query parameters that a route does not know. A list that ignores a filter with a typing error in its
 * name returns the wrong rows, so a name that is close to a known one is refused. Any other unknown
 * name is ignored and named in the answer's header X-Unknown-Parameters: clients that send more than
 * the API reads keep working.
 */

/** Names in the header at most, and code units of each. */
const namesMax = 10
const nameLengthMax = 40

/** For `onRequest` hooks of a route's scope. Throws bad_request for a likely mistake. */
export async function reportUnknownParameters(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const raw = rawQuery(request)
  if (raw === '') return
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

function refuseMistake(name: string, known: readonly string[]): void {
  if (known.includes('cursor') && (name === 'offset' || name === 'page')) {
    throw badRequest(
      `Параметра ${name} нет: передайте cursor со значением next_cursor предыдущей страницы`,
    )
  }
  const meant = known.find((other) => isSlip(name, other))
  if (meant !== undefined) {
    throw badRequest(`Параметра ${name} нет, возможно, вы имели в виду ${meant}`)
  }
}

/** Shorter names are close to too many others. */
const slipLengthMin = 6

/** Whether one edit, or one exchange of two neighbours, turns a name of six letters or more into the other. */
export function isSlip(name: string, other: string): boolean {
  if (name.length < slipLengthMin || Math.abs(name.length - other.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === other[start]) start++
  const [rest, otherRest] = [name.slice(start), other.slice(start)]
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  )
}
