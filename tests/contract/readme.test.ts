import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { readConfig } from '../../src/config.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readme = read('README.md')

test('the settings in README.md are those that config.ts reads', () => {
  const source = read('src/config.ts')
  const names = source.matchAll(/\benv\.([A-Z_]+)|'([A-Z]+(?:_[A-Z]+)*)'/g)
  const known = new Set([...names].map(([, property, argument]) => property ?? argument))
  assert.ok(known.size > 10)
  const documented = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(documented.toSorted(), [...known].toSorted())
})

test('the defaults in README.md are those of config.ts', () => {
  const defaults = readConfig({})
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| `([^`]+)`/gm)]
  assert.ok(rows.length > 20)
  const documented = rows.map(([, name, text]) => [
    name,
    text?.replace('$PORT', String(defaults.port)),
  ])
  assert.deepEqual(readConfig(Object.fromEntries(documented)), defaults)
})

test('the image opens the API to the network', () => {
  assert.match(read('Dockerfile'), /^ENV .*\bHOST=0\.0\.0\.0/m)
})

test('the scripts of package.json are explained in CONTRIBUTING.md', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  assert.ok(Object.keys(scripts).length <= 16)
  const explained = [...read('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?([a-z:]+)` \|/gm)]
  assert.deepEqual(explained.map(([, name]) => name).toSorted(), Object.keys(scripts).toSorted())
})
