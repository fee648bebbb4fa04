import assert from 'node:assert/strict'

/**
 * Shapes of JSON values: the type of each field, whether it may be absent, and no other fields. `read`
 * checks a value and returns it typed.
 */

export interface Shape<T> {
  /** Throws AssertionError naming the path. */
  check(value: unknown, path: string): void
  readonly optional?: true
  /** Only for the type. */
  readonly as?: T
}

interface Optional<T> extends Shape<T> {
  readonly optional: true
}

export type Shaped<S> = S extends Shape<infer T> ? T : never

export function read<T>(shape: Shape<T>, value: unknown, name = 'body'): T {
  shape.check(value, name)
  return value as T
}

function shape<T>(what: string, fits: (value: unknown) => boolean): Shape<T> {
  return {
    check(value, path) {
      assert.ok(fits(value), `${path}: expected ${what}, got ${JSON.stringify(value)}`)
    },
  }
}

export const text = shape<string>('a non-empty string', (v) => typeof v === 'string' && v !== '')
export const russian = shape<string>(
  'Russian text',
  (v) => typeof v === 'string' && /\p{Script=Cyrillic}/u.test(v),
)
export const flag = shape<boolean>('true or false', (v) => typeof v === 'boolean')
export const integer = shape<number>('an integer', (v) => Number.isSafeInteger(v))
export const count = shape<number>(
  'an integer of 0 or more',
  (v) => Number.isSafeInteger(v) && Number(v) >= 0,
)
export const share = shape<number>(
  'a number 0..1',
  (v) => typeof v === 'number' && v >= 0 && v <= 1,
)
export const moment = shape<string>(
  'a time with milliseconds and +03:00',
  (v) =>
    typeof v === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+03:00$/.test(v) &&
    Number.isFinite(Date.parse(v)),
)
export const midnight = shape<string>(
  'a Moscow midnight',
  (v) => typeof v === 'string' && /^\d{4}-\d\d-\d\dT00:00:00\.000\+03:00$/.test(v),
)

export function oneOf<const V extends string>(...values: V[]): Shape<V> {
  return shape<V>(`one of ${values.join(', ')}`, (v) => values.includes(v as V))
}

/** Always present, may be null. */
export function orNull<T>(inner: Shape<T>): Shape<T | null> {
  return {
    check(value, path) {
      if (value !== null) inner.check(value, path)
    },
  }
}

/** May be absent, never null. */
export function optional<T>(inner: Shape<T>): Optional<T> {
  return { ...inner, optional: true }
}

export function list<T>(inner: Shape<T>): Shape<readonly T[]> {
  return {
    check(value, path) {
      assert.ok(Array.isArray(value), `${path}: expected an array`)
      for (const [at, element] of value.entries()) inner.check(element, `${path}[${at}]`)
    },
  }
}

type Fields = Readonly<Record<string, Shape<unknown>>>
type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends { optional: true } ? K : never
}[keyof F]
type ObjectOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: Shaped<F[K]>
} & { readonly [K in OptionalNames<F>]?: Shaped<F[K]> }

export function object<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  return {
    check(value, path) {
      assert.ok(
        typeof value === 'object' && value !== null && !Array.isArray(value),
        `${path}: expected an object, got ${JSON.stringify(value)}`,
      )
      const record = value as Readonly<Record<string, unknown>>
      for (const [name, inner] of Object.entries(fields)) {
        if (Object.hasOwn(record, name)) inner.check(record[name], `${path}.${name}`)
        else assert.ok(inner.optional, `${path}.${name} is missing`)
      }
      const unknown = Object.keys(record).filter((name) => !Object.hasOwn(fields, name))
      assert.deepEqual(unknown, [], `${path} has fields that nobody promised`)
    },
  }
}
