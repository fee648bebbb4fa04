import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addressOf, testDatabase } from '../support/database.ts'
import { runCommand, startProcess, withoutPages } from '../support/process.ts'
import { hasProxy, startProxy } from '../support/proxies.ts'
import { callThrough } from '../support/steady-calls.ts'
import { checkOutVersionBefore } from '../support/version-before.ts'

/** The upgrade of the runbook without a pause: this version takes the place of the one before it, process by process. */

const proxy = 'haproxy'
const before = checkOutVersionBefore()
const skip =
  before === undefined
    ? 'git has no version before this one'
    : !hasProxy(proxy) && `${proxy} is not installed`

const { target } = await testDatabase({ empty: true })
const password = randomBytes(12).toString('hex')
const settings = {
  DATABASE_URL: addressOf(target),
  SECRET_KEY: randomBytes(32).toString('base64'),
  SKLAD_ADMIN_PASSWORD: password,
}
const dataDir = mkdtempSync(join(tmpdir(), 'upgrade-'))

const startOld = () =>
  startProcess(dataDir, settings, [join(before ?? '', 'tests/support/service-program.ts')])
const startNew = (port: string) => startProcess(dataDir, { ...settings, PORT: port }, withoutPages)

/** A client with a key, by the commands of the version before. */
async function addClient(): Promise<string> {
  const run = async (...args: readonly string[]) => {
    const file = join(before ?? '', 'bin/sklad.js')
    const { code, answer, errors } = await runCommand(dataDir, args, settings, '', file)
    assert.equal(code, 0, errors)
    return answer
  }
  await run('warehouse', 'add', '--code', 'MSK1', '--name', 'Москва')
  const { id } = await run('client', 'create', '--name', 'ООО «Ромашка»', '--warehouse', 'MSK1')
  await run('cabinet', 'add', '--client', String(id), '--marketplace', 'WB', '--name', 'Ромашка')
  const { key } = await run('key', 'issue', '--client', String(id), '--name', '1С', '--receipts')
  return String(key)
}

const reads = ['me', 'stock', 'orders', 'shipments', 'receipts', 'events?limit=5', 'metrics'].map(
  (path) => `/v1/${path}`,
)

async function answered(address: string, path: string, given: RequestInit = {}) {
  const answer = await fetch(`${address}${path}`, given)
  const text = await answer.text()
  assert.ok(answer.ok, `${path}: ${answer.status} ${text}`)
  return { headers: answer.headers, body: JSON.parse(text) as Record<string, unknown> }
}

const makeSandbox = async (address: string) =>
  String((await answered(address, '/v1/sandbox/keys', { method: 'POST' })).body.key)

/** Everything that a key of the API reads, from one process. */
async function readAll(address: string, key: string): Promise<void> {
  for (const path of reads) await answered(address, path, { headers: { 'X-Api-Key': key } })
}

// Guarantee (stop): While a new version replaces the old one behind a balancer, nothing fails or is lost; a request that waits long learns when
// to come again.
test('this version takes the place of the one before it, and no caller notices', {
  skip,
}, async (t) => {
  const services = [await startOld(), await startOld()]
  const [, old] = services
  const ports = services.map(({ baseUrl }) => new URL(baseUrl).port)
  const address = await startProxy(proxy, ports.map(Number))
  const [key, sandbox] = [await addClient(), await makeSandbox(address)]
  const signIn = { method: 'POST', body: JSON.stringify({ login: 'admin', password }) }
  const json = { 'Content-Type': 'application/json' }
  const session = await answered(address, '/staff/v1/session', { ...signIn, headers: json })
  const cookie = session.headers.getSetCookie().map((each) => each.split(';')[0])
  const calls = [
    callThrough(address, key, { reads, comesAgain: true }),
    callThrough(address, sandbox, { reads, announces: false, comesAgain: true }),
  ]
  t.after(() => Promise.all(calls.map((each) => each.stop())))
  for (const [at, service] of services.entries()) {
    const { code } = await service.end('SIGTERM')
    assert.equal(code, 0, service.output())
    const started = await startNew(ports[at] ?? '')
    services[at] = started
    // Both versions work with what the other one has written.
    const other = (at === 0 ? old : services[0])?.baseUrl ?? ''
    await readAll(started.baseUrl, await makeSandbox(other))
    await readAll(other, await makeSandbox(started.baseUrl))
    await answered(address, '/staff/v1/today', { headers: { Cookie: cookie.join('; ') } })
  }
  for (const each of calls) {
    const { count, failures, receipts } = await each.stop()
    assert.deepEqual(failures, [])
    assert.ok(count > 100, `only ${count} calls were made`)
    for (const id of receipts) {
      await answered(address, `/v1/receipts/${id}`, { headers: { 'X-Api-Key': key } })
    }
  }
  const report = await runCommand(dataDir, ['audit'], settings)
  assert.deepEqual(report.answer.result, 'no differences')
  for (const service of services) assert.equal((await service.end('SIGTERM')).code, 0)
})
