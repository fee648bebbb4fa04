import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify'
import { excerpt, notFound, type ServiceError } from '../../platform/kernel/errors.ts'
import { hasBadText } from '../../platform/kernel/json.ts'
import { likelyName } from '../route/look-alike.ts'
import { isDecodable, missingRoute } from './server.ts'

/**
 * A hook that refuses paths without a route, and names the methods of a path that has others, or a path that was
 * probably meant. It also refuses a path with a part that the database cannot store: nothing has such a name, and no
 * route need check for it. It knows the routes that `app` gets after this, and answers before the body is read.
 */
export function unknownRoutesRefusal(
  app: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply, done?: HookHandlerDoneFunction) => void {
  const refusalOf = rememberRoutes(app)
  return ({ is404, originalUrl, url, method, params }, _reply, done) => {
    // The router takes the nothing after a last slash for a parameter.
    if (!is404 && !hasSlashesTooMany(pathOf(url))) {
      if (Object.values(params as Readonly<Record<string, string>>).some(hasBadText))
        throw notFound()
      return done?.()
    }
    if (!isDecodable(originalUrl)) throw missingRoute(originalUrl)
    throw refusalOf(method, pathOf(url)) ?? missingRoute(originalUrl)
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
      .filter(([pattern]) => isPathOf(pattern, path))
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
  if (hasSlashesTooMany(path) && patterns.some((pattern) => isPathOf(pattern, tidy))) {
    return notFound(`Такого адреса нет из-за лишней косой черты, нужен ${excerpt(tidy, pathMax)}`)
  }
  const isLike = (part: string, wanted: string) => likelyName(part, [wanted]) !== undefined
  const meant = patterns.find((pattern) => isPathOf(pattern, tidy, isLike))
  if (meant === undefined) return undefined
  return notFound(`Такого адреса нет, возможно, вы имели в виду ${shown(meant)}`)
}

const pathMax = 200

function hasSlashesTooMany(path: string): boolean {
  return path.endsWith('/') || path.includes('//')
}

function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '')
}

function shown(pattern: string): string {
  return pattern.replace(/:(\w+)/g, '{$1}')
}

function isPathOf(
  pattern: string,
  path: string,
  isPart: (part: string, wanted: string) => boolean = () => false,
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
