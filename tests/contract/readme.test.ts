import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { settingsPage, settingsPath } from '../../scripts/settings.ts'
import { readConfig } from '../../src/config.ts'
import { settings } from '../../src/settings.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the page of settings is written from settings.ts, and config.ts reads each of them', () => {
  assert.equal(read(settingsPath), settingsPage(), 'npm run openapi writes it')
  const reading = read('src/config.ts')
  for (const name of Object.keys(settings)) {
    assert.match(reading, new RegExp(`\\benv\\.${name}\\b|'${name}'`), name)
  }
})

test('the defaults of the settings are what holds without them', () => {
  const withoutAny = readConfig({})
  const given = Object.entries(settings).flatMap(([name, setting]) =>
    'fallback' in setting ? [[name, setting.fallback]] : [],
  )
  assert.ok(given.length > 20)
  // A set address of a marketplace stands for its other hosts, too.
  const { WB_BASE_URL, OZON_BASE_URL, ...others } = Object.fromEntries(given)
  assert.deepEqual(readConfig(others), withoutAny)
  const { wildberries, ozonUrl } = withoutAny.marketplaces
  assert.deepEqual([WB_BASE_URL, OZON_BASE_URL], [wildberries.production.baseUrl, ozonUrl])
})

test('the image opens the API to the network', () => {
  assert.match(read('Dockerfile'), /^ENV .*\bHOST=0\.0\.0\.0/m)
})

test('the scripts of package.json are explained in CONTRIBUTING.md', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  assert.ok(Object.keys(scripts).length <= 17)
  const explained = [...read('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?([a-z:]+)` \|/gm)]
  assert.deepEqual(explained.map(([, name]) => name).toSorted(), Object.keys(scripts).toSorted())
})
