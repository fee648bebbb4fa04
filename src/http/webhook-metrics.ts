import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { subscriptionStates, type WebhookFigures } from '../webhooks/figures.ts'
import type { Attempt } from '../webhooks/send.ts'

/**
 * Prometheus metrics of webhooks. Attempts are those of this process. All other metrics are read
 * from the database, at most every `figuresMs`, and are the same in every process. While the
 * database does not answer they are absent rather than outdated.
 */
export interface WebhookMetrics {
  /** Called after every attempt. */
  onAttempt(attempt: Attempt): void
}

const figuresMs = 15_000
/** A scrape waits no longer for the database; a later answer serves the next scrape. */
const patienceMs = 2_500

export function observeWebhooks(
  registry: Registry,
  read: () => Promise<WebhookFigures>,
): WebhookMetrics {
  addFigures(registry, keepFor(figuresMs, read))
  const duration = new Histogram({
    name: 'sklad_webhook_attempt_duration_seconds',
    help: 'Attempts of this process by class of status; none: no answer',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const attempts = new Counter({
    name: 'sklad_webhook_attempts_total',
    help: 'Attempts of this process by class of status; none: no answer',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  for (const outcome of ['2xx', '3xx', '4xx', '5xx', 'none']) attempts.inc({ outcome }, 0)
  return {
    onAttempt({ statusCode, durationMs }) {
      const outcome = statusCode === 0 ? 'none' : `${Math.floor(statusCode / 100)}xx`
      attempts.inc({ outcome })
      duration.observe({ outcome }, durationMs / 1000)
    },
  }
}

type Figures = () => Promise<WebhookFigures | undefined>

function addFigures(registry: Registry, figures: Figures): void {
  gauge('sklad_webhooks_enabled', '0 while webhooks are switched off', [], (set, { enabled }) =>
    set({}, enabled ? 1 : 0),
  )
  gauge(
    'sklad_webhook_deliveries_pending',
    'Pending deliveries: due now, resting (due, but the queue is paused after failures), or later',
    ['state'],
    (set, { pending }) => {
      set({ state: 'due' }, pending.due)
      set({ state: 'resting' }, pending.paused)
      set({ state: 'later' }, pending.later)
    },
  )
  gauge(
    'sklad_webhook_oldest_due_seconds',
    'How long the oldest due delivery could have been sent already',
    [],
    (set, { oldestDueMs }) => set({}, oldestDueMs / 1000),
  )
  gauge(
    'sklad_webhook_subscriptions',
    'Subscriptions by mode of the client and state: healthy, failing or disabled',
    ['mode', 'state'],
    (set, { subscriptions }) => {
      for (const mode of ['live', 'test']) {
        for (const state of subscriptionStates) set({ mode, state }, 0)
      }
      for (const { count, ...labels } of subscriptions) set(labels, count)
    },
  )
  new Counter({
    name: 'sklad_events_written_total',
    help: 'Events written by all processes, by the statistics of the database',
    registers: [registry],
    async collect() {
      const known = await figures()
      this.reset()
      if (known === undefined) this.remove({})
      else this.inc(known.eventsWritten)
    },
  })

  function gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    show: (
      set: (labels: Record<string, string>, value: number) => void,
      figures: WebhookFigures,
    ) => void,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const known = await figures()
        this.reset()
        if (known === undefined) this.remove({})
        else show((labels, value) => this.set(labels, value), known)
      },
    })
  }
}

/** Caches for `keptMs`; reads never overlap. Undefined while the database does not answer. */
function keepFor(keptMs: number, read: () => Promise<WebhookFigures>): Figures {
  let known: WebhookFigures | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const refresh = async () => {
    known = await read().catch(() => undefined)
    readAt = performance.now()
    reading = undefined
  }
  return async () => {
    if (performance.now() - readAt < keptMs) return known
    reading ??= refresh()
    const late = new Promise<'late'>((resolve) =>
      setTimeout(resolve, patienceMs, 'late' as const).unref(),
    )
    return (await Promise.race([reading, late])) === 'late' ? undefined : known
  }
}
