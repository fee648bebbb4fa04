/** The part of autocannon that is used here; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: Request) => Request
  }

  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Milliseconds between looks at whether the time is over. */
    sampleInt?: number
    headers?: Record<string, string>
    requests: Request[]
  }

  interface Result {
    errors: number
    timeouts: number
    resets: number
  }

  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter
}
