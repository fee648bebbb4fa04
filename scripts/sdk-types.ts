// The types of the client from the OpenAPI document: "npm run openapi" writes them, a test compares them.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number | null)[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Where the types are kept, below the root. */
export const sdkTypesPath = 'sdk/typescript/src/api.ts'

/** The source text: an interface for each component, and one for the query of each operation that has one. */
export function sdkTypes(text: string): string {
  const { paths, components } = JSON.parse(text) as Document
  const objects = componentTypes(components)
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const queries = operations.flatMap(queryOf).map(([name, schema]) => declaration(name, schema))
  return `// Made from openapi/public.json by "npm run openapi".\n\n${[...objects, ...queries].join('\n')}`
}

/** Of each component, a type; `known` are those that have one in another file. */
export function componentTypes(
  { schemas }: Document['components'],
  known: readonly string[] = [],
): string[] {
  const all = Object.entries(schemas).map(([name, schema]) => ({
    name,
    schema,
    texts: propertyTexts(schema),
  }))
  return all
    .filter(({ name }) => !known.includes(name))
    .map((one) => declaration(typeName(one.name), one.schema, baseOf(one, all)))
}

interface Component {
  readonly name: string
  readonly schema: Schema
  /** Of its properties. */
  readonly texts: ReadonlySet<string>
}

/** A smaller component that this one has whole, with the same words; of several, the largest. */
function baseOf({ texts: own }: Component, all: readonly Component[]): Component | undefined {
  const bases = all.filter(
    ({ texts }) => texts.size >= 3 && texts.size < own.size && texts.isSubsetOf(own),
  )
  return bases.sort((a, b) => b.texts.size - a.texts.size)[0]
}

function propertyTexts({ properties = {}, required = [] }: Schema): Set<string> {
  const entries = Object.entries(properties)
  return new Set(entries.map((entry) => JSON.stringify([entry, required.includes(entry[0])])))
}

/** The name Error belongs to the language. */
function typeName(name: string): string {
  return name === 'Error' ? 'ApiError' : name
}

function queryOf({ operationId, summary, parameters = [] }: Operation): [string, Schema][] {
  const query = parametersIn('query', parameters)
  if (query === undefined) return []
  const description = `Параметры вызова «${summary}».`
  return [[queryTypeOf(operationId), { ...query, description }]]
}

export function queryTypeOf(operationId: string): string {
  return `${operationId.replace(/^./, (letter) => letter.toUpperCase())}Query`
}

/** The parameters of a place as an object; undefined where there is none. */
export function parametersIn(
  place: 'path' | 'query',
  parameters: readonly Parameter[] = [],
): Schema | undefined {
  const asked = parameters.filter((parameter) => parameter.in === place)
  if (asked.length === 0) return undefined
  const properties = asked.map(({ name, description, schema }): [string, Schema] => [
    name,
    description === undefined ? schema : { ...schema, description },
  ])
  const required = asked.filter((parameter) => parameter.required).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function declaration(name: string, schema: Schema, base?: Component): string {
  const body = typeOf(base === undefined ? schema : without(base.schema, schema), '')
  const heading = base === undefined ? name : `${name} extends ${base.name}`
  const declared = body.startsWith('{') ? `interface ${heading} ${body}` : `type ${name} = ${body}`
  return `${comment(schema, '')}export ${declared}\n`
}

function without({ properties: had = {} }: Schema, schema: Schema): Schema {
  const own = Object.entries(schema.properties ?? {}).filter(([name]) => !Object.hasOwn(had, name))
  return { ...schema, properties: Object.fromEntries(own) }
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`
}

export function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '')
  if (schema.enum !== undefined) return schema.enum.map(literalOf).join(' | ')
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) {
    const types = new Set(alternatives.map((each) => typeOf(each, indent)))
    return [...types].join(' | ')
  }
  const kinds = [schema.type ?? []].flat()
  return kinds.map((kind) => typeOfKind(kind, schema, indent)).join(' | ') || 'unknown'
}

function typeOfKind(kind: string, schema: Schema, indent: string): string {
  switch (kind) {
    case 'object':
      return schema.properties === undefined ? recordOf(schema, indent) : fields(schema, indent)
    case 'array':
      return `Array<${schema.items === undefined ? 'unknown' : typeOf(schema.items, indent)}>`
    case 'integer':
      return 'number'
    default:
      return kind
  }
}

function recordOf({ additionalProperties }: Schema, indent: string): string {
  const value =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  return `Record<string, ${value}>`
}

function fields({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const type = typeOf(schema, inner)
    return `${comment(schema, inner)}${inner}${name}${mark}: ${mark === '' ? type : `${type} | undefined`}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function literalOf(value: string | number | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
