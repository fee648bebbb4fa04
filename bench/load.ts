import autocannon from 'autocannon'
import { quantile } from './measure.ts'

/**
 * The load generator, a process of its own. It runs one job at a time over IPC and answers with the outcome. It keeps
 * every duration, because autocannon's histogram has a resolution of whole milliseconds.
 */

export interface Job {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Paths that every connection requests in turn. */
  readonly paths: readonly string[]
  /** The body of a POST. `{ref}` becomes a unique text. */
  readonly body?: string | undefined
  readonly connections: number
  readonly seconds: number
}

export interface Outcome {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly bytesPerAnswer: number
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: number
}

let references = 0
const run = process.pid.toString(36) + Date.now().toString(36)

function requestsOf(job: Job) {
  const { body } = job
  if (body === undefined) return job.paths.map((path) => ({ method: 'GET', path }))
  return job.paths.map((path) => ({
    method: 'POST',
    path,
    setupRequest: (request: object) => {
      references += 1
      return { ...request, body: body.replace('{ref}', `bench-${run}-${references}`) }
    },
  }))
}

function perform(job: Job): Promise<Outcome> {
  const durations: number[] = []
  const statuses: Record<string, number> = {}
  let bytes = 0
  const started = performance.now()
  let ended = started
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url: job.url,
        connections: job.connections,
        duration: job.seconds,
        sampleInt: 20,
        headers: { ...job.headers },
        requests: requestsOf(job),
      },
      (error, { errors, timeouts, resets }) => {
        if (error !== null) {
          reject(error)
          return
        }
        durations.sort((a, b) => a - b)
        resolve({
          requests: durations.length,
          requestsPerSecond: durations.length / ((ended - started) / 1000),
          p50Ms: quantile(durations, 0.5),
          p99Ms: quantile(durations, 0.99),
          bytesPerAnswer: Math.round(bytes / durations.length),
          statuses,
          errors: errors + timeouts + resets,
        })
      },
    )
    instance.on('response', (_client: unknown, status: number, size: number, ms: number) => {
      durations.push(ms)
      statuses[status] = (statuses[status] ?? 0) + 1
      bytes += size
      ended = performance.now()
    })
  })
}

process.on('message', async (job: Job) => {
  process.send?.(await perform(job))
})
