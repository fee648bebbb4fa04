import type { FastifyInstance } from 'fastify'
import { badRequest, publicErrors, ServiceError } from '../../platform/kernel/errors.ts'

/**
 * Keeps errors of the routes of `app` within the codes of the specification. Verbs are shared with staff, whose API
 * has more codes. A conflict with the state is the fault of the caller's request; any other code of staff here is a
 * defect of ours.
 */
export function keepPublicCodes(app: FastifyInstance): void {
  app.setErrorHandler((error) => {
    throw withPublicCode(error)
  })
}

function withPublicCode(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code in publicErrors) return error
  if (error.code === 'conflict') return badRequest(error.message)
  return new Error(`the public API has no code ${error.code}`, { cause: error })
}
