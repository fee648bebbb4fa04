import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { CallError, makeCaller } from './caller.ts'

/** Answers by half: `/cut` closes then, `/slow` never sends the rest. */
const server = createServer(({ url }, response) => {
  const status = url === '/refused' ? 422 : 200
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': 100 })
  response.write('{"items":')
  if (url !== '/slow') setTimeout(() => response.destroy(), 20)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

const call = makeCaller<Record<string, { answer: unknown; signal?: AbortSignal }>>({
  prefix: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  signInAgain: async () => false,
})

for (const path of ['/cut', '/refused', '/slow']) {
  test(`an answer of which half has come is a lost connection, not a mistake of the page: ${path}`, async () => {
    await assert.rejects(call(`GET ${path}`, { patienceMs: 100 }), (error) => {
      assert.ok(error instanceof CallError, String(error))
      assert.equal(error.code, 'offline')
      return true
    })
  })
}

test('whoever leaves the page while an answer comes learns nothing of a lost connection', async () => {
  const leaving = new AbortController()
  const asked = call('GET /slow', { signal: leaving.signal, onHeaders: () => leaving.abort() })
  await assert.rejects(asked, { name: 'AbortError' })
})
