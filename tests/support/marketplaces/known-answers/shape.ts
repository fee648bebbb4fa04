/**
 * What known answers to one call have in common, and how another answer differs from it.
 *
 * - A field that every known object has must be there, and a field that none has must not.
 * - A value has one of the known JSON types. Where only null is known, any type is right.
 * - Where all known texts are moments or dates, a text must be one, too.
 */
export interface Shape {
  readonly types: ReadonlySet<string>
  /** Of an object. */
  readonly fields: ReadonlyMap<string, { readonly shape: Shape; readonly always: boolean }>
  /** Of the items of a list. */
  readonly items: Shape | undefined
}

/** The shape of values of which each is a known one. */
export function shapeOf(values: readonly unknown[]): Shape {
  const objects = values.filter(isObject)
  const names = new Set(objects.flatMap((object) => Object.keys(object)))
  const items = values.filter(Array.isArray).flat()
  return {
    types: new Set(values.map(typeOf)),
    fields: new Map(
      [...names].map((name) => {
        const having = objects.filter((object) => name in object)
        const shape = shapeOf(having.map((object) => object[name]))
        return [name, { shape, always: having.length === objects.length }]
      }),
    ),
    items: items.length === 0 ? undefined : shapeOf(items),
  }
}

/** The differences of a value from a shape, in words; empty if it fits. */
export function differencesFrom(shape: Shape, value: unknown, at = 'body'): string[] {
  if (shape.types.size === 1 && shape.types.has('null')) return []
  const type = typeOf(value)
  if (!fits(shape.types, type)) {
    return [`${at} is ${type} and not ${[...shape.types].join(' or ')}`]
  }
  if (Array.isArray(value)) {
    const { items } = shape
    if (items === undefined) return []
    const differences = value.flatMap((item) => differencesFrom(items, item, `${at}[]`))
    return [...new Set(differences)]
  }
  return isObject(value) ? differencesOfFields(shape, value, at) : []
}

function differencesOfFields(
  { fields }: Shape,
  object: Readonly<Record<string, unknown>>,
  at: string,
): string[] {
  const missing = [...fields]
    .filter(([name, { always }]) => always && object[name] === undefined)
    .map(([name]) => `${at}.${name} is missing`)
  const others = Object.entries(object).flatMap(([name, value]) => {
    if (value === undefined) return []
    const field = fields.get(name)
    if (field === undefined) return [`${at}.${name} is not known`]
    return differencesFrom(field.shape, value, `${at}.${name}`)
  })
  return [...missing, ...others]
}

/** A text of a known kind, or any text where no text has a known kind. */
function fits(types: ReadonlySet<string>, type: string): boolean {
  if (types.has(type)) return true
  const anyText = types.has('text') || (types.size === 1 && types.has('empty text'))
  return anyText && [...texts.map(([name]) => name), 'text', 'empty text'].includes(type)
}

const texts: readonly (readonly [string, RegExp])[] = [
  ['moment', /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['day of a calendar', /^\d\d\.\d\d\.\d{4}$/],
]

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'string') return typeof value
  if (value === '') return 'empty text'
  return texts.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
