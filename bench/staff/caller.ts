import { Agent } from 'undici'
import type { Outcome } from '../load.ts'

/**
 * Workers with handhelds, a process of its own: each sends its next call when the last one is
 * answered. Takes one job at a time over IPC.
 */

export interface Call {
  readonly method?: 'POST' | 'PATCH'
  readonly path: string
  /** JSON; `{ref}` in it becomes 12 letters and digits that never come twice. */
  readonly body: string
}

export interface CallJob {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly calls: readonly Call[]
  readonly workers: number
  /** Goes through the calls again and again for so long; undefined: each is sent once. */
  readonly seconds?: number | undefined
}

export type CallOutcome = Pick<Outcome, 'requests' | 'requestsPerSecond' | 'statuses'> & {
  /** Sorted. */
  readonly durationsMs: readonly number[]
  /** Of the last answer that was no 2xx. */
  readonly refusal: string | undefined
}

// Six from the clock and six that count: calls of two runs within a millisecond differ.
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
          headers: { ...job.headers, 'content-type': 'application/json' },
          body: call.body.replaceAll('{ref}', newReference()),
        })
        const text = await answer.body.text()
        durationsMs.push(performance.now() - sent)
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1
        if (answer.statusCode >= 300) refusal = text
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
