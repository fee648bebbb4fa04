// ARCHITECTURE.md promises. Each promise links to the test that fails when it is broken.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const section = readFileSync(`${root}ARCHITECTURE.md`, 'utf8')
  .split('\n## ')
  .find((text) => text.startsWith('Guarantees'))
const rows = (section ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Guarantee '))

/** Links of the last column, each with a test's title as its text. */
function testsOf(row: string): { title: string; path: string }[] {
  const cell = row.split('|').at(-2) ?? ''
  return [...cell.matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)].map(
    ([, title = '', path = '']) => ({
      title,
      path,
    }),
  )
}

/** Titles stand in single quotes, double quotes or backticks. */
function declares(source: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted))
}

test('every guarantee links to a test', () => {
  assert.ok(rows.length > 25, `only ${rows.length} guarantees were found`)
  assert.deepEqual(
    rows.filter((row) => testsOf(row).length === 0),
    [],
  )
})

test('every linked test exists in its file', () => {
  const missing = rows
    .flatMap(testsOf)
    .filter(({ path, title }) => {
      return !existsSync(root + path) || !declares(readFileSync(root + path, 'utf8'), title)
    })
    .map(({ path, title }) => `${path}: ${title}`)
  assert.deepEqual(missing, [])
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
