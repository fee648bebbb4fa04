import { setTimeout as sleep } from 'node:timers/promises'

const callersMax = 4
/** Between two calls of a caller: without it calls take the processor from the starts that they wait for. */
const restMs = 3

interface Made {
  readonly count: number
  readonly failures: readonly string[]
  /** Receipts whose announcement was acknowledged, by id. */
  readonly receipts: readonly string[]
}

export interface Calls {
  stop(): Promise<Made>
}

interface Asked {
  /** What is read in turn. */
  readonly reads?: readonly string[]
  readonly announces?: boolean
  /** A call that is to come later comes once more, and then it must be answered. */
  readonly comesAgain?: boolean
}

const retryAfterMs = ({ headers }: Response) => Number(headers.get('Retry-After')) * 1000

/** Callers that read and announce receipts, one call after the other each, with connections that are kept, until the stop. */
export function callThrough(
  address: string,
  key: string,
  { reads = ['/v1/stock?limit=1'], announces = true, comesAgain = false }: Asked = {},
): Calls {
  let stopping = false
  let count = 0
  const failures: string[] = []
  const receipts: string[] = []
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  async function call(name: string, number: number): Promise<void> {
    const body = JSON.stringify({
      external_ref: `${name}-${number}`,
      items: [{ barcode: '2000000010014', name: 'Плед', qty: 1, honest_mark: false }],
    })
    const isAnnouncement = announces && number % 5 === 0
    const path = isAnnouncement ? '/v1/receipts' : reads[number % reads.length]
    const announcement = isAnnouncement ? { method: 'POST', body } : {}
    const send = () => fetch(`${address}${path}`, { ...announcement, headers })
    count += 1
    try {
      let answer = await send()
      if (comesAgain && answer.status === 429 && answer.headers.has('Retry-After')) {
        await sleep(retryAfterMs(answer))
        answer = await send()
      }
      const text = await answer.text()
      if (answer.status > 201) failures.push(`${path}: ${answer.status} ${text}`)
      else if (isAnnouncement) receipts.push((JSON.parse(text) as { id: string }).id)
    } catch (error) {
      failures.push(`${path}: ${(error as Error).cause ?? error}`)
    }
  }
  const callers = Array.from({ length: callersMax }, async (_, at) => {
    for (let number = 0; !stopping; number++) {
      await call(`${address} ${at}`, number)
      await sleep(restMs)
    }
  })
  return {
    async stop() {
      stopping = true
      await Promise.all(callers)
      return { count, failures, receipts }
    },
  }
}
