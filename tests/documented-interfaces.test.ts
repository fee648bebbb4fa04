import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, importsOf, readSources, type Source, sourceOf } from './support/source-tree.ts'

/** Parts of packages whose documentation names them by these paths. */
const documentedPaths = ['csv-parse/sync', 'typebox/value']

/** The framework's own way to type what a service adds to its requests. */
const augmented = ['fastify']

/** What the driver's documentation names of a client; its types have more, such as the connection below it. */
const documentedOfClient = ['connect', 'end', 'getTransactionStatus', 'on', 'query', 'release']

/** What of a source needs more of a package than its documentation promises. */
function innerPartsIn(source: Source): string[] {
  const paths = importsOf(source)
    .map(({ target }) => target)
    .filter((target) => /^(?:@[^/]+\/)?[^.@/][^/:]*\/./.test(target))
    .filter((target) => !documentedPaths.includes(target))
  const modules = [...source.text.matchAll(/\bdeclare module '([^']+)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => !augmented.includes(name))
  const drivers = importsOf(source).some(({ target }) => target === 'pg')
    ? source.text.match(/\bclass\b[^{]*\bextends pg\.\w+|\bextends (?:Client|Connection|Query)\b/g)
    : []
  const ofClients = source.path.startsWith('platform/db/')
    ? [...codeOf(source).matchAll(/(?<!['./])\b(?:session\.|this\.)?client\.(\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !documentedOfClient.includes(name))
        .map((name) => `client.${name}`)
    : []
  const privates = source.text.match(/\b\w+\._[a-zA-Z]\w*/g)
  return [...paths, ...modules, ...(drivers ?? []), ...ofClients, ...(privates ?? [])]
}

test('packages are used by their documented interfaces alone', () => {
  const found = readSources().flatMap((source) =>
    innerPartsIn(source).map((part) => `${source.path}: ${part}`),
  )
  assert.deepEqual(found, [])
})

test('the rule finds inner parts', () => {
  const text = `import pg from 'pg'
import Query from 'pg/lib/query'
import { parse } from 'csv-parse/sync'
import { finished } from 'node:stream/promises'
import { inner } from '@fastify/static/lib/inner.js'
import type { Own } from './own.ts'
declare module 'pg' {}
declare module 'fastify' {}
class Mine extends pg.Connection {}
class Other extends Own {}
client._queryQueue.length
session.client.connection.stream.destroy()
`
  assert.deepEqual(innerPartsIn(sourceOf('platform/db/mine.ts', text)), [
    'pg/lib/query',
    '@fastify/static/lib/inner.js',
    'pg',
    'class Mine extends pg.Connection',
    'client._queryQueue',
    'client.connection',
    'client._queryQueue',
  ])
})
