import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const script = resolve(import.meta.dirname, '../scripts/once-more.js')

/** Runs tests of which one fails the first time, and one every time if asked for. */
function run(argument: string, failsAlways: boolean) {
  const cwd = mkdtempSync(join(tmpdir(), 'once-more-'))
  const source = `import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('always passes', () => {})
test('passes the second time', () => {
  if (existsSync('mark')) return
  writeFileSync('mark', '')
  throw new Error('the browser was late')
})
test('may fail', () => { if (${failsAlways}) throw new Error('broken') })
`
  mkdirSync(join(cwd, 'tests'))
  writeFileSync(join(cwd, 'tests/late.test.ts'), source)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const options = { cwd, env, encoding: 'utf8' } as const
  const { status, stdout } = spawnSync(process.execPath, [script, argument], options)
  return { status, stdout, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' }
}

test('a test that passes only the second time is named in the last line', () => {
  const { status, stdout, lastLine } = run('tests/*.test.ts', false)
  assert.equal(status, 0, stdout)
  assert.match(stdout, /the browser was late/)
  assert.match(lastLine, /^flaky: passes the second time \(tests\/late\.test\.ts:4:1\)$/)
})

test('a run with a test that fails twice fails, and names what was flaky', () => {
  const { status, lastLine } = run('tests/*.test.ts', true)
  assert.equal(status, 1)
  assert.match(lastLine, /^flaky: passes the second time/)
})

test('a named file runs once', () => {
  const { status, stdout } = run('tests/late.test.ts', false)
  assert.equal(status, 1)
  assert.doesNotMatch(stdout, /flaky|once more/)
})
