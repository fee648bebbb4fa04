import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { plainBarcode } from '../../platform/kernel/codes/goods-barcode.ts'
import { plainCode } from '../../platform/kernel/codes/written-code.ts'
import { type Breach, badRequest, excerpt, invalidFields } from '../../platform/kernel/errors.ts'
import {
  hasBadText,
  type JsonProblem,
  type ParsedJson,
  parseJson,
} from '../../platform/kernel/json.ts'
import type { JsonBreak } from '../../platform/kernel/json-syntax.ts'
import {
  breachOf,
  keeps,
  optionsOf,
  own,
  type Rule,
  textProblemOf,
  types,
  wordsOf,
} from './body-rules.ts'
import { likelyName } from './look-alike.ts'

/**
 * Reads bodies of requests by the TypeBox schemas that describe them in the API reference. A body that is not JSON or
 * has an unknown field is a bad_request. Fields that are missing or break their rules are a validation_error, which
 * names all of them by their paths (specification, Errors). Unknown fields anywhere in the body are refused before
 * any rule is checked.
 *
 * Callers write absence in several ways: null in an optional field counts as absent, unless the
 * field's rule allows null. Spreadsheets and chats leave white space and characters that nobody sees in the texts that
 * identify goods: they are taken off before all else.
 */

type Json = Record<string, unknown>

export interface BodyReading {
  /**
   * An empty text in an optional field counts as absent, too. In bodies that change an object absence
   * keeps the value, so there an empty text stays what its rule says.
   */
  readonly emptyIsAbsent?: boolean
}

/** The body of a request as it came; empty where it has none. */
export function bytesOf({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return body instanceof Buffer ? body : Buffer.alloc(0)
}

/** A body in JSON and what in it breaks a rule, in the schema's order. */
export interface ReadBody {
  readonly value: unknown
  readonly breaches: readonly Breach[]
}

/**
 * Reads a body. Counts lengths in code points and takes safe integers only. Throws bad_request or
 * validation_error, and TypeError for a schema of an unknown type.
 */
export function decodeBody<S extends TSchema>(
  schema: S,
  contentType: string | undefined,
  bytes: Uint8Array,
  reading?: BodyReading,
): Static<S> {
  const { value, breaches } = readBody(schema, contentType, bytes, reading)
  if (breaches.length > 0) throw invalidFields(breaches)
  return value as Static<S>
}

/** Like `decodeBody`, but what breaks a rule is answered and not thrown. */
export function readBody(
  schema: TSchema,
  contentType: string | undefined,
  bytes: Uint8Array,
  { emptyIsAbsent = false }: BodyReading = {},
): ReadBody {
  // First: a call without a body often names no type either, and the type is not what it lacks.
  if (bytes.length === 0) {
    throw badRequest('Тело запроса: тело пустое, ожидается JSON с Content-Type: application/json')
  }
  if (!isJsonType(contentType)) throw badRequest('Ожидается Content-Type: application/json (UTF-8)')
  const parsed = parseJson(bytes)
  if (!parsed.ok) throw badRequest(jsonProblems[parsed.problem](parsed))
  const rule: Rule = schema
  if (containerRule(rule, parsed.value) === undefined) {
    throw badRequest(`Тело запроса: ожидается ${wordsOf(rule)}`)
  }
  checkOutline(rule, parsed.value, '')
  tidy(rule, parsed.value, emptyIsAbsent ? [null, ''] : [null])
  const breaches: Breach[] = []
  findBreaches(rule, parsed.value, '', breaches)
  return { value: parsed.value, breaches }
}

type RefusedJson = Extract<ParsedJson, { ok: false }>

const jsonProblems: Record<JsonProblem, (refused: RefusedJson) => string> = {
  utf8: () => 'Тело запроса: не UTF-8',
  syntax: ({ at }) => `Тело запроса: не JSON${describeBreak(at)}`,
  depth: () => 'Тело запроса: слишком глубокая вложенность',
  duplicate_key: ({ key = '' }) =>
    `Тело запроса: поле ${excerpt(key)} указано в одном объекте дважды`,
  prototype_key: ({ key = '' }) => `Тело запроса: недопустимое имя поля ${excerpt(key)}`,
}

function describeBreak(at: JsonBreak | undefined): string {
  if (at === undefined) return ''
  const { line, column, isEnd } = at
  return isEnd ? ', текст обрывается раньше конца' : `, ошибка в строке ${line}, символ ${column}`
}

function isJsonType(contentType = ''): boolean {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter))
  return type === 'application/json' && charsets.every(isUtf8Charset)
}

