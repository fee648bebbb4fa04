import type { FastifyInstance } from 'fastify'
import {
  badRequest,
  type PublicErrorCode,
  publicErrors,
  ServiceError,
} from '../../platform/kernel/errors.ts'
import { noKey } from '../route/gate.ts'
import { describer } from '../route/operation.ts'
import { examples } from './examples.ts'

type Tag =
  | 'Ключ'
  | 'Остатки'
  | 'Заказы'
  | 'Приёмки'
  | 'Отгрузки'
  | 'Возвраты'
  | 'Показатели'
  | 'Деньги'
  | 'Вебхуки'
  | 'События'
  | 'Песочница'

/** Makes the schema of a route of the sellers' API. */
export const publicOperation = describer<Tag, PublicErrorCode>({
  errors: ['unauthorized', 'key_revoked', 'rate_limited', 'internal'],
  openErrors: ['rate_limited', 'internal'],
  security: [{ bearer: [] }, { apiKey: [] }],
  headers: {
    'X-RateLimit-Limit': { type: 'integer', description: 'Запросов подряд из полного запаса.' },
    'X-RateLimit-Remaining': { type: 'integer', description: 'Сколько из них осталось.' },
    'X-RateLimit-Reset': {
      type: 'integer',
      description: 'Когда запас снова будет полон: секунды с 1970 года.',
    },
    RateLimit: {
      type: 'string',
      description:
        'Запас по черновику IETF: r — сколько запросов осталось, t — через сколько секунд запас полон. ' +
        'Сверх спецификации 1.1.',
    },
    'RateLimit-Policy': {
      type: 'string',
      description:
        'Пределы по черновику IETF: burst — запросов подряд, average — в среднем; q — сколько, ' +
        'w — за сколько секунд. Сверх спецификации 1.1.',
    },
  },
  queryHeaders: {
    'X-Unknown-Parameters': {
      type: 'string',
      description:
        'Имена параметров запроса, которых сервис не знает и не учёл. Если таких нет, нет и ' +
        'заголовка. Сверх спецификации 1.1.',
    },
  },
  messages: { unauthorized: noKey },
  example: (id, status) => examples[id]?.answers[status],
})

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
