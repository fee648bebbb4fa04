import type { FastifyInstance } from 'fastify'
import { notFound, type ServiceError } from '../kernel/errors.ts'

/**
 * Remembers the routes that `app` gets after this. The answer is for paths without a route: not_found
 * that names the methods of the path; undefined where the path has none.
 */
export function rememberMethods(
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