/** Clients write UTF-8 with and without the hyphen, and in quotes of both kinds. */
function isUtf8Charset(parameter: string): boolean {
  return /^charset\s*=\s*(["']?)utf[-_]?8\1$/.test(parameter)
}

/** Refuses unknown fields. Skips the elements of an array that is too long: its rule refuses it. */
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
        const field = fieldPath(path, excerpt(key) || '„“')
        throw badRequest(`Неизвестное поле ${field}${adviceFor(container, key, value)}`)
      }
      checkOutline(known, value[key], fieldPath(path, key))
    }
  }
}

/** The field that an unknown one may mean: one of a similar name, otherwise those that are missing. */
function adviceFor({ properties = {}, required = [] }: Rule, key: string, given: Json): string {
  const meant = likelyName(key, Object.keys(properties))
  if (meant !== undefined) return `, возможно, вы имели в виду ${meant}`
  const missing = required.filter((name) => !Object.hasOwn(given, name))
  return missing.length === 0 ? '' : `; не хватает обязательных: ${missing.join(', ')}`
}

/** What a text of these fields means, however it was copied. */
const plainTexts: ReadonlyMap<string, (text: string) => string> = new Map([
  ['barcode', plainBarcode],
  ['article', plainCode],
  ['name', (text) => text.trim()],
])

/** Reads `plainTexts`, then deletes optional fields that say nothing. */
function tidy(rule: Rule, value: unknown, nothing: readonly unknown[]): void {
  const container = containerRule(rule, value)
  if (container === undefined) return
  if (Array.isArray(value)) {
    for (const element of value) tidy(itemRule(container), element, nothing)
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(container.properties ?? {})) {
      const given = own(value, key)
      const plain = plainTexts.get(key)
      if (typeof given === 'string' && plain !== undefined) value[key] = plain(given)
      const mayGo = nothing.includes(value[key]) && !container.required?.includes(key)
      if (mayGo && !keeps(inner, null)) Reflect.deleteProperty(value, key)
      else tidy(inner, given, nothing)
    }
  }
}

/** Collects what breaks its rule, in the schema's order of fields. */
function findBreaches(rule: Rule, value: unknown, path: string, found: Breach[]): void {
  if (!keeps(rule, value)) {
    found.push(breachOf(path === '' ? '[]' : path, rule, value))
    return
  }
  if (typeof value === 'string' && hasBadText(value)) {
    found.push({ path, rule: 'строка без символа U+0000 и непарных суррогатов' })
    return
  }
  const problem = typeof value === 'string' ? textProblemOf(rule, value) : undefined
  if (problem !== undefined) found.push({ path, rule: problem })
  const container = containerRule(rule, value)
  if (container === undefined) return
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) {
      findBreaches(itemRule(container), element, `${path}[${at}]`, found)
    }
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(container.properties ?? {})) {
      const field = fieldPath(path, key)
      if (Object.hasOwn(value, key)) findBreaches(inner, value[key], field, found)
      else if (container.required?.includes(key)) {
        found.push({ path: field, rule: `обязательно, ${wordsOf(inner)}` })
      }
    }
  }
}

/** The rule for an array or object: the rule itself or the option that allows such a value. */
function containerRule(rule: Rule, value: unknown): Rule | undefined {
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : undefined
  if (type === undefined) return undefined
  return (optionsOf(rule) ?? [rule]).find((option) => types(option).includes(type))
}

function itemRule(rule: Rule): Rule {
  if (rule.items === undefined) throw new TypeError('array schema without items')
  return rule.items
}

function fieldPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
