import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** Takes webhooks and keeps the ids of the events that arrive. */
export async function openReceiver() {
  const received = new Set<string>()
  const server = createServer(async (request, response) => {
    const event = (await json(request).catch(() => ({}))) as { id?: string }
    if (event.id !== undefined) received.add(event.id)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
