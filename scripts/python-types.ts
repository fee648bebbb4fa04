// The types of the Python client from the OpenAPI document: "npm run openapi" writes them, a test compares them.
import type { Document, Operation, Schema } from './sdk-types.ts'

/** Where the types are kept, below the root. */
export const pythonTypesPath = 'sdk/python/sklad/api.py'

const head = `"""Типы объектов интерфейса."""
# Made from openapi/public.json by "npm run openapi".

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`

/** The source text: a type for each component, for each object or closed set of values within one, and for those of queries. */
export function pythonTypes(text: string): string {
  const { paths, components } = JSON.parse(text) as Document
  const declared = new Map<string, string>()
  for (const [name, schema] of Object.entries(components.schemas)) declare(name, schema, declared)
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    declareChoices(operation, declared)
  return [head, ...declared.values()].join('\n\n')
}

/** Query parameters of a closed set, named after their call: `ListOrdersStatus`. */
function declareChoices({ operationId, parameters = [] }: Operation, declared: Declared): void {
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || schema.enum === undefined) continue
    const choice = capital(operationId) + camel(name)
    declared.set(choice, `${choice} = ${choiceOf(schema.enum)}\n`)
  }
}

type Declared = Map<string, string>

function declare(name: string, schema: Schema, declared: Declared): void {
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) {
    const names = alternatives.map((each) => `"${typeOf(each, name, declared)}"`)
    declared.set(name, `${name} = Union[${names.join(', ')}]\n`)
    return
  }
  const fields = Object.entries(schema.properties ?? {})
  const types = fields.map(([field, { description = '', ...of }]) => ({
    field,
    type: typeOf(of, name + camel(field), declared),
    description,
    isRequired: schema.required?.includes(field) ?? false,
  }))
  declared.set(
    name,
    fields.some(([field]) => field === 'from')
      ? tableOf(name, types)
      : classOf(name, types, schema.description),
  )
}

interface Field {
  readonly field: string
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
}

/** Python 3.9 can't mark one field as optional: a class inherits the required ones. */
function classOf(name: string, fields: readonly Field[], description = ''): string {
  const lines = (of: readonly Field[]) =>
    of
      .map(
        ({ field, type, description }) =>
          `    ${field}: ${type}\n${description === '' ? '' : `    ${doc(description)}\n`}`,
      )
      .join('')
  const title = description === '' ? '' : `    ${doc(description)}\n\n`
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields.filter(({ isRequired }) => !isRequired)
  if (optional.length === 0) return `class ${name}(TypedDict):\n${title}${lines(required)}`
  if (required.length === 0)
    return `class ${name}(TypedDict, total=False):\n${title}${lines(optional)}`
  return `class _${name}(TypedDict):\n${lines(required)}\n\nclass ${name}(_${name}, total=False):\n${title}${lines(optional)}`
}

/** For a field whose name is a word of the language. */
function tableOf(name: string, fields: readonly Field[]): string {
  return `${name} = TypedDict("${name}", {${fields.map(({ field, type }) => `"${field}": ${type}`).join(', ')}})\n`
}

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

function typeOf(schema: Schema, name: string, declared: Declared): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.enum?.length === 1) return choiceOf(schema.enum)
  if (schema.enum !== undefined) {
    declared.set(name, `${name} = ${choiceOf(schema.enum)}\n`)
    return name
  }
  const kinds = [schema.type ?? 'string'].flat()
  const [type = 'Any'] = kinds
    .filter((kind) => kind !== 'null')
    .map((kind) => typeOfKind(kind, schema, name, declared))
  return kinds.includes('null') ? `Optional[${type}]` : type
}

function typeOfKind(kind: string, schema: Schema, name: string, declared: Declared): string {
  if (kind === 'array') return `List[${typeOf(schema.items ?? {}, name, declared)}]`
  if (kind !== 'object') return simple[kind] ?? 'Any'
  if (schema.properties === undefined) {
    const { additionalProperties: value } = schema
    return `Dict[str, ${typeof value === 'object' ? typeOf(value, name, declared) : 'Any'}]`
  }
  declare(name, schema, declared)
  return name
}

function choiceOf(values: NonNullable<Schema['enum']>): string {
  return `Literal[${values.map((value) => (value === null ? 'None' : JSON.stringify(value))).join(', ')}]`
}

function doc(text: string): string {
  return `"""${text}"""`
}

function capital(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase())
}

function camel(name: string): string {
  return name.split('_').map(capital).join('')
}
