import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the sources of the pages say of their tables and lists. */

const root = fileURLToPath(new URL('../../', import.meta.url))

interface PageSource {
  /** Such as `web/console/orders/orders.tsx`. */
  readonly path: string
  readonly text: string
}

export interface Attribute {
  readonly name: string
  /** As it is written, with quotes or braces; empty for one without a value. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface PageElement {
  readonly source: PageSource
  readonly tag: string
  readonly attributes: readonly Attribute[]
}

/** All sources of the pages except unit tests. */
export function readPageSources(): PageSource[] {
  return globSync('web/{account,console,kiosk,ui,wall}/**/*.tsx', { cwd: root })
    .filter((path) => !path.endsWith('.test.tsx'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Elements of a component that the source imports from a file of that name. */
export function elementsOf(source: PageSource, tag: string, file: string): PageElement[] {
  const { text } = source
  const imported = new RegExp(`^import [^']*\\b${tag}\\b[^']*'[^']*/${file}'`, 'm')
  if (!imported.test(text)) return []
  return [...text.matchAll(new RegExp(`<${tag}(?=[\\s<])`, 'g'))].map(({ index, 0: start }) => ({
    source,
    tag,
    attributes: attributesFrom(text, index + start.length),
  }))
}

export function attributeOf({ attributes }: PageElement, name: string): Attribute | undefined {
  return attributes.find((each) => each.name === name)
}

/** The attributes that follow a tag, up to its end. */
function attributesFrom(text: string, tagEnd: number): Attribute[] {
  const found: Attribute[] = []
  let at = text[tagEnd] === '<' ? text.indexOf('>', tagEnd) + 1 : tagEnd
  while (text[at] !== '>' && !text.startsWith('/>', at)) {
    const [name] = /^[\w-]+/.exec(text.slice(at, at + 50)) ?? []
    if (name === undefined) {
      // A space, or a value that is spread.
      at = text[at] === '{' ? endOfValue(text, at) : at + 1
      continue
    }
    const start = at + name.length + 1
    const end = text[start - 1] === '=' ? endOfValue(text, start) : start - 1
    found.push({ name, text: text.slice(start, end), start, end })
    at = end
  }
  return found
}

/** Where a value in quotes or braces ends. */
function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return text.indexOf('"', start + 1) + 1
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  throw new Error(`the value at ${start} has no end`)
}
