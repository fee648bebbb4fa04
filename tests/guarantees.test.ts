// The promises of docs/guarantees.md stand as comments above the tests that fail when they are broken.
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  guaranteesIn,
  guaranteesPage,
  guaranteesPath,
  readGuarantees,
} from '../scripts/guarantees.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const guarantees = readGuarantees()

test('the page of guarantees is what stands above the tests', () => {
  assert.ok(guarantees.length > 150, `only ${guarantees.length} guarantees were found`)
  const page = readFileSync(root + guaranteesPath, 'utf8')
  assert.equal(page, guaranteesPage(guarantees), 'npm run openapi writes it')
})

test('every guarantee is one short sentence of a room, directly above a test', () => {
  const names = globSync('{src,web,sdk}/**', { cwd: root }).map((path) =>
    basename(path, extname(path)),
  )
  const rooms = new Set(names)
  for (const { room, sentence, path, hasTest } of guarantees) {
    assert.ok(hasTest, `${path}: no test follows "${sentence}"`)
    assert.ok(sentence.length <= 200, `${path}: "${sentence}" is long`)
    assert.ok(rooms.has(room), `${path}: there is no room ${room}`)
  }
  const sentences = guarantees.map(({ sentence }) => sentence)
  assert.deepEqual(
    sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at),
    [],
  )
})

test('a guarantee may take several lines, and one without a test is found', () => {
  const text = [
    '// Guarantee (stock): A unit is',
    '// counted once.',
    "test('x', () => {})",
    '  // Guarantee (orders): Lost.',
    'const one = 1',
  ].join('\n')
  assert.deepEqual(
    guaranteesIn('x.test.ts', text).map(({ room, sentence, hasTest }) => [room, sentence, hasTest]),
    [
      ['stock', 'A unit is counted once.', true],
      ['orders', 'Lost.', false],
    ],
  )
})

test('every decision record has a number of its own and names it in its title', () => {
  const folder = `${root}docs/decisions/`
  const records = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const numbers = records.map((name) => name.slice(0, 4))
  assert.deepEqual(
    numbers.filter((number, at) => numbers.indexOf(number) !== at),
    [],
  )
  for (const name of records) {
    const text = readFileSync(folder + name, 'utf8')
    assert.ok(text.startsWith(`# ${name.slice(0, 4)} `), name)
  }
})
