import assert from 'node:assert/strict'
import test from 'node:test'
import pino from 'pino'
import { generateKey, generateStaffToken } from './api-key.ts'
import { maskedOutput } from './log.ts'

test('the log shows no key and no token, whatever it is asked to write', () => {
  const lines: string[] = []
  const log = pino(
    { level: 'info' },
    maskedOutput((line) => lines.push(line)),
  )
  const secrets = [generateKey('live').key, generateKey('test').key, generateStaffToken().key]
  for (const secret of secrets) {
    log.error(
      { err: new Error(`duplicate (${secret})`), detail: { path: `/v1/${secret}` } },
      secret,
    )
    log.child({ key: secret }).warn('a child')
  }
  assert.equal(lines.length, 6)
  for (const line of lines) assert.match(String(JSON.parse(line).level), /^(?:40|50)$/)
  for (const secret of secrets) assert.ok(!lines.join('').includes(secret.slice(10, 30)))
})
