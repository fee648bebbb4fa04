/** A `fetch` to hand to the client, whose next requests fail as the test says; afterwards all go through. */

/**
 * `refuse`: the request never leaves. `lose`: it is sent and answered, but the answer does not arrive. `hang`:
 * no answer until the caller gives up. Any other text: the service answers this code (X-Sandbox-Error).
 */
export type Fault = 'refuse' | 'lose' | 'hang' | 'pass' | (string & {})

export interface FlakyFetch {
  readonly fetch: typeof fetch
  /** What left or would have left, such as `POST /v1/receipts`. */
  readonly sent: string[]
  /** Faults of the next requests, in their order. */
  next(...faults: readonly Fault[]): void
  /** Runs after the answer of a lost request has been dropped. */
  afterLoss: (body: string) => Promise<void>
}

export function flakyFetch(): FlakyFetch {
  const faults: Fault[] = []
  const flaky: FlakyFetch = {
    sent: [],
    next: (...given) => faults.push(...given),
    afterLoss: async () => {},
    async fetch(input, init) {
      const fault = faults.shift() ?? 'pass'
      const url = new URL(String(input))
      flaky.sent.push(`${init?.method} ${url.pathname}${url.search}`)
      if (fault === 'refuse') throw new TypeError('fetch failed')
      if (fault === 'hang') return hang(init?.signal ?? undefined)
      if (fault === 'pass') return fetch(input, init)
      if (fault === 'lose') {
        await flaky.afterLoss(await (await fetch(input, init)).text())
        throw new TypeError('fetch failed')
      }
      const headers = new Headers(init?.headers)
      headers.set('X-Sandbox-Error', fault)
      return fetch(input, { ...init, headers })
    },
  }
  return flaky
}

function hang(signal: AbortSignal | undefined): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
