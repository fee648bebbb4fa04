import {
  type DescribedPaths,
  type DescribedSchema,
  operationsIn,
  placeLabels,
  typeOf,
} from './described.ts'

/** The operations of an OpenAPI document as Markdown, for programs that read texts: one page for each operation. */

interface Schema extends DescribedSchema {
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Content {
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

interface MarkdownOperation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
}

type Operations = DescribedPaths<MarkdownOperation>

export interface MarkdownDocument {
  readonly info: { readonly title: string; readonly description: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Operations
  readonly webhooks?: Operations
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface MarkdownPage {
  /** The operation's id. */
  readonly name: string
  readonly tag: string
  readonly title: string
  /** Method and path, or the type of an event. */
  readonly call: string
  readonly text: string
}

/** The pages in the order of the document. */
export function markdownPages(document: MarkdownDocument): MarkdownPage[] {
  const calls = operationsIn(document.paths)
  // An event is called by its type, which stands where calls have their path.
  const events = operationsIn(document.webhooks ?? {}).map(({ path, operation }) => ({
    call: path,
    operation,
  }))
  return [...calls, ...events].map(({ call, operation }) => ({
    name: operation.operationId ?? '',
    tag: operation.tags?.[0] ?? '',
    title: operation.summary ?? call,
    call,
    text: pageOf(call, operation, document),
  }))
}

function pageOf(call: string, operation: MarkdownOperation, document: MarkdownDocument): string {
  const { summary = call, description = '', parameters = [], requestBody, responses } = operation
  const given = parameters.map(
    ({ name, in: place, required, schema, description: text }) =>
      `- \`${name}\` (${[placeLabels[place] ?? place, shownType(schema), required ? 'обязательно' : ''].filter(Boolean).join(', ')}): ${oneLine(text)}`,
  )
  const answers = Object.entries(responses ?? {}).map(([status, answer]) =>
    [`### ${status}`, answer.description ?? '', ...contentOf(answer, document)].join('\n\n'),
  )
  return `${[
    `# ${summary}`,
    `\`${call}\``,
    description,
    ...section('Параметры', given.length === 0 ? [] : [given.join('\n')]),
    ...section('Тело запроса', contentOf(requestBody, document)),
    ...section('Ответы', answers),
  ].join('\n\n')}\n`
}

const section = (title: string, parts: readonly string[]) =>
  parts.length === 0 ? [] : [`## ${title}`, ...parts]

/** The fields of each media type, and an example. */
function contentOf(content: Content | undefined, document: MarkdownDocument): string[] {
  return Object.entries(content?.content ?? {}).flatMap(([type, { schema, example, examples }]) => {
    const fields = fieldsOf(schema, document, 0, new Set())
    const shown = example ?? Object.values(examples ?? {})[0]?.value
    return [
      ...(fields.length === 0 ? [] : [`\`${type}\`:\n\n${fields.join('\n')}`]),
      ...(shown === undefined ? [] : [`\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\``]),
    ]
  })
}

/** Fields with those inside them; a schema inside itself is not opened again. */
function fieldsOf(
  schema: Schema | undefined,
  document: MarkdownDocument,
  depth: number,
  open: ReadonlySet<string>,
): string[] {
  const name = (schema?.$ref ?? schema?.items?.$ref)?.split('/').at(-1)
  if (name !== undefined && open.has(name)) return []
  const inner = name === undefined ? (schema?.items ?? schema) : document.components.schemas[name]
  const { properties = {}, required = [], oneOf } = inner ?? {}
  const opened = name === undefined ? open : new Set([...open, name])
  if (oneOf !== undefined) {
    const names = oneOf.map(({ $ref }) => `\`${$ref?.split('/').at(-1)}\``)
    return [`${'  '.repeat(depth)}- одно из: ${names.join(', ')}`]
  }
  return Object.entries(properties).flatMap(([field, property]) => {
    const words = [shownType(property), required.includes(field) ? 'обязательно' : '']
    const line = `${'  '.repeat(depth)}- \`${field}\` (${words.filter(Boolean).join(', ')}): ${oneLine(property.description)}`
    return [line, ...fieldsOf(property, document, depth + 1, opened)]
  })
}

function shownType(schema: Schema | undefined): string {
  return schema?.$ref === undefined ? typeOf(schema) : 'object'
}

const oneLine = (text = '') => text.replace(/\s+/g, ' ').trim()
