import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Outcome } from '../load.ts'

/**
 * Plays workers with handhelds, in a process of its own. Each worker sends its next request when the previous one is
 * answered. The process runs one job at a time over IPC.
 */

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** JSON. `{ref}` becomes 12 unique letters and digits. */
  readonly body: string
  /** Beside those of the job. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface CallJob {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly calls: readonly Call[]
  readonly workers: number
  /** Repeat the calls for this time. Undefined: send each call once. */
  readonly seconds?: number | undefined
  /** A worker begins its next call no earlier than this after its last one. Undefined: at once. */
  readonly everyMs?: number
}

export type CallOutcome = Pick<Outcome, 'requests' | 'requestsPerSecond' | 'statuses'> & {
  /** Sorted. */
  readonly durationsMs: readonly number[]
  /** Body of the last answer without a 2xx status. */
  readonly refusal: string | undefined
}

// Six characters of the clock and six of a counter: references of two runs differ.
let references = Date.now() % 36 ** 6
const run = (Date.now() % 36 ** 6).toString(36).padStart(6, '0')

function newReference(): string {
  references = (references + 1) % 36 ** 6
  return run + references.toString(36).padStart(6, '0')
}

async function perform(job: CallJob): Promise<CallOutcome> {
  const agent = new Agent({ connections: job.workers, pipelining: 1 })
  const durationsMs: number[] = []
  const statuses: Record<string, number> = {}
  let refusal: string | undefined
  let next = 0
  const started = performance.now()
  const until = job.seconds === undefined ? undefined : started + job.seconds * 1000
  const isOver = () => (until === undefined ? next >= job.calls.length : performance.now() >= until)
  await Promise.all(
    Array.from({ length: job.workers }, async () => {
      while (!isOver()) {
        const call = job.calls[next % job.calls.length] as Call
        next += 1
        const sent = performance.now()
        const answer = await agent.request({
          origin: job.url,
          path: call.path,
          method: call.method ?? 'POST',
          headers: { ...job.headers, ...call.headers, 'content-type': 'application/json' },
          body: call.method === 'GET' ? null : call.body.replaceAll('{ref}', newReference()),
        })
        const text = await answer.body.text()
        durationsMs.push(performance.now() - sent)
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1
        if (answer.statusCode >= 300) refusal = text
        if (job.everyMs !== undefined)
          await sleep(Math.max(0, sent + job.everyMs - performance.now()))
      }
    }),
  )
  const elapsedMs = performance.now() - started
  await agent.close()
  return {
    requests: durationsMs.length,
    requestsPerSecond: durationsMs.length / (elapsedMs / 1000),
    durationsMs: durationsMs.toSorted((a, b) => a - b),
    statuses,
    refusal,
  }
}

process.on('message', async (job: CallJob) => {
  process.send?.(await perform(job))
})
