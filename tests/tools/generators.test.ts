import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { run, temporaryFolder } from '../support/installed-client.ts'
import { sharedService } from '../support/service.ts'
import { missing, runTool, toolFile } from './installed.ts'

/** What generators make of the document as it is served compiles and loads, and has a type for whatever a caller sends. */

const document = 'openapi.json'
const root = fileURLToPath(new URL('../../', import.meta.url))
const served = await (await fetch(`${(await sharedService()).baseUrl}/openapi.json`)).text()

/** A folder that has the document, in which generated code finds the packages that it imports. */
function workshop(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, document), served)
  symlinkSync(toolFile(''), join(folder, 'node_modules'))
  return folder
}

const program = `
import type { components, operations } from './api.js'

type Untyped<Value> = unknown extends Value ? true
  : Value extends readonly (infer Item)[] ? Untyped<Item>
  : Value extends object ? { [Key in keyof Value]-?: Untyped<Value[Key]> }[keyof Value] : never
type Inputs = { [Id in keyof operations]: Pick<operations[Id], 'parameters' | 'requestBody'> }
export const untyped: [Untyped<Inputs>] extends [never] ? 'none' : 'some' = 'none'

export const orders: operations['listOrders']['parameters']['query'] = { status: 'NEW', created_from: '2026-11-01' }
// @ts-expect-error no such status
export const misspelt: operations['listOrders']['parameters']['query'] = { status: 'FRESH' }
export const draft: components['schemas']['ReceiptDraft'] = {
  external_ref: 'PO-1',
  items: [{ barcode: '2000000010014', qty: 1, honest_mark: false }],
}
export const numberOf = ({ number }: components['schemas']['Receipt']): string => number
`

test('openapi-typescript has a type for every input, and a program with its types compiles', {
  skip: missing,
}, async () => {
  const folder = workshop()
  await runTool(folder, 'openapi-typescript/bin/cli.js', [document, '-o', 'api.ts'])
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'program.ts']
  await runTool(folder, 'typescript/bin/tsc', strict)
  await run(folder, `${root}node_modules/.bin/tsc`, strict)
})

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >
}
interface Media {
  readonly schema?: { readonly $ref?: string }
  readonly example?: unknown
}
interface Schema {
  parse(value: unknown): unknown
}

/** Answers of the document that are objects with a name. */
function examplesOf({ paths }: Described) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => {
      const { schema, example } = content?.['application/json'] ?? {}
      const name = schema?.$ref?.split('/').at(-1)
      return name === undefined || example === undefined ? [] : [{ name, example }]
    }),
  )
}

test('the client of openapi-zod-client loads, and its schemas take the examples', {
  skip: missing,
}, async () => {
  const folder = workshop()
  const file = join(folder, 'client.ts')
  await runTool(folder, 'openapi-zod-client/bin.js', [document, '-o', file, '--export-schemas'])
  const made = await import(pathToFileURL(file).href)
  const schemas = made.schemas as Readonly<Record<string, Schema>>
  const examples = examplesOf(JSON.parse(served))
  assert.ok(examples.length > 20)
  for (const { name, example } of examples)
    assert.doesNotThrow(() => schemas[name]?.parse(example), name)
  assert.throws(() => schemas.Receipt?.parse({ id: 7 }))
})
