import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { valueWords } from '../../src/http/staff/v1/service/value-words.ts'
import { saysNothing } from '../../src/warehouse/journal/change-words.ts'
import { deeds } from '../../src/warehouse/journal/deeds.ts'
import { fieldNames } from '../../src/warehouse/journal/field-names.ts'
import { readSources } from '../support/source-tree.ts'

interface Schema {
  readonly $ref?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const documents = ['staff', 'account'].map(
  (name) =>
    JSON.parse(
      readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'),
    ) as Document,
)
const changesOf = ({ paths }: Document) =>
  Object.values(paths).flatMap(({ get: _, ...others }) => Object.values(others))

/** What no Russian says better. */
const names = /^(Wildberries|OZON)$/

test('the journal says in Russian what each operation and each command has done', () => {
  const operations = documents.flatMap(changesOf).map(({ operationId }) => operationId)
  const commands = readSources().flatMap(({ text }) =>
    [...text.matchAll(/run(?:Prepared)?Change\(\s*shell,\s*'([^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  )
  assert.ok(operations.length > 100 && commands.length > 8)
  const actions = [...operations, ...commands, 'webhooks', 'marketplaces']
  const unsaid = actions.filter((action) => !(action in deeds))
  assert.deepEqual(unsaid, [], 'add them to src/warehouse/journal/deeds.ts')
  const gone = Object.keys(deeds).filter((action) => !actions.includes(action))
  assert.deepEqual(gone, [])
  for (const deed of Object.values(deeds)) assert.match(deed, /^[А-Я][^A-Za-z]*(?:PIN)?$/)
})

test('the journal has Russian words for every code of a field that a change answers', () => {
  const coded = documents.flatMap((document) =>
    changesOf(document)
      .filter(({ operationId }) => !operationId.startsWith('check'))
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, { content }]) =>
        status.startsWith('2') ? codesIn(document, content?.['application/json']?.schema) : [],
      ),
  )
  assert.ok(coded.length > 100)
  const said = coded.filter(([field]) => field in fieldNames && !saysNothing.has(field))
  const unsaid = said.filter(([field, code]) => valueWords[field]?.[code] === undefined)
  assert.deepEqual([...new Set(unsaid.map(String))], [], 'add them to value-words.ts')
  for (const words of Object.values(valueWords)) {
    for (const word of Object.values(words))
      if (!names.test(word)) assert.doesNotMatch(word, /[a-z]/i)
  }
})

/** Fields and the codes that they may have, of a schema and of those that it refers to. */
function codesIn(
  document: Document,
  schema: unknown,
  seen: readonly string[] = [],
): (readonly [field: string, code: string])[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref: ref, properties = {} } = schema as Schema
  const name = ref?.split('/').at(-1) ?? ''
  if (name !== '') {
    return seen.includes(name)
      ? []
      : codesIn(document, document.components.schemas[name], [...seen, name])
  }
  const own = Object.entries(properties).flatMap(([field, value]) =>
    valuesOf(value).map((code) => [field, code] as const),
  )
  const parts = Object.entries(schema).filter(([key]) => !key.startsWith('example'))
  return [...own, ...parts.flatMap(([, part]) => codesIn(document, part, seen))]
}

function valuesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(valuesOf)
  const { enum: values = [], const: value, anyOf, items } = schema as Record<string, unknown>
  const codes = [...(values as readonly unknown[]), value].filter(
    (code) => typeof code === 'string',
  )
  return [...codes, ...valuesOf(anyOf), ...valuesOf(items)]
}
