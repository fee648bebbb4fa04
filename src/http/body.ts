import type { Static, TSchema } from 'typebox'
import { badRequest, excerpt, invalidField } from '../kernel/errors.ts'
import { codePointLength, hasBadText, type JsonProblem, parseJson } from '../kernel/json.ts'

/**
 * Bodies of requests, read against the same TypeBox schema that describes them in the API reference.
 * What is no JSON of the right outline, unknown fields included, is a bad_request; a known field that
 * breaks its rule, or is missing, is a validation_error that names it by its path (specification,
 * Errors). The outline of the whole body is looked at before the rule of any field.
 */

/** The keywords of JSON schema that are understood here; all that the request schemas use. */
interface Rule {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Rule[]
  readonly properties?: Readonly<Record<string, Rule>>
  readonly required?: readonly string[]
  readonly items?: Rule
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: unknown
}

type Json = Readonly<Record<string, unknown>>

export interface BodyReading {
  /** Null for a field that may be left out, and whose rule does not allow null, leaves it out. */
  readonly nullIsAbsent?: boolean
}

/**
 * Reads a body. Lengths are counted in code points, and integers must be safe ones. Throws ApiError
 * bad_request or validation_error; TypeError where the schema has keywords from outside `Rule`.
 */
export function decodeBody<S extends TSchema>(
  schema: S,
  contentType: string | undefined,
  bytes: Uint8Array,
  { nullIsAbsent = false }: BodyReading = {},
): Static<S> {
  if (!isJsonType(contentType)) throw badRequest('Ожидается Content-Type: application/json (UTF-8)')
  const parsed = parseJson(bytes)
  if (!parsed.ok) throw badRequest(jsonProblems[parsed.problem](excerpt(parsed.key ?? '')))
  const rule: Rule = schema
  if (containerRule(rule, parsed.value) === undefined) {
    throw badRequest(`Тело запроса: ожидается ${describe(rule)}`)
  }
  checkOutline(rule, parsed.value, '')
  if (nullIsAbsent) dropNulls(rule, parsed.value)
  checkRules(rule, parsed.value, '')
  return parsed.value as Static<S>
}

const jsonProblems: Record<JsonProblem, (key: string) => string> = {
  utf8: () => 'Тело запроса: не UTF-8',
  syntax: () => 'Тело запроса: не JSON',
  depth: () => 'Тело запроса: слишком глубокая вложенность',
  duplicate_key: (key) => `Тело запроса: поле ${key} указано в одном объекте дважды`,
  prototype_key: (key) => `Тело запроса: недопустимое имя поля ${key}`,
}

function isJsonType(contentType = ''): boolean {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='))
  return (
    type === 'application/json' && charsets.every((given) => /^charset=("?)utf-8\1$/.test(given))
  )
}

/** Refuses unknown fields. An array that is too long is left to its rule, its elements unseen. */
function checkOutline(rule: Rule, value: unknown, path: string): void {
  const container = containerRule(rule, value)
  if (container === undefined) return
  if (Array.isArray(value)) {
    if (value.length > (container.maxItems ?? Number.POSITIVE_INFINITY)) return
    for (const [at, element] of value.entries()) {
      checkOutline(itemRule(container), element, `${path}[${at}]`)
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const known = own(container.properties ?? {}, key)
      if (known === undefined) {
        throw badRequest(`Неизвестное поле ${fieldPath(path, excerpt(key))}`)
      }
      checkOutline(known, value[key], fieldPath(path, key))
    }
  }
}

function dropNulls(rule: Rule, value: unknown): void {
  const container = containerRule(rule, value)
  if (container === undefined) return
  if (Array.isArray(value)) {
    for (const element of value) dropNulls(itemRule(container), element)
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(container.properties ?? {})) {
      const mayGo = value[key] === null && !container.required?.includes(key)
      if (mayGo && !fits(inner, null)) Reflect.deleteProperty(value, key)
      else dropNulls(inner, value[key])
    }
  }
}

/** Refuses the first value that breaks its rule, in the order of the schema. */
function checkRules(rule: Rule, value: unknown, path: string): void {
  if (typeof value === 'string' && hasBadText(value)) {
    throw invalidField(path, 'строка без символа U+0000 и непарных суррогатов')
  }
  if (!fits(rule, value)) throw invalidField(path === '' ? '[]' : path, describe(rule))
  const container = containerRule(rule, value)
  if (container === undefined) return
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) {
      checkRules(itemRule(container), element, `${path}[${at}]`)
    }
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(container.properties ?? {})) {
      const field = fieldPath(path, key)
      if (Object.hasOwn(value, key)) checkRules(inner, value[key], field)
      else if (container.required?.includes(key)) {
        throw invalidField(field, `обязательно, ${describe(inner)}`)
      }
    }
  }
}

