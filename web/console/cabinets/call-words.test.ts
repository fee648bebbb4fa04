import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { wordsOfCall } from './call-words.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Paths that stand in a connector's sources, with something for each id. Others are added to these. */
function pathsIn(connector: string): string[] {
  const folder = new URL(`../../../src/exchange/marketplaces/${connector}/`, import.meta.url)
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const found = sources.flatMap((text) => [
    ...text.matchAll(/['`](\/(?:api|content|v\d)[^'`\s]+)['`]/g),
  ])
  const paths = found.map(([, path = '']) => path.replaceAll(/\$\{[^}]*\}/g, 'WB-1'))
  return [...new Set(paths)].filter((path) => !/^\/api(\/marketplace)?\/v3$/.test(path))
}

for (const [marketplace, connector] of [
  ['WB', 'wildberries'],
  ['OZON', 'ozon'],
] as const) {
  test(`every call to ${marketplace} says what it is for`, () => {
    const paths = pathsIn(connector)
    assert.ok(paths.length > 15)
    const nameless = paths.filter((path) =>
      methods.every((method) => wordsOfCall(marketplace, method, path) === undefined),
    )
    assert.deepEqual(nameless, [])
  })
}
