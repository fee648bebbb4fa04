import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import {
  type ErrorCode,
  errorMessages,
  publicErrors,
  ServiceError,
} from '../../platform/kernel/errors.ts'
import { keepPublicCodes } from './operation.ts'

const codes = Object.keys(errorMessages) as ErrorCode[]

/** Every code, thrown by a route and by the handler of its errors, as an app around it gets it. */
async function codesThatLeave(path: string): Promise<(readonly [string, string])[]> {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.send({ code: error instanceof ServiceError ? error.code : 'internal' }),
  )
  await app.register(async (side) => {
    keepPublicCodes(side)
    const refuse = (code: string) => {
      throw new ServiceError(code as ErrorCode, 'Так нельзя')
    }
    side.get<{ Params: { code: string } }>('/route/:code', ({ params }) => refuse(params.code))
    const errorHandler = (error: unknown) => refuse((error as Error).message)
    side.get<{ Params: { code: string } }>('/handler/:code', { errorHandler }, ({ params }) => {
      throw new Error(params.code)
    })
  })
  const answers = codes.map(async (code) => {
    const answer = await app.inject(`/${path}/${code}`)
    return [code, answer.json<{ code: string }>().code] as const
  })
  const left = await Promise.all(answers)
  await app.close()
  return left
}

for (const path of ['route', 'handler']) {
  test(`no code outside of the specification leaves the public API: from a ${path}`, async () => {
    for (const [thrown, left] of await codesThatLeave(path)) {
      const outside = thrown === 'conflict' ? 'bad_request' : 'internal'
      assert.equal(left, thrown in publicErrors ? thrown : outside, thrown)
    }
  })
}
