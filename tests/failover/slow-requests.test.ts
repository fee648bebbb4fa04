import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { hasProxy, startProxy } from '../support/proxies.ts'
import { startService } from '../support/service.ts'

const head = 'POST /v1/receipts HTTP/1.1\r\nHost: sklad.example.ru\r\n'
const slow = {
  head: `${head}X-Slow: `,
  body: `${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
}

/** Resolves when the other side has closed the connection, over which a byte goes again and again. */
async function trickle(address: URL, begin: string): Promise<void> {
  const socket = connect(Number(address.port), address.hostname)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  socket.write(begin)
  const timer = setInterval(() => socket.write(' '), 100)
  await once(socket, 'close')
  clearInterval(timer)
}

/** Their times for a request that does not become whole are shortened; nginx has its own for a head, and none for a body. */
for (const proxy of ['haproxy', 'caddy'] as const) {
  test(`a request that is sent byte by byte keeps no connection of ${proxy}`, {
    skip: !hasProxy(proxy) && `${proxy} is not installed`,
  }, async () => {
    const service = await startService()
    const { port } = new URL(service.baseUrl)
    let shortened = 0
    const address = await startProxy(proxy, [Number(port), Number(port)], (text) =>
      text.replaceAll(/(?<=http-request |wait-for-body time |read_header |read_body )\d+s/g, () => {
        shortened += 1
        return '1s'
      }),
    )
    assert.equal(shortened, 2)
    await Promise.all(Object.values(slow).map((begin) => trickle(new URL(address), begin)))
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
  })
}
