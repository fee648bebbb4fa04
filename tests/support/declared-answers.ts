import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import type { Answer } from './client.ts'

/** Compares answers with the schemas of an OpenAPI document: a field too many is as wrong as one too few. */

export interface DeclaredSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, DeclaredSchema>>
  readonly items?: DeclaredSchema
}
interface Media {
  readonly schema: DeclaredSchema
  readonly examples?: Readonly<Record<string, unknown>>
}
export interface DeclaredOperation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly security: readonly unknown[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, unknown>>
        readonly content?: Readonly<Record<string, Media>>
      }
    >
  >
}
export interface DeclaredApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, DeclaredSchema>> }
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  )
  return 'properties' in schema ? { ...inner, additionalProperties: false } : inner
}

export type AssertDeclared = (operation: DeclaredOperation, answer: Answer) => void

/** Only answers to requests with unknown parameters, to a repeat with other content, or to a book of several sheets have them. */
const occasionalHeaders = ['X-Unknown-Parameters', 'X-Ignored-Changes', 'X-Sheet-Read']

/** Asserts that an operation declares the status, headers, body and error code of an answer. */
export function declaredAnswers(api: DeclaredApi): AssertDeclared {
  const components = closed(api.components)
  const compile = (schema: DeclaredSchema) => Compile({ ...(closed(schema) as object), components })
  const compiled = new Map<string, ReturnType<typeof compile>>()
  return ({ operationId: id, responses }, answer) => {
    const declared = responses[answer.status]
    assert.ok(declared, `${id} answers ${answer.status}: ${answer.text.slice(0, 200)}`)
    for (const header of Object.keys(declared.headers ?? {})) {
      if (occasionalHeaders.includes(header)) continue
      assert.ok(answer.headers.has(header), `${id} ${answer.status} without ${header}`)
    }
    const media = declared.content?.['application/json']
    if (media === undefined) {
      const types = Object.keys(declared.content ?? {})
      const [type] = answer.headers.get('Content-Type')?.split(';') ?? []
      assert.ok(
        types.length === 0 ? answer.text === '' : types.includes(type ?? ''),
        `${id}: ${type}`,
      )
      return
    }
    // Equal ones, such as the envelope of errors, are one.
    const text = JSON.stringify(media.schema)
    const schema = compiled.get(text) ?? compile(media.schema)
    compiled.set(text, schema)
    // To list errors takes many times as long as to find that there are none.
    if (!schema.Check(answer.body)) {
      const [, errors] = schema.Errors(answer.body)
      assert.fail(`${id} ${answer.status}: ${JSON.stringify(errors)}`)
    }
    const codes = Object.keys(media.examples ?? {})
    if (answer.code !== undefined) {
      assert.ok(codes.includes(answer.code), `${id} does not declare ${answer.code}`)
    }
  }
}

type AssertAnswer = (method: string, path: string, answer: Answer) => void
const known = new Map<string, AssertAnswer>()

/**
 * Asserts that openapi/staff.json declares an answer. A path that leads to no operation may answer anything: one
 * that the document does not know or that is encoded wrongly.
 */
export function assertDeclaredByStaff(method: string, path: string, answer: Answer): void {
  assertionOf('staff')(method, path, answer)
}

/** Like `assertDeclaredByStaff`, with openapi/account.json. */
export function assertDeclaredByAccount(method: string, path: string, answer: Answer): void {
  assertionOf('account')(method, path, answer)
}

function assertionOf(name: string): AssertAnswer {
  const document = new URL(`../../openapi/${name}.json`, import.meta.url)
  const made =
    known.get(name) ?? answersOf(JSON.parse(readFileSync(document, 'utf8')) as DeclaredApi)
  known.set(name, made)
  return made
}

function answersOf(api: DeclaredApi) {
  const assertDeclared = declaredAnswers(api)
  // Paths without parameters come first: /shipments/labels is no /shipments/{id}.
  const paths = Object.entries(api.paths)
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
      operations,
    }))
    .sort((a, b) => a.parameters - b.parameters)
  return (method: string, path: string, answer: Answer) => {
    const [plain = ''] = path.split('?')
    const found = isDecodable(plain) && paths.find(({ pattern }) => pattern.test(plain))
    if (!found) return
    const operation = found.operations[method.toLowerCase()]
    if (operation !== undefined) assertDeclared(operation, answer)
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
