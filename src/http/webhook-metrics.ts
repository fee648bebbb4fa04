import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { subscriptionStates, type WebhookFigures } from '../webhooks/figures.ts'
import type { Attempt } from '../webhooks/send.ts'

/**
 * Figures of webhooks for Prometheus. Attempts are those of this process; everything else is read from
 * the database, at most every `figuresMs`, and is the same in each process. While the database can't
 * tell, these figures are absent rather than old.
 */
export interface WebhookMetrics {
  /** To be told of every attempt that was made. */
  attempted(attempt: Attempt): void
}

const figuresMs = 15_000
/** A scrape waits no longer for the database; what comes later is there for the next one. */
const patienceMs = 2_500

export function observeWebhooks(
  registry: Registry,
  read: () => Promise<WebhookFigures>,
): WebhookMetrics {
  addFigures(registry, keepFor(figuresMs, read))
  const duration = new Histogram({
    name: 'sklad_webhook_attempt_duration_seconds',
    help: 'Attempts of this process: the class of the status, or none without an answer',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const attempts = new Counter({
    name: 'sklad_webhook_attempts_total',
    help: 'Attempts of this process: the class of the status, or none without an answer',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  for (const outcome of ['2xx', '3xx', '4xx', '5xx', 'none']) attempts.inc({ outcome }, 0)
  return {
    attempted({ statusCode, durationMs }) {
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
    'Deliveries that wait: due now, resting with a subscription that failed, or for later',
    ['state'],
    (set, { pending }) => {
      for (const [state, count] of Object.entries(pending)) set({ state }, count)
    },
  )
  gauge(
    'sklad_webhook_oldest_due_seconds',
    'For how long the oldest delivery that is due could have been tried',
    [],
    (set, { oldestDueMs }) => set({}, oldestDueMs / 1000),
  )
  gauge(
    'sklad_webhook_subscriptions',
    'Subscriptions by mode of their client: healthy, failing or disabled',
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
    help: 'Events written by all processes, as the statistics of the database have it',
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

/** Reads at most once in so much time, and never twice at once; undefined where it can't be read. */
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
