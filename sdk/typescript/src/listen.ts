import type { Sklad } from './client.ts'
import { deliveryHeaders } from './delivery.ts'
import { SkladError } from './errors.ts'
import type { FeedEvent } from './events.ts'
import { growingPauseMs, linked, type Timing } from './time.ts'

/** What a receiver on the integrator's machine gets: the events of the feed, sent like webhooks. */
export interface ListenOptions {
  readonly sklad: Sklad
  /** Where each event goes, for example `http://localhost:3000/hook`. */
  readonly forwardTo: string
  readonly secret: string
  /** Undefined: the oldest event that is kept. */
  readonly after: string | undefined
  readonly types?: string | undefined
  /** Ends the listening. */
  readonly signal: AbortSignal
  /** Gets one line for each attempt. */
  readonly print: (line: string) => void
  readonly timing: Timing
}

const attemptsMax = 8
const attemptTimeoutMs = 10_000
/** The service waits minutes and hours; a developer waits seconds. */
const pauses = { baseMs: 1_000, maxMs: 30_000 }

/** Sends each event until it is received or eight attempts have failed. Resolves after the signal. */
export async function listen(options: ListenOptions): Promise<void> {
  const { sklad, after, types, signal } = options
  try {
    for await (const event of sklad.events.stream({ after, types, signal })) {
      await deliver(options, event)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function deliver(options: ListenOptions, event: FeedEvent): Promise<void> {
  const { signal, timing, print } = options
  const { position: _, ...sent } = event
  const delivery = crypto.randomUUID()
  for (let attempt = 1; ; attempt++) {
    const startedMs = timing.elapsedMs()
    const number = attempt === 1 ? delivery : `${delivery}.${attempt}`
    const outcome = await send(options, sent, number)
    const tookMs = Math.round(timing.elapsedMs() - startedMs)
    print(`${event.type} ${event.id} ${outcome.shown} ${tookMs} ms`)
    if (outcome.received) return
    if (attempt === attemptsMax) {
      print(
        `${event.type} ${event.id}: given up after ${attemptsMax} attempts, the next event follows`,
      )
      return
    }
    await timing.wait(
      growingPauseMs(attempt - 1, pauses, () => 1),
      signal,
    )
  }
}

interface Outcome {
  readonly received: boolean
  /** The status, or what came instead of one. */
  readonly shown: string
}

async function send(
  { forwardTo, secret, signal }: ListenOptions,
  event: Omit<FeedEvent, 'position'>,
  delivery: string,
): Promise<Outcome> {
  const body = new TextEncoder().encode(JSON.stringify(event))
  const timestamp = Math.floor(Date.now() / 1000).toFixed(0)
  const bounded = linked([signal])
  const timer = setTimeout(() => bounded.abort(new SkladError('timeout', '')), attemptTimeoutMs)
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      redirect: 'manual',
      signal: bounded.signal,
      headers: await deliveryHeaders({ event, delivery, secret, timestamp, body }),
      body,
    })
    await response.body?.cancel()
    return { received: response.ok, shown: String(response.status) }
  } catch (error) {
    signal.throwIfAborted()
    return { received: false, shown: error instanceof SkladError ? 'timeout' : 'no answer' }
  } finally {
    clearTimeout(timer)
    bounded.release()
  }
}
