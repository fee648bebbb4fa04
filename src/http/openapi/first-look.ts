import {
  type DescribedPaths,
  type DescribedSchema,
  operationsIn,
  placeLabels,
  typeOf,
} from './described.ts'
import { htmlOf, inline, plainHtml, sectionsOf } from './first-look-text.ts'

/**
 * What a deep link into a reference shows before its page has run: the operation or the section that the link names, as plain HTML
 * inside the page. The page's own script takes a second or two; then it covers the same place and this goes.
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
  readonly info?: { readonly description?: string }
  readonly paths?: DescribedPaths<DescribedOperation>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Puts the first looks of all operations into the page, before everything that it shows itself. */
export function withFirstLooks(page: string, document: DescribedDocument): string {
  return page.replace('<body>', () => `<body>\n${firstLooks(document)}`)
}

function firstLooks(document: DescribedDocument): string {
  const operations = operationsIn(document.paths ?? {}).map(({ call, operation }) => ({
    anchor: anchorOf(call, operation),
    html: look(call, operation, document),
  }))
  const templates = [...sectionsOf(document.info?.description ?? ''), ...operations].map(
    ({ anchor, html }) => `<template data-at="${plainHtml(anchor)}">${html}</template>`,
  )
  return `<style>${style}</style><div id="first-look" hidden>${templates.join('\n')}</div><script>${script}</script>`
}

/** The part of the address after `#` that the page gives to an operation. */
function anchorOf(call: string, { tags: [tag = 'default'] = [] }: DescribedOperation): string {
  return `tag/${tag.toLowerCase().replaceAll(' ', '-')}/${call.replace(' ', '')}`
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

/** Beside the page's list of operations, which is 288 pixels wide where there is room for it. */
const style = `
#first-look { position: fixed; inset: 0; z-index: 10000; overflow: auto; background: Canvas; color: CanvasText;
  color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; padding: 48px 24px }
#first-look > * { max-width: 44em }
#first-look dl { margin: 0 } #first-look dl dl { margin-left: 24px } #first-look dd { margin: 0 0 8px 24px }
#first-look h1 { font-size: 24px } #first-look h2 { font-size: 20px } #first-look pre { overflow: auto }
@media (min-width: 1000px) { #first-look { padding-left: 348px } }`

/** Shows the look that the address names until the page shows the same, at most for a minute. */
const script = `
(() => {
  const view = document.getElementById('first-look')
  let at = ''
  try { at = decodeURIComponent(location.hash.slice(1)) } catch {}
  const look = [...view.children].find((each) => each.dataset.at === at)
  if (look === undefined) return view.remove()
  view.replaceChildren(look.content)
  view.hidden = false
  const started = Date.now()
  const isShown = () => [...document.querySelectorAll('#app [id]')].some((each) => {
    if (!each.id.endsWith('/' + at)) return false
    const { top, height } = each.getBoundingClientRect()
    return height > 0 && top > -200 && top < innerHeight / 2
  })
  const timer = setInterval(() => {
    if (Date.now() - started < 60000 && !isShown()) return
    clearInterval(timer)
    view.remove()
  }, 100)
})()`
