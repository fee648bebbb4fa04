import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { sdkTypes, sdkTypesPath } from '../../scripts/sdk-types.ts'
import { Sklad } from '../../sdk/typescript/src/client.ts'
import { emptyProject, olderNode, packClient, run } from '../support/installed-client.ts'
import { sharedService } from '../support/service.ts'

/** The integrators' package: what is in it, where it comes from, and that it works where it is installed. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiler = join(root, 'node_modules/.bin/tsc')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const service = await sharedService()
const address = `${service.baseUrl}/sdk/client.tgz`
const packed = await packClient()
const projects = {
  packed: await emptyProject(packed.file),
  served: await emptyProject(address),
}

/** What a service takes for its address that was given none, and port 0. */
const ownAddress = 'http://localhost:0'

const filesOf = (folder: string) => globSync('**/*.*', { cwd: folder }).sort()
const installed = (project: string) => join(project, 'node_modules/@sklad/client')

/** What the README shows, in short. */
const program = `
import { Sklad, SkladError, verifyWebhook } from '@sklad/client'
const baseUrl = process.argv[2]
const key = await Sklad.sandboxKey({ baseUrl })
const sklad = new Sklad({ key, baseUrl })
const { cabinets } = await sklad.me()
const { items, total, nextCursor } = await sklad.stock.list({ limit: 5 })
const { etag } = await sklad.stock.changes({})
const unchanged = await sklad.stock.changes({ since: etag })
let orders = 0
for await (const order of sklad.orders.all({ limit: 50 })) orders += order.id === '' ? 0 : 1
const ordersTotal = (await sklad.orders.list({ limit: 1 })).total
await sklad.events.list({ after: 'latest' })
const cabinet_id = cabinets[0].id
const draft = { cabinet_id, external_ref: 'PO-1', items: [{ barcode: items[0].barcode, qty: 1, honest_mark: false }] }
const receipt = await sklad.receipts.create(draft)
let created
for await (const event of sklad.events.stream({ types: ['receipt.created'] })) {
  created = event
  break
}
const refusal = await sklad.orders.get('none').catch((error) => error)
const forged = await verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_x' }).catch((error) => error)
console.log(JSON.stringify({
  page: [items.length, total, typeof nextCursor],
  unchanged: unchanged === undefined,
  allOrders: orders === ordersTotal && orders > 50,
  sameReceipt: created.data.id === receipt.id && typeof created.position === 'string',
  refusal: [refusal instanceof SkladError, refusal.code, refusal.status, refusal.requestId.length],
  forged: [forged instanceof SkladError, forged.code],
}))`

const expected = {
  page: [5, 24, 'string'],
  unchanged: true,
  allOrders: true,
  sameReceipt: true,
  refusal: [true, 'not_found', 404, 36],
  forged: [true, 'signature_missing'],
}

const older = olderNode()
for (const [origin, project] of Object.entries(projects)) {
  for (const [node, skip] of [
    [process.execPath, false],
    [older ?? '', older === undefined && 'the machine has no older Node'],
  ] as const) {
    test(`the ${origin} package works in an empty project: ${node || 'an older Node'}`, {
      skip,
    }, async () => {
      writeFileSync(join(project, 'program.js'), program)
      const printed = await run(project, node, ['program.js', service.baseUrl])
      assert.deepEqual(JSON.parse(printed), expected)
    })
  }
}

test('the first program of the README runs as it is, but for the address', async () => {
  const [, shown = ''] =
    /```ts\n(import \{ Sklad \}[\s\S]*?)```/.exec(read('sdk/typescript/README.md')) ?? []
  const source = shown.replace('https://api.example.ru', service.baseUrl)
  writeFileSync(join(projects.packed, 'readme.js'), source)
  const printed = await run(projects.packed, process.execPath, ['readme.js'])
  assert.match(printed, /«Тёплый дом»[\s\S]*^R-\d+ PENDING_CONFIRMATION$/m)
})

test('the service serves what npm packs, with its own address where the sources show one', () => {
  const [own, served] = [installed(projects.packed), installed(projects.served)]
  assert.deepEqual(filesOf(served), filesOf(own))
  const same = (path: string) => {
    assert.equal(
      readFileSync(join(served, path), 'utf8'),
      readFileSync(join(own, path), 'utf8').replaceAll('https://api.example.ru', ownAddress),
      path,
    )
  }
  for (const path of filesOf(own)) same(path)
})

test('the served package needs no key and is not sent again unchanged', async () => {
  const first = await fetch(address)
  const bytes = Buffer.from(await first.arrayBuffer())
  const etag = first.headers.get('ETag') ?? ''
  assert.equal(first.headers.get('Content-Type'), 'application/gzip')
  assert.equal(etag, `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`)
  const second = await fetch(address, { headers: { 'If-None-Match': etag } })
  assert.equal(second.status, 304)
})

