import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify'
import { notFound, type ServiceError } from '../kernel/errors.ts'
import { hasBadText } from '../kernel/json.ts'
import { likelyName } from './look-alike.ts'
import { missingRoute } from './server.ts'

/**
 * A hook that refuses paths without a route, and names the methods of a path that has others, or a path
 * that was probably meant. Nothing has a name that the database cannot store, so a path with such a part leads to nothing,
 * too, and no route checks for it. It knows the routes that `app` gets after this. It answers before the body is read, so that no caller waits for it.
 */
export function unknownRoutesRefusal(
  app: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply, done?: HookHandlerDoneFunction) => void {
  const refusalOf = rememberRoutes(app)
  return ({ is404, originalUrl, method, params }, _reply, done) => {
    if (!is404) {
      if (Object.values(params as Readonly<Record<string, string>>).some(hasBadText))
        throw notFound()
      return done?.()
    }
    const path = originalUrl.replace(/\?.*$/s, '')
    const missing = missingRoute(originalUrl)
    throw missing.code === 'not_found' ? (refusalOf(method, path) ?? missing) : missing
  }
}

/** The refusal is undefined where no route is near the path. */
function rememberRoutes(
  app: FastifyInstance,
): (method: string, path: string) => ServiceError | undefined {
  const methodsByPattern = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set()
    for (const each of [method].flat()) if (each !== 'HEAD') methods.add(each)
    if (methods.size > 0) methodsByPattern.set(url, methods)
  })
  return (method, path) => {
    const [found] = [...methodsByPattern]
      .filter(([pattern]) => isPathOf(pattern, path, (part, wanted) => part === wanted))
      .sort(([one], [other]) => parametersIn(one) - parametersIn(other))
    if (found === undefined) return similarRoute([...methodsByPattern.keys()], path)
    const [pattern, methods] = found
    // The router also refuses a parameter that is too long or wrongly encoded.
    if (methods.has(method)) return undefined
    return notFound(
      `Вызова ${method} ${shown(pattern)} нет; есть ${[...methods].sort().join(', ')}`,
    )
  }
}

/** Slashes too many, another case, a typing error. */
function similarRoute(patterns: readonly string[], path: string): ServiceError | undefined {
  const tidy = `/${path.split('/').filter(Boolean).join('/')}`
  const isLike = (part: string, wanted: string) => likelyName(part, [wanted]) !== undefined
  const meant = patterns.find((pattern) => isPathOf(pattern, tidy, isLike))
  if (meant === undefined) return undefined
  return notFound(`Такого адреса нет, возможно, вы имели в виду ${shown(meant)}`)
}

function shown(pattern: string): string {
  return pattern.replace(/:(\w+)/g, '{$1}')
}

function isPathOf(
  pattern: string,
  path: string,
  isPart: (part: string, wanted: string) => boolean,
): boolean {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return (
    parts.length === wanted.length &&
    wanted.every((each, at) => {
      const part = parts[at] ?? ''
      return each.startsWith(':') ? part !== '' : part === each || isPart(part, each)
    })
  )
}

function parametersIn(pattern: string): number {
  return pattern.split('/:').length
}
