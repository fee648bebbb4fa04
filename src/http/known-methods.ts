import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, type ServiceError } from '../kernel/errors.ts'
import { missingRoute } from './server.ts'

/**
 * A hook that refuses paths without a route, and names the methods of a path that has others. It knows
 * the routes that `app` gets after this. It answers before the body is read, so that no caller waits for it.
 */
export function unknownRoutesRefusal(
  app: FastifyInstance,
): (request: FastifyRequest) => Promise<void> {
  const wrongMethod = rememberMethods(app)
  return async ({ is404, originalUrl, method }) => {
    if (!is404) return
    const path = originalUrl.replace(/\?.*$/s, '')
    const missing = missingRoute(originalUrl)
    throw missing.code === 'not_found' ? (wrongMethod(method, path) ?? missing) : missing
  }
}

/** The answer is undefined where the path has no route. */
function rememberMethods(
  app: FastifyInstance,
): (method: string, path: string) => ServiceError | undefined {
  const methodsByPattern = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set()
    for (const each of [method].flat()) if (each !== 'HEAD') methods.add(each)
    methodsByPattern.set(url, methods)
  })
  return (method, path) => {
    const [found] = [...methodsByPattern]
      .filter(([pattern, methods]) => methods.size > 0 && isPathOf(pattern, path))
      .sort(([one], [other]) => parametersIn(one) - parametersIn(other))
    if (found === undefined) return undefined
    const [pattern, methods] = found
    // The router also refuses a parameter that is too long or wrongly encoded.
    if (methods.has(method)) return undefined
    const shown = pattern.replace(/:(\w+)/g, '{$1}')
    return notFound(`Вызова ${method} ${shown} нет; есть ${[...methods].sort().join(', ')}`)
  }
}

function isPathOf(pattern: string, path: string): boolean {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return (
    parts.length === wanted.length &&
    wanted.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
  )
}

function parametersIn(pattern: string): number {
  return pattern.split('/:').length
}