test('the kept types are what the document and the sources make; "npm run openapi" renews them', async () => {
  assert.ok(read(sdkTypesPath) === sdkTypes(read('openapi/public.json')), sdkTypesPath)
  const kept = join(root, 'sdk/typescript/types')
  const made = join(packed.folder, 'made')
  await run(packed.folder, compiler, ['--declarationDir', 'made'])
  assert.deepEqual(filesOf(kept), filesOf(made))
  for (const path of filesOf(made)) {
    assert.ok(
      readFileSync(join(kept, path), 'utf8') === readFileSync(join(made, path), 'utf8'),
      path,
    )
  }
})

test('a project in TypeScript sees the types, with each way to resolve modules', async () => {
  const source = `
    import { Sklad, type Order, type FeedEvent } from '@sklad/client'
    import { nodeWebhookHandler } from '@sklad/client/node'
    const sklad = new Sklad({ key: 'k', baseUrl: 'http://localhost' })
    export async function run(): Promise<Order[]> {
      const orders: Order[] = []
      for await (const order of sklad.orders.all({ status: 'NEW' })) orders.push(order)
      // @ts-expect-error no such status
      await sklad.orders.list({ status: 'SOLD' })
      return orders
    }
    export function name(event: FeedEvent): string {
      return event.type === 'receipt.completed' ? event.data.number : event.position
    }
    export const receive: Parameters<typeof nodeWebhookHandler>[0]['secret'] = 's'`
  for (const kind of ['ts', 'mts', 'cts']) {
    writeFileSync(join(projects.served, `consumer.${kind}`), source)
  }
  for (const [module, resolution, ...files] of [
    ['nodenext', 'nodenext', 'consumer.ts', 'consumer.cts'],
    ['node16', 'node16', 'consumer.mts', 'consumer.cts'],
    ['esnext', 'bundler', 'consumer.ts'],
    ['commonjs', 'bundler', 'consumer.cts'],
  ] as const) {
    const compile = [
      ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''],
      ['--module', module, '--moduleResolution', resolution, ...files],
    ].flat()
    await run(projects.served, compiler, compile)
  }
})

test('a CommonJS program requires the package, also where Node can not require ES modules', async () => {
  const source = `
    const { Sklad, SkladError } = require('@sklad/client')
    const { nodeWebhookHandler } = require('@sklad/client/node')
    Sklad.sandboxKey({ baseUrl: process.argv[2] }).then(async (key) => {
      const sklad = new Sklad({ key, baseUrl: process.argv[2] })
      const refusal = await sklad.orders.get('none').catch((error) => error)
      console.log(refusal instanceof SkladError, refusal.code, typeof nodeWebhookHandler)
    })`
  writeFileSync(join(projects.served, 'program.cjs'), source)
  const args = ['--no-experimental-require-module', 'program.cjs', service.baseUrl]
  for (const node of [process.execPath, older ?? process.execPath]) {
    assert.equal(await run(projects.served, node, args), 'true not_found function\n')
  }
})

test('whoever ends npx ends the command that it started', async (t) => {
  const key = await Sklad.sandboxKey({ baseUrl: service.baseUrl })
  const given = ['--key', key, '--base-url', service.baseUrl, '--forward-to', service.baseUrl]
  const started = spawn('npx', ['sklad-client', 'listen', ...given], { cwd: projects.served })
  t.after(() => started.kill('SIGKILL'))
  const listens = Promise.withResolvers<void>()
  let printed = ''
  started.stdout.on('data', (chunk: Buffer) => {
    printed += chunk
    if (printed.includes('Ctrl-C')) listens.resolve()
  })
  await listens.promise
  started.kill()
  // The command holds the other end of its outputs while it runs.
  await once(started, 'close')
})

test('only the command line imports anything of Node', () => {
  const sources = globSync('sdk/typescript/src/*.ts', { cwd: root })
  const importers = sources.filter((path) => {
    const imported = [...read(path).matchAll(/from '([^']+)'/g)].map(([, target = '']) => target)
    const foreign = imported.filter((target) => !target.startsWith('./'))
    for (const target of foreign) {
      assert.ok(builtinModules.includes(target.replace('node:', '')), `${path} imports ${target}`)
    }
    return foreign.length > 0 || /\b(?:process|Buffer|require)(?:\.\w|\()/.test(read(path))
  })
  const allowed = ['command.ts', 'command-line.ts'].map((name) => `sdk/typescript/src/${name}`)
  assert.deepEqual(
    importers.filter((path) => !allowed.includes(path)),
    [],
  )
})
