import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openClient } from '../support/client.ts'
import {
  hasDebianServer,
  openFolder,
  run,
  startServer,
  stopServer,
} from '../support/debian-server.ts'
import { freePort } from '../support/free-port.ts'
import { runCommand, startProcess } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'
import { staffCalls } from '../support/staff.ts'

/** The steps of docs/operations.md, "Back up and restore", from one kind of database to the other. */

type Settings = Readonly<Record<string, string>>

/** Where a service has its data, and what it is started with. */
interface Place {
  readonly dataDir: string
  readonly settings: Settings
  close(): Promise<void>
}

const newDataDir = () => mkdtempSync(join(tmpdir(), 'backup-'))

const places = {
  'PostgreSQL 15': async (): Promise<Place> => {
    const cluster = openFolder().make('cluster')
    const port = await freePort()
    await run('initdb', ['-D', cluster, '-U', 'sklad', '--auth=trust', '--encoding=UTF8'])
    await startServer(cluster, port, {})
    const url = `postgres://sklad@127.0.0.1:${port}/postgres`
    const settings = { DATABASE_URL: url }
    return { dataDir: newDataDir(), settings, close: () => stopServer(cluster) }
  },
  'the embedded PostgreSQL': async (): Promise<Place> => ({
    dataDir: newDataDir(),
    settings: {},
    close: async () => {},
  }),
}

type Kind = keyof typeof places

for (const [from, to] of [
  ['PostgreSQL 15', 'the embedded PostgreSQL'],
  ['the embedded PostgreSQL', 'PostgreSQL 15'],
] satisfies [Kind, Kind][]) {
  test(`a backup that ${from} gives under load is restored by ${to}, and the audit is clean`, {
    skip: !hasDebianServer && 'Debian’s PostgreSQL 15 is not installed',
  }, async () => {
    const secret = { SECRET_KEY: randomBytes(32).toString('base64') }
    const path = join(newDataDir(), 'file')
    const taken = await backUpUnderLoad(await places[from](), secret, path)
    const place = await places[to]()
    const { dataDir, settings } = place
    await refuseAnotherSecret(place, path)
    const own = { ...settings, ...secret }
    const restored = await runCommand(dataDir, ['restore', path], own)
    assert.deepEqual([restored.code, restored.answer.differences], [0, 0], restored.errors)

    const service = await startProcess(dataDir, own)
    const staff = staffCalls(service.baseUrl, taken.token)
    const shown = await staff.get(`/receipts/${taken.receipt}`)
    const [line] = (shown.body as { items: { accepted_qty: number }[] }).items
    const counted = line?.accepted_qty ?? 0
    assert.ok(counted >= taken.before && counted <= taken.after, `${counted} counted`)
    const seller = openClient(service.baseUrl, taken.key)
    assert.equal((await seller.get('/v1/webhooks')).status, 503)
    const next = String(restored.answer.next).matchAll(/sklad (\w+) on/g)
    const held = [...next].map(([, name = '']) => name)
    assert.deepEqual(held.toSorted(), ['marketplaces', 'notices', 'webhooks'])
    for (const name of held) {
      const { code, answer } = await runCommand(dataDir, [name, 'on'], own)
      assert.deepEqual([code, answer[name]], [0, 'on'])
    }
    const subscriptions = await seller.get('/v1/webhooks')
    assert.equal((subscriptions.body as { items: unknown[] }).items.length, 1)
    assert.equal((await service.end('SIGTERM')).code, 0)
    await place.close()
  })
}

/** Workers count while the command writes the file: how much they had counted before and after it. */
async function backUpUnderLoad(
  { dataDir, settings, close }: Place,
  secret: Settings,
  path: string,
) {
  const own = { ...settings, ...secret, WEBHOOK_PRIVATE_TARGETS: 'allow' }
  const service = await startProcess(dataDir, own)
  const added = ['user', 'add', '--login', 'boss', '--role', 'administrator']
  const { answer } = await runCommand(dataDir, added, own)
  const token = String(answer.token)
  const { receipt, key } = await receiptInCounting(service.baseUrl, token)
  const staff = staffCalls(service.baseUrl, token)
  let counted = 0
  let done = false
  const work = async (worker: number) => {
    for (let n = 0; !done; n++) {
      const scan = { scan_id: `${worker} ${n}`, barcode: 'A' }
      const { status, text } = await staff.post(`/receipts/${receipt}/scans`, scan)
      assert.equal(status, 200, text)
      counted += 1
    }
  }
  const workers = [1, 2, 3].map(work)
  const before = counted
  const backup = await runCommand(dataDir, ['backup', path], own)
  done = true
  await Promise.all(workers)
  assert.equal(backup.code, 0, backup.errors)
  assert.ok(counted > before)
  assert.ok(existsSync(path))
  assert.equal((await service.end('SIGTERM')).code, 0)
  await close()
  return { token, key, receipt, before, after: counted }
}

async function refuseAnotherSecret({ dataDir, settings }: Place, path: string): Promise<void> {
  const other = { ...settings, SECRET_KEY: randomBytes(32).toString('base64') }
  const { code, errors } = await runCommand(dataDir, ['restore', path], other)
  assert.equal(code, 1)
  assert.match(errors, /another SECRET_KEY/)
}

async function receiptInCounting(baseUrl: string, token: string) {
  const staff = staffCalls(baseUrl, token)
  const made = async (path: string, body?: unknown) => {
    const answer = await staff.post(path, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body as { id: string; key: string }
  }
  const client = (await made('/clients', { name: 'ООО «Копия»' })).id
  const { key } = await made(`/clients/${client}/keys`, { name: 'Копия' })
  const draft = { marketplace: 'WB', name: 'WB' }
  const cabinet_id = (await made(`/clients/${client}/cabinets`, draft)).id
  const { url } = await openReceiver()
  const subscription = { url, events: ['receipt.created'] }
  const subscribed = await openClient(baseUrl, key).post('/v1/webhooks', subscription)
  assert.equal(subscribed.status, 201, subscribed.text)
  const items = [{ barcode: 'A', name: 'A', qty: 100_000 }]
  const receipt = (await made(`/clients/${client}/receipts`, { cabinet_id, items })).id
  await made(`/receipts/${receipt}/start`)
  return { receipt, key }
}
