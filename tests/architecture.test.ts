import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

/** Imports go one way, as ARCHITECTURE.md draws it: which rooms each room may look into. */
const ground = ['kernel', 'db']
const domain = [
  'clients',
  'journal',
  'stock',
  'orders',
  'receipts',
  'shipments',
  'picking',
  'metrics',
]
const directions: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  db: ['kernel'],
  clients: ground,
  journal: [...ground, 'clients'],
  events: ground,
  stock: [...ground, 'clients'],
  orders: [...ground, 'clients', 'events', 'stock'],
  receipts: [...ground, 'clients', 'events', 'journal', 'stock'],
  shipments: [...ground, 'clients', 'events', 'stock', 'orders'],
  picking: [...ground, 'clients', 'stock', 'orders', 'shipments'],
  metrics: [...ground, 'clients', 'orders'],
  labels: ['kernel'],
  marketplaces: [...ground, 'clients', 'stock', 'orders', 'shipments'],
  sandbox: [...ground, ...domain, 'marketplaces'],
  webhooks: [...ground, 'clients', 'events'],
  staff: ground,
  import: ['kernel'],
  audit: [...ground, 'journal', 'metrics'],
  commands: [
    ...ground,
    'clients',
    'journal',
    'staff',
    'webhooks',
    'audit',
    'config.ts',
    'secrets.ts',
    'store.ts',
  ],
  http: [
    ...ground,
    ...domain,
    'events',
    'marketplaces',
    'sandbox',
    'webhooks',
    'staff',
    'import',
    'labels',
  ],
}

/** Packages by the rooms that may use them; typebox describes data and is free to all. */
const packages: Readonly<Record<string, readonly string[]>> = {
  db: ['postgres'],
  labels: ['@bwip-js/node'],
  webhooks: ['undici'],
  marketplaces: ['undici'],
  import: ['@fastify/busboy', 'csv-parse', 'csv-parse/sync', 'sax', 'yauzl'],
  commands: ['commander'],
  http: ['fastify', '@fastify/swagger', '@scalar/fastify-api-reference', 'prom-client'],
}

interface Source {
  /** Below src, such as `receipts/state.ts`. */
  readonly path: string
  /** The folder below src, or the file's own name where it lies in src itself. */
  readonly room: string
  readonly text: string
}

interface Import {
  readonly from: Source
  /** Undefined for a package. */
  readonly room: string | undefined
  readonly target: string
}

const root = fileURLToPath(new URL('../src/', import.meta.url))
const sources: Source[] = globSync('**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, room: roomOf(path), text: readFileSync(join(root, path), 'utf8') }))
const imports = sources.flatMap(importsOf)

function roomOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function importsOf(from: Source): Import[] {
  const statements =
    /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm
  return [...from.text.matchAll(statements)].map(([, ...found]) => {
    const target = found.find((text) => text !== undefined) ?? ''
    const room = target.startsWith('.')
      ? roomOf(normalize(join(dirname(from.path), target)))
      : undefined
    return { from, room, target }
  })
}

function breaksDirections({ from, room }: Import): boolean {
  const allowed = directions[from.room]
  if (allowed === undefined || room === undefined || room === from.room) return false
  return !allowed.includes(room)
}

function breaksPackages({ from, room, target }: Import): boolean {
  if (room !== undefined || target.startsWith('node:') || target === 'typebox') return false
  return directions[from.room] !== undefined && !packages[from.room]?.includes(target)
}

const shown = ({ from, target }: Import) => `${from.path} imports ${target}`

test('imports go one way', () => {
  assert.ok(imports.length > 200, `only ${imports.length} imports were found`)
  assert.deepEqual(imports.filter(breaksDirections).map(shown), [])
})

test('only db knows the driver, and only http knows the web server', () => {
  assert.deepEqual(imports.filter(breaksPackages).map(shown), [])
})

test('every room has its place in the directions', () => {
  const rooms = new Set(sources.map(({ room }) => room).filter((room) => !room.endsWith('.ts')))
  assert.ok(rooms.size > 10)
  assert.deepEqual(
    [...rooms].filter((room) => directions[room] === undefined),
    [],
  )
})

test('what would break a rule is found', () => {
  const text = [
    `import type { A } from '../http/server.ts'`,
    `import {\n  b,\n} from '../sandbox/sandbox.ts'`,
    `import 'fastify'`,
    `const c = await import('../receipts/verbs.ts')`,
  ].join('\n')
  const found = importsOf({ path: 'orders/verbs.ts', room: 'orders', text })
  assert.equal(found.filter(breaksDirections).length, 3)
  assert.equal(found.filter(breaksPackages).length, 1)
})

test('http holds no SQL but the question whether the database is there', () => {
  const statement = /\b(?:db|tx|sql)(?:<[^`]*>)?`[^`]*`|\.unsafe\(/g
  const found = sources
    .filter(({ room }) => room === 'http')
    .flatMap(({ path, text }) => (text.match(statement) ?? []).map((sql) => `${path}: ${sql}`))
  assert.deepEqual(found, ['http/health.ts: db`select 1`'])
})

test('the environment is read by config.ts, to which main and cli hand it', () => {
  const readers = sources.filter(({ text }) => /process\.env/.test(text)).map(({ path }) => path)
  for (const path of readers) assert.ok(['config.ts', 'main.ts', 'cli.ts'].includes(path), path)
  const cli = sources.find(({ path }) => path === 'cli.ts')?.text ?? ''
  assert.doesNotMatch(cli, /process\.env[.[]/)
})

test('no file is a drawer for everything', () => {
  const drawers = /^(?:utils?|helpers?|common|misc|shared|manager)\b/
  const parts = sources.flatMap(({ path }) => [...dirname(path).split('/'), basename(path)])
  assert.deepEqual(
    parts.filter((part) => drawers.test(part)),
    [],
  )
})
