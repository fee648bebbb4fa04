import { Client } from 'undici'

/**
 * The upper bound, as a separate process: a loop that only posts bodies of the same size to the same
 * receiver, with as many concurrent requests. It is forked and takes one job at a time over IPC.
 */

export interface BareJob {
  readonly url: string
  readonly bytes: number
  readonly connections: number
  readonly seconds: number
}

async function perform({ url, bytes, connections, seconds }: BareJob): Promise<number> {
  const { origin, pathname } = new URL(url)
  const body = Buffer.alloc(bytes, 'x')
  const headers = { 'content-type': 'application/json' }
  const clients = Array.from({ length: connections }, () => new Client(origin))
  const started = performance.now()
  const until = started + seconds * 1000
  let count = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const answer = await client.request({ path: pathname, method: 'POST', headers, body })
        await answer.body.dump()
        count += 1
      }
    }),
  )
  const elapsed = performance.now() - started
  await Promise.all(clients.map((client) => client.close()))
  return count / (elapsed / 1000)
}

process.on('message', async (job: BareJob) => {
  process.send?.(await perform(job))
})
