import { type Breach, excerpt } from '../../platform/kernel/errors.ts'
import { innProblemOf } from '../../platform/kernel/inn.ts'
import { codePointLength } from '../../platform/kernel/json.ts'
import { timeFormats } from '../../platform/kernel/schema.ts'
import { timeProblemOf, timeWords } from '../../platform/kernel/time-field.ts'

/**
 * The rules of request schemas, and the Russian words for them in messages.
 */

/** The keywords of JSON schema that request schemas may use. */
export interface Rule {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  /** Beside a type: the formats of a time. */
  readonly anyOf?: readonly Rule[]
  readonly properties?: Readonly<Record<string, Rule>>
  readonly required?: readonly string[]
  readonly items?: Rule
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** Russian words for a pattern: what the text may be. */
  readonly title?: string
  readonly pattern?: string
  /** `inn`: the check digits, too. The formats of a time stand in `anyOf`. */
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: unknown
}

/** The rules of which a value keeps one. */
export function optionsOf({ type, anyOf }: Rule): readonly Rule[] | undefined {
  return type === undefined ? anyOf : undefined
}

/** What is wrong with a text of the right form: a time that does not exist, an INN whose check digits differ. */
export function textProblemOf(rule: Rule, text: string): string | undefined {
  if (rule.anyOf === timeFormats) return timeProblemOf(text)
  const isInn = [rule, ...(optionsOf(rule) ?? [])].some(({ format }) => format === 'inn')
  return isInn ? innProblemOf(text) : undefined
}

/** What a rule requires, in Russian words that follow the name of the field. */
export function wordsOf(rule: Rule): string {
  const options = optionsOf(rule) ?? []
  const allowed = rule.enum ?? options.map((option) => option.const)
  if (allowed.length > 0 && !allowed.includes(undefined)) return `одно из: ${allowed.join(', ')}`
  if (options.length > 0) return options.map(wordsOf).join(' или ')
  if (rule.const !== undefined) return `допустимо: ${rule.const}`
  return types(rule)
    .map((type) => kind(type).words(rule))
    .join(' или ')
}

/** What a rule requires; the message says as well what was sent. */
export function breachOf(path: string, rule: Rule, value: unknown): Breach {
  const wanted = wordsOf(rule)
  return { path, rule: wanted, said: `${path}: ${wanted}${describeSent(rule, value)}` }
}

/** What was sent and, where it is of another type, what to do. */
function describeSent(rule: Rule, value: unknown): string {
  const allowed = (optionsOf(rule) ?? [rule]).flatMap(types)
  if (allowed.includes('') || typeOf(value).some((type) => allowed.includes(type))) {
    return describeValue(rule, value)
  }
  const sent = `; ${typeLabels[typeOf(value)[0]]}`
  if (isScalar(value) && isTaken(rule, String(value))) return `${sent}: возьмите его в кавычки`
  return typeof value === 'string' && isTaken(rule, unquoted(value))
    ? `${sent}: уберите кавычки`
    : sent
}

function isTaken(rule: Rule, value: unknown): boolean {
  if (!keeps(rule, value)) return false
  return typeof value !== 'string' || textProblemOf(rule, value) === undefined
}

/** What a text in quotes is without them; undefined where it is nothing. */
function unquoted(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value of the right type, where it may be repeated: a free text may be a secret. */
function describeValue(rule: Rule, value: unknown): string {
  if (value === '') return '; передана пустая строка'
  const isListed = [rule, ...(optionsOf(rule) ?? [])].some((each) => each.enum ?? each.const)
  if (typeof value === 'number' || (typeof value === 'string' && isListed)) {
    return `; передано „${excerpt(String(value))}“`
  }
  return ''
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

const typeLabels = {
  null: 'передано null',
  boolean: 'передано логическое значение',
  integer: 'передано число',
  number: 'передано число',
  string: 'передано значение в кавычках',
  array: 'передан массив',
  object: 'передан объект',
}

/** The types of JSON schema that a value has. */
function typeOf(value: unknown): [keyof typeof typeLabels, ...string[]] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'boolean') return ['boolean']
  if (typeof value === 'number') return ['number', 'integer']
  return typeof value === 'string' ? ['string'] : ['object']
}

/**
 * Whether a value itself keeps its rule. What is inside an array or object has rules of its own. Counts lengths in code
 * points and takes safe integers only. Throws TypeError for a rule of an unknown type.
 */
export function keeps(rule: Rule, value: unknown): boolean {
  const options = optionsOf(rule)
  if (options !== undefined) return options.some((option) => keeps(option, value))
  if (rule.const !== undefined) return rule.const === value
  if (rule.enum !== undefined) return rule.enum.includes(value)
  return types(rule)
    .map(kind)
    .some((each) => each.has(value, rule))
}

function isWithin(value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) {
  return value >= min && value <= max
}

/** A type of JSON schema. */
interface Kind {
  readonly words: (rule: Rule) => string
  readonly has: (value: unknown, rule: Rule) => boolean
}

const kinds: Readonly<Record<string, Kind>> = {
  null: { words: () => 'null', has: (value) => value === null },
  boolean: { words: () => 'true или false', has: (value) => typeof value === 'boolean' },
  integer: {
    words: (rule) => `целое число${bounds(rule.minimum, rule.maximum)}`,
    has: (value, rule) =>
      Number.isSafeInteger(value) && isWithin(Number(value), rule.minimum, rule.maximum),
  },
  number: {
    words: (rule) => `число${bounds(rule.minimum, rule.maximum)}`,
    has: (value, rule) =>
      Number.isFinite(value) && isWithin(Number(value), rule.minimum, rule.maximum),
  },
  string: {
    words: (rule) =>
      rule.anyOf === timeFormats
        ? timeWords
        : `строка${bounds(rule.minLength, rule.maxLength, ['символа', 'символов'])}${form(rule)}`,
    has: (value, rule) =>
      typeof value === 'string' &&
      isWithin(codePointLength(value), rule.minLength, rule.maxLength) &&
      (rule.pattern === undefined || new RegExp(rule.pattern, 'u').test(value)),
  },
  array: {
    words: (rule) => `массив${bounds(rule.minItems, rule.maxItems, ['элемента', 'элементов'])}`,
    has: (value, rule) =>
      Array.isArray(value) && isWithin(value.length, rule.minItems, rule.maxItems),
  },
  object: {
    words: () => 'объект',
    has: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
}

function kind(type: string): Kind {
  const known = own(kinds, type)
  if (known === undefined) throw new TypeError(`schema type not understood: ${type}`)
  return known
}

export function types(rule: Rule): readonly string[] {
  const { type = '' } = rule
  return typeof type === 'string' ? [type] : type
}

/** « от 1 до 64 символов»: the unit is in the genitive, singular after 1, 21, 31 and so on. */
function bounds(
  min: number | undefined,
  max: number | undefined,
  [one, many]: readonly [string, string] = ['', ''],
): string {
  const last = max ?? min
  if (last === undefined) return ''
  const unit = last % 10 === 1 && last % 100 !== 11 ? one : many
  const parts = [min === undefined ? '' : `от ${min}`, max === undefined ? '' : `до ${max}`, unit]
  return parts.map((part) => (part === '' ? '' : ` ${part}`)).join('')
}

function form(rule: Rule): string {
  if (rule.pattern === undefined) return ''
  if (rule.title !== undefined) return ` ${rule.title}`
  const example = Array.isArray(rule.examples) ? rule.examples[0] : undefined
  return example === undefined ? ` по образцу ${rule.pattern}` : `, например ${example}`
}

export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
