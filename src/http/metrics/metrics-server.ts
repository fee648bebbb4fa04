import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { CabinetFigures } from '../../exchange/marketplaces/sync/figures.ts'
import type { WebhookFigures } from '../../exchange/webhooks/figures.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { PoolUse } from '../../platform/db/connections/pool.ts'
import type { Spans } from '../../platform/process/spans.ts'
import type { CallJournal } from '../../warehouse/journal/calls.ts'
import { asksForError } from '../route/requested-error.ts'
import { isProbe } from '../server/drain.ts'
import { type HouseFigures, observeCabinets, observeHouse } from './figure-metrics.ts'
import {
  type Build,
  type ObserveCall,
  observeBuild,
  observeMarketplaceCalls,
  observePools,
  observeSpans,
} from './process-metrics.ts'
import { observeWebhooks, type WebhookMetrics } from './webhook-metrics.ts'

/** Metrics for Prometheus, on a separate port for the operator. */
export interface MetricsServer {
  readonly port: number
  readonly webhooks: WebhookMetrics
  readonly onMarketplaceCall: ObserveCall
  observeSpans(spans: Pick<Spans, 'exported' | 'dropped'>): void
  observePool(name: string, db: Pick<Database, 'use'>): void
  listen(host: string, port: number): Promise<void>
  close(): Promise<void>
}

const scrapeMsMax = 60_000

export function openMetricsServer(observed: {
  readonly server: FastifyInstance
  readonly calls: CallJournal
  readonly webhookFigures: () => Promise<WebhookFigures>
  readonly cabinetFigures: () => Promise<CabinetFigures>
  readonly houseFigures: () => Promise<HouseFigures>
  readonly build: Build
}): MetricsServer {
  const registry = new Registry()
  const pools = new Map<string, () => PoolUse>()
  collectDefaultMetrics({ register: registry })
  observeRequests(registry, observed.server)
  observeBuild(registry, observed.build)
  observePools(registry, pools)
  new Counter({
    name: 'sklad_call_journal_lost_total',
    help: 'Calls missing in the journal because the database was away too long',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(observed.calls.lost)
    },
  })

  const webhooks = observeWebhooks(registry, observed.webhookFigures)
  observeCabinets(registry, observed.cabinetFigures)
  observeHouse(registry, observed.houseFigures)

  // A request must be whole, and an answer read, in the time of a scrape.
  const http = createServer({ requestTimeout: scrapeMsMax }, async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': registry.contentType })
    response.end(await registry.metrics())
  }).setTimeout(scrapeMsMax)
  return {
    webhooks,
    onMarketplaceCall: observeMarketplaceCalls(registry),
    observeSpans: (spans) => observeSpans(registry, spans),
    observePool: (name, { use }) => void pools.set(name, use),
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
    help: 'Answers with status 500 and above, without probes and those that a sandbox asked for',
    registers: [registry],
  })
  // Without labels, so that both are there with 0 before the first request: a rate sees what comes right after a start.
  const requests = new Counter({
    name: 'sklad_http_requests_total',
    help: 'Answers, without those of probes',
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = String(reply.statusCode)
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    if (!isProbe(request)) {
      requests.inc()
      if (reply.statusCode >= 500 && !asksForError(request)) failures.inc()
    }
    done()
  })
}
