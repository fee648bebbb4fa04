import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { invalidFields } from '../../platform/kernel/errors.ts'
import { bytesOf, decodeBody, readBody } from '../route/body.ts'

const reading = { emptyIsAbsent: true }

/** Reads the body of a seller's request: null and empty texts in optional fields count as absent. */
export function sellersBody<S extends TSchema>(schema: S, request: FastifyRequest): Static<S> {
  return decodeBody(schema, request.bodyType, bytesOf(request), reading)
}

/**
 * Like `sellersBody`, with a rule that the schema can't hold for its first field, a text. `problemOf` says what is
 * wrong with it, and one refusal names it with all other wrong fields.
 */
export async function sellersBodyJudged<S extends TObject>(
  schema: S,
  request: FastifyRequest,
  problemOf: (text: string) => Promise<string | undefined>,
): Promise<Static<S>> {
  const { value, breaches } = readBody(schema, request.bodyType, bytesOf(request), reading)
  const [path = ''] = Object.keys(schema.properties)
  const text = (value as Record<string, unknown>)[path]
  const isJudged = typeof text === 'string' && !breaches.some((breach) => breach.path === path)
  const rule = isJudged ? await problemOf(text) : undefined
  const all = rule === undefined ? breaches : [{ path, rule }, ...breaches]
  if (all.length > 0) throw invalidFields(all)
  return value as Static<S>
}
