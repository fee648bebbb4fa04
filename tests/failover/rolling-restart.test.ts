import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../support/database.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { startProcess } from '../support/process.ts'
import { hasProxy, type ProxyName, startProxy } from '../support/proxies.ts'
import { addLiveClient } from '../support/service.ts'

/**
 * Two processes are restarted in turn while callers read, and behind haproxy announce receipts, through an operator's proxy.
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
const callersMax = 4
/** Between two calls of a caller: without it calls take the processor from the starts that they wait for. */
const restMs = 3
const restarts = 1

interface Calls {
  stop(): Promise<{ readonly count: number; readonly failures: readonly string[] }>
}

/** Calls one after the other by each caller, with connections that are kept, until the stop. */
function callThrough(address: string, key: string): Calls {
  let stopping = false
  let count = 0
  const failures: string[] = []
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  async function call(name: string, number: number): Promise<void> {
    const body = JSON.stringify({
      external_ref: `${name}-${number}`,
      items: [{ barcode: '2000000010014', name: 'Плед', qty: 1, honest_mark: false }],
    })
    const request =
      number % 5 === 0
        ? fetch(`${address}/v1/receipts`, { method: 'POST', headers, body })
        : fetch(`${address}/v1/stock?limit=1`, { headers })
    count += 1
    try {
      const answer = await request
      const text = await answer.text()
      if (answer.status > 201) failures.push(`${answer.status} ${text}`)
    } catch (error) {
      failures.push(String((error as Error).cause ?? error))
    }
  }
  const callers = Array.from({ length: callersMax }, async (_, at) => {
    for (let number = 0; !stopping; number++) {
      await call(`${address} ${at}`, number)
      await sleep(restMs)
    }
  })
  return {
    async stop() {
      stopping = true
      await Promise.all(callers)
      return { count, failures }
    },
  }
}

for (const proxy of ['haproxy', 'nginx'] satisfies ProxyName[]) {
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
