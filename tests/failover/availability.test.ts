import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../../scripts/chaos/check.ts'
import type { Silence } from '../../scripts/chaos/insist.ts'
import { nothingYet, startLoad } from '../../scripts/chaos/load.ts'
import { openReceiver } from '../../scripts/chaos/receiver.ts'
import { openScene, openShift } from '../../scripts/chaos/scene.ts'
import { openDatabase } from '../../src/platform/db/connection.ts'
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts'
import { startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { hasPatroni, type Nodes, startNodes } from '../support/patroni.ts'
import { runCommand, startProcess } from '../support/process.ts'

const template = new URL('../../deploy/ha/patroni.yml', import.meta.url)
const haproxyTemplate = new URL('../../deploy/ha/haproxy.cfg', import.meta.url)

const skip = !hasPatroni && 'Debian’s PostgreSQL 15, Patroni and etcd are not installed'

/** They wait, mostly: for the minute in which a lost primary is replaced. */
suite('at the same time', { concurrency: 2 }, () => {
  // Guarantee (db): The service follows a failover by itself and loses nothing acknowledged.
  test('the service follows a switchover, and a primary that died or froze, by itself, and nothing acknowledged is lost', {
    skip,
  }, async (t) => {
    const nodes = await startNodes(readFileSync(template, 'utf8'))
    await nodes.settled()
    const crew = await startWork(t, await makeDatabase(nodes))

    await nodes.switchOver(await nodes.settled())
    await crew.worksAgain('switchover')
    const killed = await nodes.settled()
    nodes.kill(killed)
    await crew.worksAgain('primary killed')
    nodes.start(killed)
    await nodes.settled()
    await crew.worksAgain('killed one back')

    await nodes.killEtcd(0)
    await crew.worksAgain('one etcd of three killed')
    await freezeAndThaw(nodes, crew)

    await crew.end()
  })

  test('the service follows its primary behind haproxy, and nothing acknowledged is lost', {
    skip: skip || (!hasHaproxy && 'haproxy is not installed'),
  }, async (t) => {
    const nodes = await startNodes(readFileSync(template, 'utf8'))
    await nodes.settled()
    const port = await startHaproxy(readFileSync(haproxyTemplate, 'utf8'), nodes)
    await makeDatabase(nodes)
    const crew = await startWork(t, `postgres://sklad:of-sklad@127.0.0.1:${port}/sklad`)

    await nodes.switchOver(await nodes.settled())
    await crew.worksAgain('switchover')
    const killed = await nodes.settled()
    nodes.kill(killed)
    await crew.worksAgain('primary killed')
    nodes.start(killed)
    await freezeAndThaw(nodes, crew)

    await crew.end()
  })
})

async function freezeAndThaw(nodes: Nodes, crew: Crew): Promise<void> {
  const frozen = await nodes.settled()
  nodes.freeze(frozen)
  await crew.worksAgain('primary frozen')
  nodes.thaw(frozen)
  await crew.worksAgain('frozen one thawed')
  assert.notEqual(await nodes.settled(), frozen)
  await crew.worksAgain('its server follows')
}

interface Crew {
  /** Waits until the service acknowledges again, and says how long it did not. */
  worksAgain(after: string): Promise<void>
  /** Compares the service with what it acknowledged, ends it and runs the audit. */
  end(): Promise<void>
}

/** Starts a service at the address of a database, and a crew that works without a pause. */
async function startWork(t: TestContext, databaseUrl: string): Promise<Crew> {
  const fakes = await Promise.all([startFakeWildberries(), startFakeOzon()])
  const receiver = await openReceiver()
  after(() => Promise.all([receiver.close(), ...fakes.map((fake) => fake.close())]))
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    WB_BASE_URL: fakes[0].baseUrl,
    WB_CONTENT_BASE_URL: fakes[0].baseUrl,
    OZON_BASE_URL: fakes[1].baseUrl,
    SYNC_INTERVAL: '1s',
    WEBHOOK_PRIVATE_TARGETS: 'allow',
    LOG_LEVEL: 'fatal',
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'ha-'))
  const service = await startProcess(dataDir, settings)
  const added = ['user', 'add', '--login', 'boss', '--role', 'administrator']
  const { answer } = await runCommand(dataDir, added, settings)
  const silence: Silence = { longestMs: 0, lastAt: 0 }
  const ended = new AbortController()
  after(() => ended.abort())
  const calls = { silence, ended: ended.signal }
  const scene = await openScene(service.baseUrl, String(answer.token), fakes, receiver.url, calls)
  const acknowledged = nothingYet(scene)
  const shift = await openShift(scene, 'shift', {
    toPick: 500,
    setsToPick: 10,
    toAssemble: 10,
    away: 60,
  })
  const load = startLoad(scene, shift, acknowledged)
  silence.longestMs = 0
  return {
    async worksAgain(what) {
      const before = acknowledged.counts
      while (acknowledged.counts < before + scansMin) await sleep(100)
      t.diagnostic(`${what}: at most ${Math.round(silence.longestMs)} ms without an answer`)
      silence.longestMs = 0
    },
    async end() {
      await load.stop()
      assert.deepEqual(await check(scene, acknowledged, receiver.received), [])
      assert.equal((await service.end('SIGTERM')).code, 0)
      const report = await runCommand(dataDir, ['audit'], settings)
      assert.deepEqual([report.code, report.answer.findings], [0, []])
    },
  }
}

const scansMin = 30

/** As an operator prepares it. Returns the address of all three servers. */
async function makeDatabase({ ports, password }: Nodes): Promise<string> {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const db = openDatabase({ url: `postgres://postgres:${password}@${hosts}/postgres` }, { max: 1 })
  await db`create role sklad login password 'of-sklad'`
  await db`create database sklad owner sklad`
  await db.end()
  return `postgres://sklad:of-sklad@${hosts}/sklad`
}
