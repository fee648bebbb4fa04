import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { startProcess, withoutPages } from '../support/process.ts'
import { hasProxy, type ProxyName, startProxy } from '../support/proxies.ts'
import { addLiveClient } from '../support/service.ts'
import { callThrough } from '../support/steady-calls.ts'

/**
 * Two processes are restarted in turn while callers read and announce receipts, through an operator's proxy.
 * nginx sends new connections until the last moment, and repeats no POST that the system has reset in that moment.
 */

const { db, target } = await testDatabase()
const { url } = (await openDatabaseGate(target)).target as { readonly url: string }
const settings = {
  DATABASE_URL: url,
  SECRET_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'info',
}
const dataDir = mkdtempSync(join(tmpdir(), 'rolling-'))
const start = (port?: string) =>
  startProcess(dataDir, { ...settings, ...(port ? { PORT: port } : {}) })
const restarts = 1

test('a second process on the machine says by name which port is taken', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  for (const name of ['PORT', 'METRICS_PORT']) {
    const reason = new RegExp(`${name} ${port} is in use by another process`)
    await assert.rejects(
      startProcess(dataDir, { ...settings, [name]: String(port) }, withoutPages),
      reason,
    )
  }
})

for (const proxy of ['haproxy', 'nginx', 'caddy'] satisfies ProxyName[]) {
  // Guarantee (stop): No request fails while processes behind a balancer are restarted in turn.
  test(`no request fails while processes behind ${proxy} are restarted in turn`, {
    skip: !hasProxy(proxy) && `${proxy} is not installed`,
  }, async () => {
    const services = [await start(), await start()]
    const ports = services.map(({ baseUrl }) => new URL(baseUrl).port)
    const address = await startProxy(proxy, ports.map(Number))
    const { writing } = await addLiveClient({ baseUrl: address, db })
    const calls = callThrough(address, writing)
    for (let round = 0; round < restarts; round++) {
      for (const [at, service] of services.entries()) {
        const { code } = await service.end('SIGTERM')
        assert.equal(code, 0, service.output())
        services[at] = await start(ports[at])
      }
    }
    const { count, failures } = await calls.stop()
    assert.deepEqual(failures, [])
    assert.ok(count > 200, `only ${count} calls were made`)
    for (const service of services) assert.equal((await service.end('SIGTERM')).code, 0)
  })
}
