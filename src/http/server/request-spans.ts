import type { FastifyInstance } from 'fastify'
import { traceParentOf } from '../../platform/kernel/trace.ts'
import type { Spans } from '../../platform/process/spans.ts'
import { isProbe } from './drain.ts'

/** A span for each request, inside the caller's trace where its `traceparent` names one; a caller that does not record gets none. */
export function recordRequests(server: FastifyInstance, spans: Spans): void {
  server.addHook('onResponse', (request, reply, done) => {
    const parent = traceParentOf(request.headers.traceparent)
    if (parent?.isSampled !== false && !isProbe(request)) {
      const { method, routeOptions, id } = request
      const route = routeOptions.url
      const { statusCode } = reply
      spans.record({
        name: route === undefined ? method : `${method} ${route}`,
        kind: 'server',
        durationMs: reply.elapsedTime,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': statusCode,
          'error.type': request.refusedWith,
          'sklad.request_id': id,
        },
        hasFailed: statusCode >= 500,
        parent,
      })
    }
    done()
  })
}
