import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The receiver, as a separate process. It answers every POST with 204 and records when each event arrived; an event
 * for a path below /failing gets 500.
 * GET / returns the number of requests. GET /seen returns the arrivals since the last such call, as lines
 * of event and time.
 */

const idAt = '{"id":"'.length
const idLength = 36
let count = 0
let seen: string[] = []

/** The clock that all processes of a machine share, in milliseconds. */
const clockMs = () => Number(process.hrtime.bigint()) / 1e6

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'GET') {
    if (request.url !== '/seen') {
      response.end(String(count))
      return
    }
    response.end(seen.join('\n'))
    seen = []
    return
  }
  if (request.url?.startsWith('/failing') && request.headers['x-svc-event'] !== 'webhook.ping') {
    request.resume()
    response.writeHead(500).end()
    return
  }
  let id = ''
  request.on('data', (chunk: Buffer) => {
    if (id === '') id = chunk.toString('latin1', idAt, idAt + idLength)
  })
  request.on('end', () => {
    count += 1
    seen.push(`${id} ${clockMs()}`)
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready at http://127.0.0.1:${port}`)
})
process.on('SIGTERM', () => process.exit(0))