/** Whether a value itself is as its rule wants it; what is inside it is looked at one by one. */
function fits(rule: Rule, value: unknown): boolean {
  if (rule.anyOf !== undefined) return rule.anyOf.some((option) => fits(option, value))
  if (rule.const !== undefined) return value === rule.const
  if (rule.enum !== undefined) return rule.enum.includes(value)
  return types(rule).some((type) => kind(type).fits(rule, value))
}

/** What a rule asks for, in words that follow the name of a field. */
function describe(rule: Rule): string {
  const options = rule.anyOf ?? []
  const allowed = rule.enum ?? options.map((option) => option.const)
  if (allowed.length > 0 && !allowed.includes(undefined)) return `одно из: ${allowed.join(', ')}`
  if (options.length > 0) return options.map(describe).join(' или ')
  if (rule.const !== undefined) return String(rule.const)
  return types(rule)
    .map((type) => kind(type).describe(rule))
    .join(' или ')
}

interface Kind {
  fits(rule: Rule, value: unknown): boolean
  describe(rule: Rule): string
}

const kinds: Readonly<Record<string, Kind>> = {
  null: { fits: (_, value) => value === null, describe: () => 'null' },
  boolean: { fits: (_, value) => typeof value === 'boolean', describe: () => 'true или false' },
  integer: {
    fits: (rule, value) =>
      Number.isSafeInteger(value) && between(value, rule.minimum, rule.maximum),
    describe: (rule) => `целое число${bounds(rule.minimum, rule.maximum)}`,
  },
  number: {
    fits: (rule, value) => Number.isFinite(value) && between(value, rule.minimum, rule.maximum),
    describe: (rule) => `число${bounds(rule.minimum, rule.maximum)}`,
  },
  string: {
    fits: (rule, value) =>
      typeof value === 'string' &&
      between(codePointLength(value), rule.minLength, rule.maxLength) &&
      (rule.pattern === undefined || new RegExp(rule.pattern, 'u').test(value)),
    describe: (rule) =>
      `строка${bounds(rule.minLength, rule.maxLength, ['символа', 'символов'])}${form(rule)}`,
  },
  array: {
    fits: (rule, value) =>
      Array.isArray(value) && between(value.length, rule.minItems, rule.maxItems),
    describe: (rule) => `массив${bounds(rule.minItems, rule.maxItems, ['элемента', 'элементов'])}`,
  },
  object: { fits: (_, value) => isObject(value), describe: () => 'объект' },
}

function kind(type: string): Kind {
  const known = own(kinds, type)
  if (known === undefined) throw new TypeError(`schema type not understood: ${type}`)
  return known
}

function types(rule: Rule): readonly string[] {
  const { type = '' } = rule
  return typeof type === 'string' ? [type] : type
}

/** The rule, or that of its options, which is about values of this kind: an array or an object. */
function containerRule(rule: Rule, value: unknown): Rule | undefined {
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : undefined
  if (type === undefined) return undefined
  return (rule.anyOf ?? [rule]).find((option) => types(option).includes(type))
}

function itemRule(rule: Rule): Rule {
  if (rule.items === undefined) throw new TypeError('array schema without items')
  return rule.items
}

function between(
  value: unknown,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
): boolean {
  return typeof value === 'number' && value >= min && value <= max
}

/** « от 1 до 64 символов»: the unit stands in the genitive, which differs after 1, 21, 31 and so on. */
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
  const example = Array.isArray(rule.examples) ? rule.examples[0] : undefined
  return example === undefined ? ` по образцу ${rule.pattern}` : `, например ${example}`
}

function fieldPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
