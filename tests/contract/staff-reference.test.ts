import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { accountApi, documentOf, referencePage, staffApi } from '../../scripts/documents.ts'
import { accountCallsPath, staffCallsPath, webCalls } from '../../scripts/web-calls.ts'
import { errorStatus } from '../../src/http/route/operation.ts'
import { staffTags } from '../../src/http/staff/operation.ts'
import { saysNothing } from '../../src/warehouse/journal/change-words.ts'
import { fieldNames } from '../../src/warehouse/journal/field-names.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<
          Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>
        >
      }
    >
  >
}
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly headers: Readonly<Record<string, object>>
  }
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const kept = read(staffApi.path)
const document = JSON.parse(kept) as Document
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

test('the document in openapi/ is up to date; "npm run openapi" writes it', async () => {
  // Not assert.equal: it would print both documents.
  assert.ok(kept === (await documentOf(staffApi)), 'run "npm run openapi"')
})

test('the types of the web pages are what the document makes; "npm run openapi" renews them', () => {
  const account = { text: read(accountApi.path), types: accountCallsPath }
  const types = webCalls(kept, '/staff/v1', staffApi.path, account)
  assert.ok(read(staffCallsPath) === types, staffCallsPath)
})

test('components have names of their own, and all of them are used', () => {
  const names = Object.keys(document.components.schemas)
  assert.ok(names.length > 20)
  for (const name of names) {
    assert.match(name, /^([A-Z][a-z]+)+$/)
    assert.ok(kept.includes(`"#/components/schemas/${name}"`), `${name} is not used`)
  }
})

test('every reference leads to a component', () => {
  for (const [, target = ''] of kept.matchAll(/"\$ref": "([^"]*)"/g)) {
    const [, kind, name = ''] = /^#\/components\/(schemas|headers)\/([\w-]+)$/.exec(target) ?? []
    assert.ok(document.components[kind === 'headers' ? 'headers' : 'schemas'][name], target)
  }
})

test('every operation has a name, a tag and a description in Russian', () => {
  const ids = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { operationId, tags, summary, description } of operations) {
    assert.ok(
      staffTags.some(({ name }) => tags.length === 1 && tags[0] === name),
      operationId,
    )
    assert.match(summary, /\p{Script=Cyrillic}/u, operationId)
    assert.match(description, /\p{Script=Cyrillic}/u, operationId)
  }
})

test('every error is declared under its own status', () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      const codes = Object.keys(content?.['application/json']?.examples ?? {})
      assert.ok(codes.length > 0, `${operationId} ${status}`)
      for (const code of codes) {
        assert.equal(errorStatus[code as keyof typeof errorStatus], Number(status), code)
      }
    }
  }
})

test('no secret is in an example', () => {
  assert.doesNotMatch(kept, /svc_(live|test|staff)_[0-9A-Za-z]{10,}|whsec_[\w-]{10,}/)
})

test('the page loads nothing from other hosts', async () => {
  const page = await referencePage(staffApi, 'https://sklad.example.ru')
  assert.match(page.body, /<title>Sklad: интерфейс склада<\/title>/)
  assert.doesNotMatch(page.body, /(?:src|href)="(?:https?:)?\/\//)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /default-src 'self'/)
  assert.deepEqual(policy.match(/https?:\/\/[^ ;]+/g), ['https://sklad.example.ru'])
})

test('the journal has a Russian word for every field of what a change answers', () => {
  const changes = Object.values(document.paths)
    .flatMap(({ get: _, ...others }) => Object.values(others))
    .filter(
      ({ operationId }) => operationId !== 'checkReceiptFile' && operationId !== 'checkSetsFile',
    )
  const answers = changes.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith('2') ? [content?.['application/json']] : [],
    ),
  )
  const fields = new Set(answers.flatMap((answer) => fieldsIn(answer)))
  assert.ok(fields.size > 200)
  // A label is shown under the name of the field whose words it has.
  const names = [...fields].map((name) => name.replace(/_label$/, ''))
  const nameless = names.filter((name) => !(name in fieldNames) && !saysNothing.has(name))
  assert.deepEqual(nameless, [], 'add them to src/warehouse/journal/field-names.ts')
  for (const word of Object.values(fieldNames)) assert.match(word, /[а-яА-Я]|^(SSCC|GTIN|IMEI)$/)
})

/** The names of all fields of a schema, and of the schemas that it refers to. */
function fieldsIn(schema: unknown, seen: readonly string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref: ref, properties = {} } = schema as Schema
  if (ref !== undefined) {
    const name = ref.split('/').at(-1) ?? ''
    return seen.includes(name) ? [] : fieldsIn(document.components.schemas[name], [...seen, name])
  }
  const parts = Object.entries(schema).filter(([name]) => !name.startsWith('example'))
  return [...Object.keys(properties), ...parts.flatMap(([, part]) => fieldsIn(part, seen))]
}
