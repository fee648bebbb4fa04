import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CallAttempt } from '../../exchange/marketplaces/calls/calls.ts'
import type { PoolUse } from '../../platform/db/connections/pool.ts'
import type { Spans } from '../../platform/process/spans.ts'
import { type Marketplace, marketplaces } from '../../warehouse/clients/marketplace.ts'

/** Which program a process runs, and as what. */
export interface Build {
  readonly version: string
  readonly role: string
}

export function observeBuild(registry: Registry, { version, role }: Build): void {
  new Gauge({
    name: 'sklad_build_info',
    help: '1, with the version of the service, its role and Node’s version',
    labelNames: ['version', 'role', 'node'] as const,
    registers: [registry],
  }).set({ version, role, node: process.versions.node }, 1)
}

type Pools = ReadonlyMap<string, () => PoolUse>

/** Connections of this process by pool. */
export function observePools(registry: Registry, pools: Pools): void {
  const show = (name: string, help: string, value: (use: PoolUse) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'] as const,
      registers: [registry],
      collect() {
        for (const [pool, use] of pools) this.set({ pool }, value(use()))
      },
    })
  show('sklad_database_connections_max', 'Connections that a pool may open', ({ max }) => max)
  show('sklad_database_connections_used', 'Connections at work', ({ used }) => used)
  show('sklad_database_waiting', 'Statements that wait for a connection', ({ waiting }) => waiting)
}

/** Spans for the collector, where one is set. */
export function observeSpans(registry: Registry, spans: Pick<Spans, 'exported' | 'dropped'>): void {
  const show = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  show('sklad_spans_exported_total', 'Spans that the collector took', () => spans.exported)
  show(
    'sklad_spans_dropped_total',
    'Spans that were lost: no collector, or a slow one',
    () => spans.dropped,
  )
}

/** Gets each request to a marketplace. */
export type ObserveCall = (marketplace: Marketplace, attempt: CallAttempt) => void

/** Requests of this process to marketplaces; status none: no answer. */
export function observeMarketplaceCalls(registry: Registry): ObserveCall {
  const calls = new Counter({
    name: 'sklad_marketplace_calls_total',
    help: 'Requests of this process to marketplaces by status; none: no answer',
    labelNames: ['marketplace', 'status'] as const,
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'sklad_marketplace_call_duration_seconds',
    help: 'From the request to the end of its answer, or to its failure',
    labelNames: ['marketplace'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  })
  for (const marketplace of marketplaces) {
    for (const status of ['200', '429', '500', '503', 'none']) calls.inc({ marketplace, status }, 0)
  }
  return (marketplace, { status, durationMs }) => {
    calls.inc({ marketplace, status: String(status ?? 'none') })
    duration.observe({ marketplace }, durationMs / 1000)
  }
}
