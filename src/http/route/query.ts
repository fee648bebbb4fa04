import { excerpt, invalidParameter, ServiceError } from '../../platform/kernel/errors.ts'
import { codePointLength, hasBadText } from '../../platform/kernel/json.ts'
import { type Instant, parseTime, type TimeProblem } from '../../platform/kernel/moscow-time.ts'
import { timeFormats } from '../../platform/kernel/schema.ts'
import { timeWords } from '../../platform/kernel/time-field.ts'

/**
 * Query parameters. One declaration reads the query string, types its values and describes them in
 * the API reference. Every refusal is a bad_request that names the parameter (specification,
 * Errors), or bad_cursor. A known parameter may be given once and must be valid percent-encoded
 * UTF-8. `parse` ignores unknown ones with whatever they contain; unknown-parameters.ts tells the
 * caller about them.
 */

/** The JSON schema of one parameter. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer'
  readonly description: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
  readonly examples?: readonly string[]
  readonly anyOf?: typeof timeFormats
}

export interface Parameter<Value> {
  /** Every call must have it. */
  readonly required?: true
  readonly schema: ParameterSchema
  /** `text` is the decoded value; undefined where the parameter is absent. */
  read(name: string, text: string | undefined): Value
  /** The refusal of a value that is no text: broken percent-encoding, or U+0000. */
  readonly refuseBroken?: () => ServiceError
}

export interface QuerySchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ParameterSchema>>
  readonly required?: readonly string[]
}

export interface QueryReader<Values> {
  readonly schema: QuerySchema
  /** Reads a raw query string without the question mark. Throws bad_request. */
  parse(raw: string): Values
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>
type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never
}

interface Described {
  /** For the API reference, in Russian. */
  readonly description: string
}

export function query<const P extends Parameters>(parameters: P): QueryReader<ValuesOf<P>> {
  const entries = Object.entries(parameters)
  const required = entries.filter(([, each]) => each.required).map(([name]) => name)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
    parse(raw) {
      const texts = knownTexts(parameters, raw)
      const values = entries.map(([name, parameter]) => [
        name,
        parameter.read(name, texts.get(name)),
      ])
      return Object.fromEntries(values) as ValuesOf<P>
    },
  }
}

/** The parameters of both, of one call. */
export function joinedQuery<One extends object, Other extends object>(
  one: QueryReader<One>,
  other: QueryReader<Other>,
): QueryReader<One & Other> {
  const required = [one, other].flatMap(({ schema }) => schema.required ?? [])
  return {
    schema: {
      type: 'object',
      properties: { ...one.schema.properties, ...other.schema.properties },
      ...(required.length === 0 ? {} : { required }),
    },
    parse: (raw) => ({ ...one.parse(raw), ...other.parse(raw) }),
  }
}

/** One of the given values, in exactly their spelling. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  { description }: Described,
): Parameter<Value | undefined> {
  return {
    schema: { type: 'string', enum: values, description },
    read(name, text) {
      const value = values.find((allowed) => allowed === text)
      if (value !== undefined || text === undefined) return value
      throw refusal(name, `допустимые значения: ${values.join(', ')}`, text)
    },
  }
}

/** The order of a list by one of these keys: `key` ascends, `-key` descends. */
export function sortBy<const Key extends string>(
  keys: readonly Key[],
  { description = '' }: Partial<Described> = {},
): Parameter<Key | `-${Key}` | undefined> {
  const values = keys.flatMap((key) => [key, `-${key}` as const])
  const rule =
    'Порядок: ключ — по возрастанию, с минусом впереди — по убыванию; без параметра новые первыми.'
  return oneOf<Key | `-${Key}`>(values, { description: `${rule} ${description}`.trim() })
}

/** Some of the given values, in exactly their spelling, separated by commas and spaces. */
export function severalOf<const Value extends string>(
  values: readonly Value[],
  { description }: Described,
): Parameter<readonly Value[] | undefined> {
  return {
    schema: { type: 'string', description, examples: [values.slice(0, 2).join(',')] },
    read(name, text) {
      return text?.split(',').map((part) => {
        const value = values.find((allowed) => allowed === part.trim())
        if (value !== undefined) return value
        throw refusal(name, `значения через запятую из списка: ${values.join(', ')}`, part)
      })
    },
  }
}

/** A number of seconds from 0, which is the default; values outside become the nearest bound. */
export function seconds({
  max,
  description,
}: Described & { readonly max: number }): Parameter<number> {
  return {
    schema: { type: 'integer', minimum: 0, maximum: max, default: 0, description },
    read(name, given) {
      if (given === undefined) return 0
      if (!integerText.test(given))
        throw refusal(name, `целое число секунд, например ${max}`, given)
      return Math.max(0, Math.min(Number(given), max))
    },
  }
}

const integerText = /^[+-]?\d+$/

/** A text to match or search; it may be empty or match nothing. */
export function text({ description }: Described): Parameter<string | undefined> {
  return { schema: { type: 'string', description }, read: (_name, given) => given }
}

interface DescribedTime extends Described {
  readonly example?: string
}

/** A moment: RFC 3339, or a Moscow date for its midnight (specification, Conventions 2). */
export function time({
  description,
  example = '2026-11-20T18:25:02.123+03:00',
}: DescribedTime): Parameter<Instant | undefined> {
  return {
    schema: { type: 'string', anyOf: timeFormats, description, examples: [example] },
    read(name, given) {
      if (given === undefined) return undefined
      const parsed = parseTime(given)
      if (parsed.ok) return parsed.instant
      throw refusal(name, timeProblems[parsed.reason], given)
    },
  }
}

