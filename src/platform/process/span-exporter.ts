import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Span, SpanSettings, Spans } from './spans.ts'
import { serviceVersion } from './version.ts'

/**
 * Sends spans by OTLP over HTTP, in JSON, in batches: each second, and at once where a batch is full. One batch is under way at a
 * time. What does not fit into the queue meanwhile is dropped and counted, and so is a batch that the collector does not take:
 * spans are worth no memory and no second try.
 */

const batchMax = 512
const queueMax = 4 * batchMax
const everyMs = 1_000
const timeoutMs = 10_000
const closingMsMax = 2_000

const kinds = { server: 2, client: 3 } as const
const failed = { code: 2 }

export function openExporter(
  settings: SpanSettings,
  resource: Readonly<Record<string, string>>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Spans {
  const { url, serviceName } = settings
  const headers = { ...settings.headers, 'Content-Type': 'application/json' }
  const about = attributesOf({
    'service.name': serviceName,
    'service.version': serviceVersion,
    ...resource,
  })
  let queue: object[] = []
  let exported = 0
  let dropped = 0
  let isAway = false
  let sending: Promise<void> | undefined
  const ending = new AbortController()
  const timer = setInterval(send, everyMs)
  timer.unref()

  function send(): void {
    if (queue.length > 0) sending ??= sendBatch().finally(next)
  }

  function next(): void {
    sending = undefined
    if (queue.length >= batchMax) send()
  }

  async function sendBatch(): Promise<void> {
    const spans = queue.slice(0, batchMax)
    queue = queue.slice(batchMax)
    try {
      await post(spans)
      exported += spans.length
      isAway = false
    } catch (error) {
      dropped += spans.length
      if (!isAway) log.warn({ err: error }, 'spans are not taken')
      isAway = true
    }
  }

  async function post(spans: readonly object[]): Promise<void> {
    const scopeSpans = [{ scope: { name: 'sklad', version: serviceVersion }, spans }]
    const body = JSON.stringify({
      resourceSpans: [{ resource: { attributes: about }, scopeSpans }],
    })
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ending.signal])
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
  }

  async function sendAll(): Promise<void> {
    while (sending !== undefined || queue.length > 0) {
      send()
      await sending
    }
  }

  return {
    record(span) {
      if (queue.length >= queueMax) {
        dropped += 1
        return
      }
      queue.push(encoded(span))
      if (queue.length === batchMax) send()
    },
    async close() {
      clearInterval(timer)
      const time = Promise.withResolvers<void>()
      const late = setTimeout(time.resolve, closingMsMax)
      await Promise.race([sendAll(), time.promise])
      clearTimeout(late)
      ending.abort()
    },
    get exported() {
      return exported
    },
    get dropped() {
      return dropped
    },
  }
}

function encoded({ name, kind, durationMs, attributes, hasFailed, parent }: Span): object {
  const endedAt = Date.now()
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanosOf(endedAt - durationMs),
    endTimeUnixNano: nanosOf(endedAt),
    attributes: attributesOf(attributes),
    ...(hasFailed ? { status: failed } : {}),
  }
}

/** Nanoseconds do not fit into a number. */
function nanosOf(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

function attributesOf(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    const typed = typeof value === 'number' ? { intValue: String(value) } : { stringValue: value }
    return [{ key, value: typed }]
  })
}
