import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/kernel/errors.ts'
import { rawQuery } from './list.ts'
import { oneOf, query } from './query.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a page may ask here who has signed in, and gets 204 where nobody has: `whoQuery`. */
    mayBeNobody?: boolean
  }
}

/** For calls that say who has signed in. On a sign-in page nobody has, and a browser would write the refusal into its console. */
export const whoQuery = query({
  optional: oneOf(['true'], {
    description:
      'true — никто не вошёл: ответ 204 без тела вместо 401. Так спрашивает страница входа. Сверх спецификации.',
  }),
})

export const nobodyAnswer = { description: 'Никто не вошёл (только с `optional=true`).' }

/** Whether a refusal says only that nobody has signed in, to a page that asked just that. */
export function isNobody(request: FastifyRequest, error: unknown): boolean {
  const { authorization, 'x-staff-user': acting } = request.headers
  return (
    error instanceof ServiceError &&
    error.code === 'unauthorized' &&
    authorization === undefined &&
    acting === undefined &&
    request.routeOptions.config?.mayBeNobody === true &&
    whoQuery.parse(rawQuery(request)).optional === 'true'
  )
}
