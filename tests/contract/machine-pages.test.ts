import assert from 'node:assert/strict'
import test from 'node:test'
import { Compile } from 'typebox/schema'
import { accountApi, documentOf, publicApi, staffApi } from '../../scripts/documents.ts'
import { eventTypes } from '../../src/warehouse/events/catalogue.ts'
import { sharedService } from '../support/service.ts'

/** What programs read instead of the page of the reference, at a running service. */

const service = await sharedService()

async function fetched(path: string, type: RegExp): Promise<string> {
  const answer = await fetch(`${service.baseUrl}${path}`)
  assert.equal(answer.status, 200, path)
  assert.match(answer.headers.get('Content-Type') ?? '', type, path)
  return answer.text()
}

interface Named {
  readonly operationId: string
  readonly summary: string
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Named>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Named }>>
}

const document = JSON.parse(await documentOf(publicApi)) as OpenApi
const operations = [
  ...Object.values(document.paths).flatMap((path) => Object.values(path)),
  ...Object.values(document.webhooks).map(({ post }) => post),
]

for (const api of [publicApi, accountApi, staffApi]) {
  test(`a service serves ${api.path} with its own address, and nothing else of its settings`, async () => {
    const served = await fetched(`${api.prefix}/openapi.json`, /^application\/json/)
    // A service with port 0 does not know its own address.
    const text = served.replaceAll('http://localhost:0', 'http://localhost:8080')
    assert.deepEqual(JSON.parse(text), JSON.parse(await documentOf(api)))
  })
}

test('llms.txt links a Markdown page for the guide and for each operation and event', async () => {
  const text = await fetched('/llms.txt', /^text\/plain/)
  assert.match(text, /^# .+\n\n> .+/)
  const links = [...text.matchAll(/^- \[([^\]]+)\]\((\S+)\)/gm)].map(([, title, url = '']) => ({
    title,
    path: new URL(url).pathname,
  }))
  for (const { operationId, summary } of operations) {
    const link = links.find(({ path }) => path === `/docs/${operationId}.md`)
    assert.equal(link?.title, summary, operationId)
  }
  assert.equal(links.length, operations.length + 3)
  for (const { title, path } of links) {
    const page = await fetched(path, /^(?:text\/markdown|application\/json)/)
    if (path.endsWith('.md') && path !== '/docs/guide.md') {
      assert.equal(page.split('\n', 1)[0], `# ${title}`)
      assert.ok(!page.includes('undefined'), path)
    }
  }
})

test('a page has the parameters, the fields and the answers of its operation', async () => {
  const page = await fetched('/docs/createReceipt.md', /^text\/markdown/)
  assert.match(page, /^`POST \/v1\/receipts`$/m)
  assert.match(page, /^- `Idempotency-Key` \(заголовок, string\): /m)
  assert.match(page, /^- `items` \(array, обязательно\): /m)
  assert.match(page, /^ {2}- `qty` \(integer, обязательно\): /m)
  for (const status of ['201', '200', '400', '401', '429', '502', '503']) {
    assert.match(page, new RegExp(`^### ${status}$`, 'm'))
  }
  const none = await fetch(`${service.baseUrl}/docs/nothing.md`)
  assert.equal(none.status, 404)
})

interface AsyncApi {
  readonly asyncapi: string
  readonly channels: Readonly<Record<string, { readonly messages: object }>>
  readonly operations: Readonly<
    Record<
      string,
      { action: string; channel: { $ref: string }; messages: readonly { $ref: string }[] }
    >
  >
  readonly components: {
    readonly messages: Readonly<
      Record<
        string,
        { name: string; headers: object; payload: object; examples: readonly Example[] }
      >
    >
    readonly schemas: Readonly<Record<string, object>>
  }
}
interface Example {
  readonly headers: object
  readonly payload: object
}

test('the AsyncAPI document has every event, and each example fits its schemas', async () => {
  const text = await fetched('/docs/asyncapi.json', /^application\/json/)
  const api = JSON.parse(text) as AsyncApi
  assert.equal(api.asyncapi, '3.0.0')
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], api)
    assert.ok(target, pointer)
  }
  const { messages, schemas } = api.components
  const names = Object.values(messages).map(({ name }) => name)
  assert.deepEqual(names.toSorted(), [...eventTypes].toSorted())
  const count = (channel: string) => Object.keys(api.channels[channel]?.messages ?? {}).length
  assert.deepEqual([count('webhook'), count('feed')], [eventTypes.length, eventTypes.length - 1])
  for (const { action, channel, messages } of Object.values(api.operations)) {
    assert.equal(action, 'send')
    for (const { $ref } of messages) assert.ok($ref.startsWith(`${channel.$ref}/messages/`))
  }
  for (const { name, headers, payload, examples } of Object.values(messages)) {
    assert.equal(examples.length, 1, name)
    const local = (schema: object) => Compile({ ...schema, components: { schemas } })
    for (const example of examples) {
      assert.ok(local(headers).Check(example.headers), name)
      assert.ok(local(payload).Check(example.payload), name)
    }
  }
})

test('the catalogue of the API is a linkset that leads to documents that exist', async () => {
  const path = '/.well-known/api-catalog'
  const type =
    /^application\/linkset\+json; ?profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"/
  const { linkset } = JSON.parse(await fetched(path, type)) as {
    linkset: readonly Readonly<Record<string, unknown>>[]
  }
  const [{ anchor, ...relations } = {}] = linkset
  assert.equal(new URL(String(anchor)).pathname, '/v1')
  assert.deepEqual(Object.keys(relations), ['service-desc', 'service-doc'])
  const targets = Object.values(relations).flat() as { href: string; type: string }[]
  for (const { href, type } of targets) {
    await fetched(new URL(href).pathname, new RegExp(`^${type}`))
  }
  const head = await fetch(`${service.baseUrl}${path}`, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.match(head.headers.get('Link') ?? '', /rel="api-catalog"/)
})
