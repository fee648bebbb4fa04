import type { FastifyRequest } from 'fastify'
import { publicErrors, rateLimited, ServiceError } from '../../platform/kernel/errors.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { documentedErrors } from './operation.ts'

/**
 * The request header `X-Sandbox-Error` names the error that a call in a sandbox answers instead of
 * doing anything, so that an integrator can test every branch of a client.
 */
export const requestedErrorHeader = 'X-Sandbox-Error'

export function asksForError(request: FastifyRequest): boolean {
  return request.headers[requestedErrorHeader.toLowerCase()] !== undefined
}

/**
 * The error to answer: the requested one if the operation documents it, otherwise bad_request. Undefined without the header,
 * for a live key, and for paths without an operation.
 */
export function requestedError(request: FastifyRequest, mode: Mode): ServiceError | undefined {
  const given = request.headers[requestedErrorHeader.toLowerCase()]
  if (given === undefined || mode !== 'test' || request.is404) return undefined
  const messages = documentedErrors(request.routeOptions.schema)
  const code = [...messages.keys()].find((each) => each === given)
  if (code === undefined) return refusal(String(given), [...messages.keys()])
  return code === 'rate_limited' ? rateLimited(1) : new ServiceError(code, messages.get(code))
}

function refusal(given: string, codes: readonly string[]): ServiceError {
  const problem = Object.hasOwn(publicErrors, given)
    ? 'этот вызов такой ошибки не возвращает'
    : 'такого кода ошибки нет'
  const message = `Заголовок ${requestedErrorHeader}: ${problem}, возможны ${codes.join(', ')}`
  return new ServiceError('bad_request', message)
}
