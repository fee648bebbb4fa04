// The types of an API's calls for the web pages, from its OpenAPI document: "npm run openapi" writes them, a test compares them.
import { posix } from 'node:path'
import { operationsIn } from '../src/http/openapi/described.ts'
import {
  componentTypes,
  type Document,
  type Operation,
  parametersIn,
  queryTypeOf,
  sdkTypesPath,
  typeOf,
} from './sdk-types.ts'

/** Where the calls of the staff API are kept, below the root. */
export const staffCallsPath = 'web/api/staff-calls.ts'
/** The same for the account. */
export const accountCallsPath = 'web/api/account-calls.ts'

/** A document whose objects have types already, in the file `types`. */
interface TypedDocument {
  readonly text: string
  readonly types: string
}

/**
 * The source text: the objects, and an interface with each call by its method and its path below `prefix`.
 * Objects that are the same in `other` have their types there, and queries those of the client.
 */
export function webCalls(text: string, prefix: string, from: string, other: TypedDocument): string {
  const here = JSON.parse(text) as Document
  const there = JSON.parse(other.text) as Document
  const objects = sharedObjects(here, there)
  const queries = other.types === sdkTypesPath ? sharedQueries(here, there) : []
  const calls = operationsIn(here.paths).map(({ method, path, operation }) =>
    callOf(`${method.toUpperCase()} ${path.slice(prefix.length)}`, operation, queries),
  )
  const own = [
    ...componentTypes(here.components, objects),
    `export interface Calls {\n${calls.join('')}}\n`,
  ].join('\n')
  const used = [...objects, ...queries].filter((name) => new RegExp(`\\b${name}\\b`).test(own))
  return [
    `// Made from ${from} by "npm run openapi".\n`,
    `import type ${namesFrom(used, other.types)}`,
    `export type ${namesFrom(objects, other.types)}`,
    own,
  ].join('\n')
}

function sharedObjects(
  { components: { schemas: here } }: Document,
  { components: { schemas: there } }: Document,
): string[] {
  const isSame = (name: string): boolean => {
    const schema = JSON.stringify(here[name])
    const parts = schema.matchAll(/"#\/components\/schemas\/(\w+)"/g)
    return (
      schema === JSON.stringify(there[name]) && [...parts].every(([, part = '']) => isSame(part))
    )
  }
  return Object.keys(here).filter(isSame)
}

function namesFrom(names: readonly string[], types: string): string {
  const path = posix.relative(posix.dirname(accountCallsPath), types)
  return `{\n  ${names.join(',\n  ')},\n} from '${path.startsWith('.') ? path : `./${path}`}'\n`
}

/** The types of queries that are asked in the same words here. */
function sharedQueries({ paths: here }: Document, { paths: there }: Document): string[] {
  const textsIn = (paths: Document['paths']) =>
    new Map(
      operationsIn(paths).map(({ operation: { operationId, parameters } }) => [
        operationId,
        JSON.stringify(parametersIn('query', parameters)),
      ]),
    )
  const published = textsIn(there)
  return [...textsIn(here)]
    .filter(([id, query]) => query !== undefined && query === published.get(id))
    .map(([id]) => queryTypeOf(id))
}

function callOf(name: string, operation: Operation, sharedQueries: readonly string[]): string {
  const { operationId, summary, parameters, requestBody } = operation
  const queryType = queryTypeOf(operationId)
  const path = parametersIn('path', parameters)
  const query = parametersIn('query', parameters)
  const parts = [
    path && `path: ${typeOf(path, '    ')}`,
    query &&
      `query${query.required?.length ? '' : '?'}: ${sharedQueries.includes(queryType) ? queryType : typeOf(query, '    ')}`,
    requestBody && `body: ${bodyType(requestBody.content)}`,
    `answer: ${answerType(operation)}`,
  ]
  const lines = parts.filter((part) => part !== undefined).map((part) => `    ${part}\n`)
  return `  /** ${summary}. */\n  '${name}': {\n${lines.join('')}  }\n`
}

type Content = NonNullable<Operation['requestBody']>['content']

/** What is not JSON is sent and comes as bytes. */
function bodyType(content: Content = {}): string {
  const schema = content['application/json']?.schema
  return schema === undefined ? 'Blob | FormData' : typeOf(schema, '    ')
}

/** Of all successful answers. */
function answerType({ responses }: Operation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      if (content === undefined) return 'undefined'
      const schema = content['application/json']?.schema
      return schema === undefined ? 'Blob' : typeOf(schema, '    ')
    })
  return [...new Set(types)].join(' | ')
}
