import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import pino from 'pino'
import { accountApi, documentOf, publicApi } from '../../scripts/documents.ts'
import { sdkTypesPath } from '../../scripts/sdk-types.ts'
import { accountCallsPath, webCalls } from '../../scripts/web-calls.ts'
import { buildServer } from '../../src/http/server/server.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[]
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const kept = read(accountApi.path)
const operationsOf = (text: string) =>
  Object.values((JSON.parse(text) as Document).paths).flatMap((path) => Object.values(path))
const operations = operationsOf(kept)

test('the document in openapi/ and the types of the pages are up to date; "npm run openapi" writes them', async () => {
  // Not assert.equal: it would print both documents.
  assert.ok(kept === (await documentOf(accountApi)), 'run "npm run openapi"')
  const client = { text: read(publicApi.path), types: sdkTypesPath }
  const types = webCalls(kept, '/account/v1', accountApi.path, client)
  assert.ok(read(accountCallsPath) === types)
})

test('the document has every route, so that tables of its operations miss none', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), trustProxy: false })
  const mounted = new Set<string>()
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) mounted.add(`${each} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  })
  await accountApi.add(server, { baseUrl: '', docsUrl: '', supportContact: undefined })
  await server.ready()
  await server.close()
  const routes = [...mounted].filter((route) => /^(?!HEAD|OPTIONS)\w+ \/account\/v1\//.test(route))
  const described = Object.entries((JSON.parse(kept) as Document).paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(routes.sort(), described.sort())
})

test('what the public API answers is described in the same words here', () => {
  // Goods of the account have a picture and what a delivery needs.
  const apart = ['getMe', 'createSandboxKey', 'listGoods']
  for (const { operationId, parameters, responses } of operationsOf(read(publicApi.path))) {
    if (apart.includes(operationId)) continue
    const here = operations.find((each) => each.operationId === operationId)
    assert.ok(here, operationId)
    // The header that asks for an error is for programs.
    const shared = (parameters ?? []).filter(({ $ref }) => $ref === undefined)
    const names = (here.parameters ?? []).map(({ name }) => name)
    assert.deepEqual(
      names,
      shared.map(({ name }) => name),
      operationId,
    )
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) < 300) assert.deepEqual(here.responses[status]?.content, content)
    }
  }
})

test('an object or a query that the public API has too is one type: the client has it', () => {
  const schemasOf = (text: string) => (JSON.parse(text) as Document).components.schemas
  const [here, there] = [schemasOf(kept), schemasOf(read(publicApi.path))]
  const types = read(accountCallsPath)
  for (const name of Object.keys(here).filter((each) => each in there)) {
    // The account has codes of errors of its own.
    if (name === 'Error') continue
    assert.deepEqual(here[name], there[name], name)
    assert.doesNotMatch(types, new RegExp(`^export (?:interface|type) ${name}\\b`, 'm'), name)
  }
  for (const call of ['orders', 'receipts', 'shipments', 'returns', 'stock', 'charges', 'acts']) {
    assert.match(types, new RegExp(`^  'GET /${call}': \\{\n    query\\?: List\\w+Query$`, 'm'))
  }
})

test('every operation needs a session, but those by which one is got or ended', () => {
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  const open = operations.filter(({ security }) => security.length === 0)
  assert.deepEqual(open.map(({ operationId }) => operationId).sort(), [
    'acceptInvitation',
    'lookAtInvitation',
    'lookAtPasswordLink',
    'setPasswordByLink',
    'signInByTestKey',
    'signInToAccount',
    'signOutOfAccount',
  ])
  for (const { operationId, security, responses } of operations) {
    if (security.length === 0) continue
    assert.deepEqual(security, [{ session: [] }], operationId)
    assert.ok('401' in responses && '403' in responses, operationId)
  }
})

test('no key is in an example', () => {
  assert.doesNotMatch(kept, /svc_(live|test|staff)_[0-9A-Za-z]{10,}/)
})
