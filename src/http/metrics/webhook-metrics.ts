import { Counter, Histogram, type Registry } from 'prom-client'
import { subscriptionStates, type WebhookFigures } from '../../exchange/webhooks/figures.ts'
import type { Attempt } from '../../exchange/webhooks/send.ts'
import { addFigureGauge, keepFigures, type ReadFigures } from './figure-metrics.ts'

/**
 * Prometheus metrics of webhooks. Attempts are those of this process; all others are figures of the database.
 */
export interface WebhookMetrics {
  /** Called after every attempt. */
  onAttempt(attempt: Attempt): void
}

export function observeWebhooks(
  registry: Registry,
  read: () => Promise<WebhookFigures>,
): WebhookMetrics {
  addFigures(registry, keepFigures(read))
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

function addFigures(registry: Registry, figures: ReadFigures<WebhookFigures>): void {
  addFigureGauge(registry, figures, {
    name: 'sklad_webhooks_enabled',
    help: '0 while webhooks are switched off',
    show: (set, { enabled }) => set({}, enabled ? 1 : 0),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_webhook_deliveries_pending',
    help: 'Pending deliveries: due now, resting (due, but the queue is paused after failures), or later',
    labels: ['state'],
    show: (set, { pending }) => {
      set({ state: 'due' }, pending.due)
      set({ state: 'resting' }, pending.paused)
      set({ state: 'later' }, pending.later)
    },
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_webhook_oldest_due_seconds',
    help: 'How long the oldest due delivery could have been sent already',
    show: (set, { oldestDueMs }) => set({}, oldestDueMs / 1000),
  })
  addFigureGauge(registry, figures, {
    name: 'sklad_webhook_subscriptions',
    help: 'Subscriptions by mode of the client and state: healthy, failing or disabled',
    labels: ['mode', 'state'],
    show: (set, { subscriptions }) => {
      for (const mode of ['live', 'test']) {
        for (const state of subscriptionStates) set({ mode, state }, 0)
      }
      for (const { count, ...labels } of subscriptions) set(labels, count)
    },
  })
  new Counter({
    name: 'sklad_events_written_total',
    help: 'Events written by all processes since the database exists',
    registers: [registry],
    async collect() {
      const known = await figures()
      this.reset()
      if (known === undefined) this.remove({})
      else this.inc(known.eventsWritten)
    },
  })
}
