import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import { addDrain } from './drain.ts'

test('a stop cuts answers that do not end, and says how many', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line).msg) }
  const app = Fastify({ logger: { stream }, forceCloseConnections: 'idle', pluginTimeout: 0 })
  const drain = addDrain(app)
  const begun = Promise.withResolvers<void>()
  app.get('/years', (_request, reply) => {
    reply.hijack()
    reply.raw.write('a row')
    begun.resolve()
  })
  drain.closeConnectionsLast()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const call = request({ port, host: '127.0.0.1', path: '/years' }).end()
  const [answer] = await once(call, 'response')
  answer.resume()
  const cut = once(answer, 'error')
  await begun.promise
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let closed = false
  const closing = app.close().then(() => {
    closed = true
  })
  while (!closed) {
    t.mock.timers.tick(100)
    await turn()
  }
  await closing
  assert.equal((await cut)[0].code, 'ECONNRESET')
  assert.ok(lines.includes('answers cut that did not end: 1'), lines.join('\n'))
})
