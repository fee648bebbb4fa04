import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CabinetFigures } from '../../exchange/marketplaces/sync/figures.ts'
import type { WebhookFigures } from '../../exchange/webhooks/figures.ts'
import type { CallJournal } from '../../warehouse/journal/calls.ts'
import { asksForError } from '../route/requested-error.ts'
import { isProbe } from '../server/drain.ts'
import { observeCabinets } from './figure-metrics.ts'
import { observeWebhooks, type WebhookMetrics } from './webhook-metrics.ts'

/** Metrics for Prometheus, on a separate port for the operator. */
export interface MetricsServer {
  readonly port: number
  readonly webhooks: WebhookMetrics
  listen(host: string, port: number): Promise<void>
  close(): Promise<void>
}

export function openMetricsServer(observed: {
  readonly server: FastifyInstance
  readonly calls: CallJournal
  readonly webhookFigures: () => Promise<WebhookFigures>
  readonly cabinetFigures: () => Promise<CabinetFigures>
}): MetricsServer {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  observeRequests(registry, observed.server)
  new Gauge({
    name: 'sklad_call_journal_lost_total',
    help: 'Calls missing in the journal because the database was away too long',
    registers: [registry],
    collect() {
      this.set(observed.calls.lost)
    },
  })

  const webhooks = observeWebhooks(registry, observed.webhookFigures)
  observeCabinets(registry, observed.cabinetFigures)

  const http = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': registry.contentType })
    response.end(await registry.metrics())
  })
  return {
    webhooks,
    get port() {
      return (http.address() as AddressInfo).port
    },
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        http.once('error', reject)
        http.listen(port, host, resolve)
      }),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve()) // resolves even if it never listened
        http.closeAllConnections()
      }),
  }
}

function observeRequests(registry: Registry, server: FastifyInstance): void {
  const duration = new Histogram({
    name: 'sklad_http_request_duration_seconds',
    help: 'From the request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'sklad_http_failures_total',
    help: 'Answers with status 500 and above, without those that a sandbox asked for',
    labelNames: ['route'] as const,
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = String(reply.statusCode)
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    if (reply.statusCode >= 500 && !asksForError(request) && !isProbe(request))
      failures.inc({ route })
    done()
  })
}
