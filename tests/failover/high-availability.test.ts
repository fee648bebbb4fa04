import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { check } from '../../scripts/chaos/check.ts'
import type { Silence } from '../../scripts/chaos/insist.ts'
import { type Acknowledged, nothingYet, startLoad } from '../../scripts/chaos/load.ts'
import { openReceiver } from '../../scripts/chaos/receiver.ts'
import { openScene, openShift } from '../../scripts/chaos/scene.ts'
import { openDatabase } from '../../src/db/connection.ts'
import { startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { hasPatroni, type Nodes, startNodes } from '../support/patroni.ts'
import { runCommand, startProcess } from '../support/process.ts'

const template = new URL('../../deploy/ha/patroni.yml', import.meta.url)

test('the service follows a switchover, and a primary that died or froze, by itself, and nothing acknowledged is lost', {
  skip: !hasPatroni && 'Debian’s PostgreSQL 15, Patroni and etcd are not installed',
}, async (t) => {
  const nodes = await startNodes(readFileSync(template, 'utf8'))
  await nodes.settled()
  const fakes = await Promise.all([startFakeWildberries(), startFakeOzon()])
  const receiver = await openReceiver()
  after(() => Promise.all([receiver.close(), ...fakes.map((fake) => fake.close())]))
  const settings = {
    DATABASE_URL: await makeDatabase(nodes),
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
  const token = String(answer.token)
  const end = new AbortController()
  after(() => end.abort())
  const calls = { silence, ended: end.signal }
  const scene = await openScene(service.baseUrl, token, fakes, receiver.url, calls)
  const acknowledged = nothingYet(scene)
  const shift = await openShift(scene, 'shift', { toPick: 500, away: 60 })
  const load = startLoad(scene, shift, acknowledged)
  const say = (what: string) => {
    t.diagnostic(`${what}: at most ${Math.round(silence.longestMs)} ms without an answer`)
    silence.longestMs = 0
  }
  silence.longestMs = 0

  await nodes.switchOver(await nodes.settled())
  await worksAgain(acknowledged)
  await nodes.settled()
  say('switchover')
  const killed = await nodes.settled()
  nodes.kill(killed)
  await worksAgain(acknowledged)
  say('primary killed')
  nodes.start(killed)
  await nodes.settled()
  await worksAgain(acknowledged)
  say('killed one back')

  await nodes.killEtcd(0)
  await worksAgain(acknowledged)
  say('one etcd of three killed')
  const frozen = await nodes.settled()
  nodes.freeze(frozen)
  await worksAgain(acknowledged)
  say('primary frozen')
  nodes.thaw(frozen)
  await worksAgain(acknowledged)
  assert.notEqual(await nodes.settled(), frozen)
  await worksAgain(acknowledged)
  say('frozen one thawed')

  await load.stop()
  assert.deepEqual(await check(scene, acknowledged, receiver.received), [])
  assert.equal((await service.end('SIGTERM')).code, 0)
  const report = await runCommand(dataDir, ['audit'], settings)
  assert.deepEqual([report.code, report.answer.findings], [0, []])
})

/** As an operator prepares it. Returns the address of all three servers. */
async function makeDatabase({ ports, password }: Nodes): Promise<string> {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const db = openDatabase({ url: `postgres://postgres:${password}@${hosts}/postgres` }, { max: 1 })
  await db`create role sklad login password 'of-sklad'`
  await db`create database sklad owner sklad`
  await db.end()
  return `postgres://sklad:of-sklad@${hosts}/sklad`
}

const scansMin = 30

async function worksAgain(acknowledged: Acknowledged): Promise<void> {
  const before = acknowledged.counts
  while (acknowledged.counts < before + scansMin) await sleep(100)
}

const haproxy = '/usr/sbin/haproxy'

test('haproxy accepts its configuration', { skip: !existsSync(haproxy) && 'not installed' }, () => {
  const path = fileURLToPath(new URL('../../deploy/ha/haproxy.cfg', import.meta.url))
  execFileSync(haproxy, ['-c', '-f', path], { stdio: 'pipe' })
})
