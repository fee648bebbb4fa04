import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { decodeBody } from '../body.ts'

/** Reads the body of a seller's request: null and empty texts in optional fields count as absent. */
export function sellersBody<S extends TSchema>(schema: S, request: FastifyRequest): Static<S> {
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
  return decodeBody(schema, request.bodyType, bytes, { emptyIsAbsent: true })
}
