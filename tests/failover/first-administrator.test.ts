import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServiceProcess, startProcess } from '../support/process.ts'

async function signIn({ baseUrl }: ServiceProcess, password: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ login: 'admin', password })
  return (await fetch(`${baseUrl}/staff/v1/session`, { method: 'POST', headers, body })).status
}

const printed = /First sign-in: +http:\S+, login admin, password (\S+)\n/

test('the first start prints a password for the administrator, and no other start does', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'administrator-'))
  const first = await startProcess(dataDir)
  await first.printed(
    /"listens":"127\.0\.0\.1:\d+, only this machine .*HOST=0\.0\.0\.0.*"Sklad is ready at /,
  )
  await first.printed(printed)
  const password = printed.exec(first.output())?.[1] ?? ''
  assert.match(password, /^[\w-]{16}$/)
  assert.equal(await signIn(first, password), 200)
  assert.equal((await first.end('SIGTERM')).code, 0)

  const second = await startProcess(dataDir, { SKLAD_ADMIN_PASSWORD: 'another password' })
  assert.equal(await signIn(second, password), 200)
  assert.equal(await signIn(second, 'another password'), 401)
  assert.equal((await second.end('SIGTERM')).code, 0)
  assert.doesNotMatch(second.output(), /password/)
})

test('SKLAD_ADMIN_PASSWORD is the password of the first administrator, and is not printed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'administrator-'))
  const given = 'chosen by the operator'
  const service = await startProcess(dataDir, { SKLAD_ADMIN_PASSWORD: given, LOG_LEVEL: 'debug' })
  assert.equal(await signIn(service, given), 200)
  assert.equal((await service.end('SIGTERM')).code, 0)
  assert.doesNotMatch(service.output(), /chosen by|First sign-in/)
})
