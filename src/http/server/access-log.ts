import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isProbe } from './drain.ts'

/**
 * A line for each refused call that no journal of calls has, such as a failed sign-in or an unknown page; with `all` for every
 * call but those of probes.
 */
export function logAnswers(app: FastifyInstance, all: boolean): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const isRefusal = status >= 400 && status < 500 && !isJournalled(request)
    if ((all || isRefusal) && !isProbe(request)) {
      const { method, refusedWith: code } = request
      const [path] = request.originalUrl.split('?', 1)
      const call = { method, path, status, code, duration_ms: Math.round(elapsedTime) }
      request.log.info({ ...call, ip: addressOf(request) }, isRefusal ? 'refused' : 'answered')
    }
    done()
  })
}

function isJournalled({ originalUrl }: FastifyRequest): boolean {
  return /^\/v1(?:[/?]|$)/.test(originalUrl)
}

/** A closed connection has no address any more. */
function addressOf({ ip }: { readonly ip: string | undefined }): string {
  return ip ?? 'unknown'
}
