import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { buildServer } from './server.ts'

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
