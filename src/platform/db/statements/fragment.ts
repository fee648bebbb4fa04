/**
 * Composition of statements, without a database. A template's parts are values, which become parameters, and
 * fragments, identifiers and JSON, which become text.
 *
 * - No value ever becomes text: text comes from templates in the source and from identifiers, which are quoted.
 * - A text is built once for each shape: the template and the shapes of the fragments in it. Statements of the same
 *   shape share one text and one name.
 * - What is kept is bounded: a template forgets its shapes when they become too many.
 */

import { hash } from 'node:crypto'
import type { Encoded, Executable } from './executor.ts'
import { type Conversion, conversionBefore, encode, encodeJson, type Value } from './parameters.ts'

/** Of one template. */
const shapesMax = 500
const nameLength = 16
let nextId = 1

export type Part = Value | Fragment | Identifier | Json

/** A name of SQL, quoted; dots separate the names of a path such as `o.created_at`. */
export class Identifier {
  readonly quoted: string

  constructor(name: string) {
    this.quoted = name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.')
  }
}

/** A parameter of type jsonb. */
export class Json {
  readonly text: string | null

  constructor(value: unknown) {
    this.text = encodeJson(value)
  }
}

/** Some SQL with its parameters: a statement, or a piece to be nested in one. */
export class Fragment {
  readonly template: Template
  readonly parts: readonly Part[]

  constructor(template: Template, parts: readonly Part[]) {
    this.template = template
    this.parts = parts
  }
}

/** The SQL of all fragments that are composed alike. */
class Shape {
  readonly id = nextId++
  /** Between the placeholders; one more than there are of those. */
  readonly pieces: readonly string[]
  #text: string | undefined
  #name: string | undefined

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }

  get text(): string {
    this.#text ??= this.pieces.reduce((text, piece, index) => `${text}$${index}${piece}`)
    return this.#text
  }

  get name(): string {
    this.#name ??= hash('sha1', this.text, 'base64url').slice(0, nameLength)
    return this.#name
  }
}

/** What is known of a tagged template in the source. */
export interface Template {
  readonly strings: TemplateStringsArray
  readonly conversions: readonly Conversion[]
  readonly shapes: Map<string, Shape>
  /** Where the template stands in the source, as a line of a stack trace. */
  readonly origin: string
}

const templates = new WeakMap<TemplateStringsArray, Template>()

/** @param tag the function that is the tag; its caller is taken for the template's place */
export function templateOf(strings: TemplateStringsArray, tag: object): Template {
  const known = templates.get(strings)
  if (known !== undefined) return known
  const template = {
    strings,
    conversions: strings.slice(1).map(conversionBefore),
    shapes: new Map(),
    origin: callerOf(tag),
  }
  templates.set(strings, template)
  return template
}

function callerOf(tag: object): string {
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, tag as (...rest: unknown[]) => unknown)
  return trace.stack?.split('\n')[1]?.trim() ?? ''
}

export function compose(fragment: Fragment): Executable {
  const values: Encoded[] = []
  const { text, name } = shapeOf(fragment, values)
  return { text, name, values }
}

/** Finds or builds the shape, and appends the values of its placeholders. */
function shapeOf({ template, parts }: Fragment, values: Encoded[]): Shape {
  const nested: (Shape | undefined)[] = []
  let key = ''
  parts.forEach((part, index) => {
    if (part instanceof Fragment) {
      const shape = shapeOf(part, values)
      nested[index] = shape
      key += shape.id
    } else if (part instanceof Identifier) {
      key += part.quoted
    } else if (part instanceof Json) {
      values.push(part.text)
      key += 'j'
    } else {
      values.push(encode(part, template.conversions[index]))
    }
    key += ','
  })
  return template.shapes.get(key) ?? remember(template, key, build(template, parts, nested))
}

function remember({ shapes }: Template, key: string, shape: Shape): Shape {
  if (shapes.size === shapesMax) shapes.clear()
  shapes.set(key, shape)
  return shape
}

function build(
  { strings }: Template,
  parts: readonly Part[],
  nested: readonly (Shape | undefined)[],
): Shape {
  const pieces = [strings[0] ?? '']
  const append = (text: string) => {
    pieces.push(`${pieces.pop()}${text}`)
  }
  parts.forEach((part, index) => {
    const after = strings[index + 1] ?? ''
    const [first, ...others] = nested[index]?.pieces ?? []
    if (first !== undefined) {
      append(first)
      pieces.push(...others)
      append(after)
    } else if (part instanceof Identifier) {
      append(`${part.quoted}${after}`)
    } else if (part instanceof Json) {
      pieces.push(`::jsonb${after}`)
    } else {
      pieces.push(after)
    }
  })
  return new Shape(pieces)
}
