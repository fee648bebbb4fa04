import { plainHtml } from '../../platform/kernel/plain-html.ts'
import {
  type DescribedPaths,
  type DescribedSchema,
  operationsIn,
  placeLabels,
  typeOf,
} from './described.ts'
import { htmlOf, inline, sectionsOf } from './first-look-text.ts'
import { viewOf } from './first-look-view.ts'

/**
 * What a reference shows before its page has run, as plain HTML inside the page. It is the operation or the section
 * that its address names, else the introduction; beside it stands the list of operations. The page's own script takes
 * seconds; then the same is there and this goes.
 */

interface Schema extends DescribedSchema {
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Content {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface DescribedOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly {
    /** Undefined in a reference to a parameter that many operations share. */
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
}
export interface DescribedDocument {
  readonly info?: { readonly title?: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string }[]
  readonly paths?: DescribedPaths<DescribedOperation>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Puts the first looks into the page, before everything that it shows itself. Its scripts wait until the look is there. */
export function withFirstLooks(page: string, document: DescribedDocument): string {
  return page
    .replace('<body>', () => `<body>\n${firstLooks(document)}`)
    .replace('<script src=', '<script defer src=')
    .replace('<script type="text/javascript">', '<script type="module">')
}

function firstLooks(document: DescribedDocument): string {
  const { info: { title = '', description = '' } = {}, tags = [], paths = {} } = document
  const operations = operationsIn(paths).map(({ call, operation }) => ({
    anchor: anchorOf(call, operation),
    tag: tagOf(operation),
    title: operation.summary ?? '',
    html: look(call, operation, document),
  }))
  return viewOf({
    introduction: `<h1>${plainHtml(title)}</h1>${htmlOf(description)}`,
    looks: [...sectionsOf(description), ...operations],
    list: tags.map(({ name }) => ({
      name,
      operations: operations.filter(({ tag }) => tag === name),
    })),
  })
}

/** The part of the address after `#` that the page gives to an operation. */
function anchorOf(call: string, operation: DescribedOperation): string {
  return `tag/${tagOf(operation).toLowerCase().replaceAll(' ', '-')}/${call.replace(' ', '')}`
}

function tagOf({ tags: [tag = 'default'] = [] }: DescribedOperation): string {
  return tag
}

function look(call: string, operation: DescribedOperation, document: DescribedDocument): string {
  const { summary = '', description = '', parameters = [], requestBody, responses = {} } = operation
  const given = parameters.map(
    ({ name, in: place = '', required, description: text = '', schema }) => {
      const words = [placeLabels[place] ?? place, typeOf(schema), required ? 'обязательно' : '']
      return name === undefined ? '' : row(name, words, text)
    },
  )
  const answers = Object.entries(responses).map(
    ([status, answer]) =>
      row(status, [], answer.description ?? '') + fieldsOf(bodyOf(answer), document),
  )
  return [
    `<h1>${plainHtml(summary)}</h1><p><code>${plainHtml(call)}</code></p>${htmlOf(description)}`,
    section('Параметры', given.join('')),
    section('Тело запроса', fieldsOf(bodyOf(requestBody), document)),
    section('Ответы', answers.join('')),
  ].join('')
}

function section(title: string, rows: string): string {
  return rows === '' ? '' : `<h2>${title}</h2><dl>${rows}</dl>`
}

function row(name: string, words: readonly string[], description: string): string {
  const shown = words.filter((word) => word !== '').join(', ')
  return `<dt><code>${plainHtml(name)}</code> ${plainHtml(shown)}</dt><dd>${inline(description)}</dd>`
}

function bodyOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema
}

/** The fields of a body, one level deep: the page has the rest. */
function fieldsOf(schema: Schema | undefined, { components }: DescribedDocument): string {
  const name = schema?.$ref?.split('/').at(-1) ?? ''
  const { properties = {}, required = [] } = components?.schemas?.[name] ?? schema ?? {}
  // Every error has the same envelope.
  if (name === 'Error') return ''
  const rows = Object.entries(properties).map(([field, inner]) =>
    row(
      field,
      [typeOf(inner), required.includes(field) ? 'обязательно' : ''],
      inner.description ?? '',
    ),
  )
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`
}