/** A moment that every call must name. */
export function requiredTime(described: DescribedTime): Parameter<Instant> {
  const { schema, read } = time(described)
  return {
    required: true,
    schema,
    read(name, given) {
      const instant = read(name, given)
      if (instant === undefined) throw invalidParameter(name, timeProblems.format)
      return instant
    },
  }
}

/**
 * The page size (specification, List envelope): an integer of any length, with or without a sign.
 * Values below 1 become the default, values above the maximum become the maximum.
 */
export function limit(bounds: { default: number; max: number }): Parameter<number> {
  return {
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: bounds.max,
      default: bounds.default,
      description: `Размер страницы. Меньше 1 читается как ${bounds.default}, больше ${bounds.max} — как ${bounds.max}.`,
    },
    read(name, given) {
      if (given === undefined) return bounds.default
      if (!integerText.test(given)) {
        throw refusal(name, `ожидается целое число, например ${bounds.default}`, given)
      }
      const size = Number(given)
      return size < 1 ? bounds.default : Math.min(size, bounds.max)
    },
  }
}

/** A whole number within bounds; outside of them it is refused. */
export function wholeNumber(
  bounds: Described & { readonly default: number; readonly min: number; readonly max: number },
): Parameter<number> {
  const { description, default: usual, min, max } = bounds
  return {
    schema: { type: 'integer', minimum: min, maximum: max, default: usual, description },
    read(name, given) {
      if (given === undefined) return usual
      const value = Number(given)
      if (integerText.test(given) && value >= min && value <= max) return value
      throw refusal(name, `ожидается целое число от ${min} до ${max}`, given)
    },
  }
}

/** The cursor as sent, even an empty one: `openList` checks it. */
function cursorText(): Parameter<string | undefined> {
  return {
    ...text({
      description: 'next_cursor предыдущей страницы. Для первой страницы не передаётся.',
    }),
    refuseBroken: () => new ServiceError('bad_cursor'),
  }
}

/** What a list of pages takes: how large a page is, and where it begins. */
export function pages(bounds: { default: number; max: number }) {
  return { limit: limit(bounds), cursor: cursorText() }
}

/** Pages of most lists, and of those whose objects are many and small. */
export const shortPages = pages({ default: 50, max: 200 })
export const longPages = pages({ default: 100, max: 1000 })

/** Refuses a range that ends before it begins; equal bounds are an empty range. */
export function range(
  from: Instant | undefined,
  to: Instant | undefined,
  names: readonly [from: string, to: string],
): void {
  if (from !== undefined && to !== undefined && from > to) {
    const rule = 'не может быть позже конца периода'
    throw invalidParameter(names[0], rule, `${names[0]}: не может быть позже ${names[1]}`)
  }
}

const timeProblems: Record<TimeProblem, string> = {
  format: `ожидается ${timeWords}`,
  space: 'вместо + перед смещением стоит пробел: в строке запроса + кодируется как %2B',
  offset:
    'у времени нет смещения: добавьте в конец Z или %2B03:00, например 2026-11-20T18:25:02%2B03:00',
  date: 'такой даты, времени или смещения не существует',
  range: 'год должен быть от 1 до 9999',
}

/** The decoded texts of the known parameters. */
function knownTexts(parameters: Parameters, raw: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const pair of raw.split('&')) {
    const [encodedName, encoded] = halves(pair)
    const name = decodeText(encodedName)
    const parameter = name !== undefined && own(parameters, name)
    if (!parameter) continue
    if (texts.has(name)) throw invalidParameter(name, 'передан больше одного раза')
    // The sign of a number stays one, so that a space is none.
    const isNumber = parameter.schema.type === 'integer'
    const value = decodeText(isNumber ? encoded.replaceAll('+', '%2B') : encoded)
    if (value === undefined || hasBadText(value)) {
      throw parameter.refuseBroken?.() ?? invalidParameter(name, brokenText(value))
    }
    texts.set(name, value)
  }
  return texts
}

function brokenText(value: string | undefined): string {
  return value === undefined
    ? 'неверная кодировка, нужен UTF-8 в виде %XX'
    : 'недопустимый символ U+0000'
}

function own(parameters: Parameters, name: string): Parameter<unknown> | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined
}

/** The names of a raw query string, decoded; a name in broken percent-encoding as sent. */
export function namesIn(raw: string): string[] {
  const names = raw.split('&').map((pair) => halves(pair)[0])
  return names.map((name) => decodeText(name) ?? name).filter((name) => name !== '')
}

function halves(pair: string): [name: string, encoded: string] {
  const equals = pair.indexOf('=')
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
}

function decodeText(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function shown(given: string): string {
  return given === '' ? 'передано пустое значение' : `передано „${excerpt(given)}“`
}

/** The message says as well what was sent. */
function refusal(path: string, rule: string, given: string): ServiceError {
  return invalidParameter(path, rule, `${path}: ${rule}; ${shown(given)}`)
}

/** A text for a new object. A form sends an empty text for a field that is left blank: undefined. */
export function filledText(rule: {
  description: string
  max?: number
}): Parameter<string | undefined> {
  const { schema, read } = text(rule)
  return {
    schema,
    read(name, given) {
      const value = read(name, given) || undefined
      if (value !== undefined && rule.max !== undefined && codePointLength(value) > rule.max) {
        throw invalidParameter(name, `не длиннее ${rule.max} символов`)
      }
      return value
    },
  }
}

export const statusCode: Parameter<number | undefined> = {
  schema: { type: 'integer', minimum: 100, maximum: 599, description: 'Код ответа.' },
  read(name, given) {
    if (given === undefined) return undefined
    if (!/^[1-5]\d\d$/.test(given)) {
      throw invalidParameter(name, 'код ответа из трёх цифр, например 404')
    }
    return Number(given)
  },
}
