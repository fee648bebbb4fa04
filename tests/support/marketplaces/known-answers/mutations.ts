/** Answers that differ from a known one in a single place. */
export interface Mutation {
  /** Which field, and what became of it. */
  readonly name: string
  /** The undamaged value. */
  readonly value: unknown
  readonly body: unknown
  /** The meaning must stay the same. */
  readonly harmless: boolean
}

type Path = readonly (string | number)[]

/**
 * Each field absent, null, of another type or with an unknown word; each object with an unknown
 * field. Of a list only the first item is changed.
 */
export function* mutationsOf(body: unknown): Generator<Mutation> {
  for (const { path, value } of placesIn(body, [])) {
    const at = path.join('.') || 'the body'
    const changed = (what: string, to: unknown, harmless = false): Mutation => ({
      name: `${at} ${what}`,
      value,
      body: replaced(body, path, to),
      harmless,
    })
    if (isObject(value)) yield changed('with an unknown field', { ...value, drone: { m: 9 } }, true)
    if (typeof value === 'string') yield changed('is an unknown word', 'beamed_up')
    for (const [what, to] of othersOf(value)) yield changed(what, to)
    if (path.length > 0) yield changed('is absent', absent)
  }
}

const absent = Symbol('absent')

/** To a reader of a single value a list is as odd as an object, and true as odd as a number. */
function othersOf(value: unknown): [string, unknown][] {
  const all: [string, unknown][] = [
    ['is null', null],
    ['is a text', 'нечто'],
    ['is a number', 7.5],
    isObject(value) ? ['is a list', [[]]] : ['is an object', { odd: 1 }],
  ]
  return all.filter(([, to]) => kindOf(to) !== kindOf(value) || kindOf(value) === 'number')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object'
}

function* placesIn(value: unknown, path: Path): Generator<{ path: Path; value: unknown }> {
  yield { path, value }
  if (Array.isArray(value) && value.length > 0) yield* placesIn(value[0], [...path, 0])
  if (!isObject(value)) return
  for (const [name, item] of Object.entries(value)) yield* placesIn(item, [...path, name])
}

function replaced(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to
  if (Array.isArray(value)) {
    const items = value.map((item, at) => (at === name ? replaced(item, rest, to) : item))
    return items.filter((item) => item !== absent)
  }
  const fields = { ...(value as Record<string, unknown>) }
  const next = replaced(fields[name], rest, to)
  if (next === absent) delete fields[name]
  else fields[name] = next
  return fields
}
