import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { buildServer } from './server.ts'

// Guarantee (http): An error shows nothing from inside the service.
test('an unexpected error answers a fixed text and shows nothing of itself', async () => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  const server = buildServer({ log, trustProxy: false })
  server.get('/broken', () => {
    throw new Error('password=hunter2', { cause: new Error('select * from clients') })
  })

  const answer = await server.inject('/broken')
  await server.close()

  assert.equal(answer.statusCode, 500)
  assert.deepEqual(answer.json(), {
    error: {
      code: 'internal',
      message: 'Ошибка на стороне сервиса, повторите запрос',
      request_id: answer.headers['x-request-id'],
    },
  })
  assert.match(logged.join(), /hunter2/)
})

test('the log of a failure has the trace of its caller, and nothing of a header of another form', async () => {
  const logged: { trace_id?: string }[] = []
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  )
  const server = buildServer({ log, trustProxy: false })
  server.get('/broken', () => {
    throw new Error('broken')
  })
  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  for (const traceparent of [
    `00-${id}-00f067aa0ba902b7-01`,
    `01-${id}-00f067aa0ba902b7-01-what-comes-later`,
    `00-${id}-00f067aa0ba902b7-01-more`,
    `ff-${id}-00f067aa0ba902b7-01`,
    `00-${id}`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    'x"}',
  ]) {
    await server.inject({ url: '/broken', headers: { traceparent } })
  }
  await server.close()
  assert.deepEqual(
    logged.map(({ trace_id }) => trace_id),
    [id, id, undefined, undefined, undefined, undefined, undefined],
  )
})

test('refusals that no journal has leave a line, and every call where the access log is on', async () => {
  const lines = async (accessLog: boolean) => {
    const logged: Record<string, unknown>[] = []
    const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) })
    const server = buildServer({ log, trustProxy: false, accessLog })
    server.get('/fine', () => 'fine')
    server.get('/healthz', () => 'fine')
    for (const url of ['/fine', '/nowhere?token=secret', '/v1/nowhere', '/healthz']) {
      await server.inject(url)
    }
    await server.close()
    return logged.map(({ msg, path, status, code, ip }) => [msg, path, status, code, ip])
  }
  const refused = ['refused', '/nowhere', 404, 'not_found', '127.0.0.1']
  assert.deepEqual(await lines(false), [refused])
  assert.deepEqual(await lines(true), [
    ['answered', '/fine', 200, undefined, '127.0.0.1'],
    refused,
    ['answered', '/v1/nowhere', 404, 'not_found', '127.0.0.1'],
  ])
})
