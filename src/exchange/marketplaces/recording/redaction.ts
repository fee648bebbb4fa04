import { isRawNumber, rawNumber } from '../../../platform/kernel/json.ts'
import { keepsHeader, keepsQuery, kindOfField } from './allowed-fields.ts'

/**
 * Removes buyers and credentials from the calls of a cabinet, before anything is stored. The structure stays:
 * a removed value is replaced by one of the same JSON type, so a parser reads the body alike.
 */

/** What stands for a removed text. */
export const removed = 'removed'
const depthMax = 40
const textMax = 300
/** Cursors may be long. */
const wordMax = 1_000

export interface Redaction {
  /** The call's path: some names mean goods in one answer and people in another. */
  readonly path: string
  /** Texts that occur nowhere in what is kept. */
  readonly secrets: readonly string[]
}

/** Redacts a parsed body. */
export function redactBody(body: unknown, redaction: Redaction): unknown {
  const redactValue = (value: unknown, name: string, parent: string, depth: number): unknown => {
    if (depth > depthMax) return null
    if (Array.isArray(value)) {
      return value.map((item) => redactValue(item, name, parent, depth + 1))
    }
    if (isObject(value)) return redactFields(value, name, depth + 1)
    return redactScalar(value, kindOfField(name, parent, redaction.path), redaction)
  }
  const redactFields = (fields: object, parent: string, depth: number): object =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const isPersonal = kindOfField(name, parent, redaction.path) === 'personal'
        const kept = isPersonal ? emptied(value, depth) : redactValue(value, name, parent, depth)
        return [keptName(name), kept]
      }),
    )
  return redactValue(body, '', '', 0)
}

/** A key that is no name of a field could be anything, such as a phone. */
function keptName(name: string): string {
  return /^[A-Za-z_$][\w$.-]{0,79}$/.test(name) ? name : removed
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawNumber(value)
}

/** The structure alone. */
function emptied(value: unknown, depth: number): unknown {
  if (depth > depthMax) return null
  if (Array.isArray(value)) return value.map((item) => emptied(item, depth + 1))
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [keptName(name), emptied(inner, depth + 1)]),
    )
  }
  return markerFor(value)
}

function redactScalar(
  value: unknown,
  kind: ReturnType<typeof kindOfField>,
  { secrets }: Redaction,
): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return redactText(value, kind, secrets)
  const isSecret = secrets.includes(String(isRawNumber(value) ? rawTextOf(value) : value))
  return kind === 'word' && !isSecret ? value : markerFor(value)
}

/** Latin letters, digits and marks; no spaces, so no names of people. */
const word = /^[\w.,:;+/=#()@*!?&%'"|~$[\]{}<>^\\-]*$/
const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/

function redactText(value: string, kind: string, secrets: readonly string[]): string {
  if (value === '') return value
  if (kind === 'file') return fileLike(value)
  const clean = value.length <= wordMax && scrubbed(value, secrets) === value
  if (kind === 'word' && clean && word.test(value) && !email.test(value)) return value
  if (kind === 'unknown' && time.test(value) && value.includes('T')) return value
  if (kind === 'unknown' && URL.canParse(value)) return addressLike(value)
  // Secrets first: what is taken for a phone would no longer be found as a part of a secret.
  if (kind === 'text') return withoutContacts(scrubbed(value, secrets)).slice(0, textMax)
  if (kind === 'refusal') {
    return withoutNames(withoutContacts(scrubbed(value, secrets))).slice(0, textMax)
  }
  return String(markerFor(value))
}

const email = /[\w.+-]+@[\w-]+\.[\w.]+/
const emails = new RegExp(email, 'g')
/** Ten digits and more, as in phones and tax numbers, with the usual marks between them. */
const longNumbers = /\+?\d(?:[\s().-]{0,2}\d){9,}/g

function withoutContacts(text: string): string {
  return text.replace(emails, removed).replace(longNumbers, (found) => found.replace(/\d/g, '0'))
}

/** A word with a capital letter may be a name, also at the beginning; a code in Latin capitals is none. */
const capitalised = /(?<![\p{L}\d_])(?![A-Z][A-Z\d_]+(?![\p{L}\d_]))\p{Lu}[\p{L}'’-]*/gu

function withoutNames(text: string): string {
  return text.replace(capitalised, '…')
}

const tokens = /\beyJ[\w-]{4,}(?:\.[\w-]*){0,2}/g

function scrubbed(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => rest.replace(patternOf(secret), removed),
    text.replace(tokens, removed),
  )
}

/** A secret of digits is a whole number: its digits may be part of another number by chance. */
function patternOf(secret: string): RegExp {
  const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(/^\d+$/.test(secret) ? `(?<!\\d)${literal}(?!\\d)` : literal, 'g')
}

/** A value of the same type that says nothing. Texts of digits stay texts of digits. */
function markerFor(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value === '') return value
    return /^\d+$/.test(value) ? '0'.repeat(Math.min(value.length, 20)) : removed
  }
  return typeof value === 'number' || isRawNumber(value) ? 0 : value
}

/** The first bytes of a label, in the encoding it came in: they tell its type. */
function fileLike(value: string): string {
  if (/^[A-Za-z0-9+/\s]+=*\s*$/.test(value)) {
    const start = Buffer.from(value.slice(0, 64), 'base64').toString('latin1')
    return Buffer.from(fileStart(start), 'latin1').toString('base64')
  }
  return fileStart(value)
}

function fileStart(start: string): string {
  const known = ['%PDF-1.4', '\x89PNG\r\n\x1a\n', '<svg/>'].find((one) =>
    start.startsWith(one.slice(0, 4)),
  )
  return known ?? (start.startsWith('<?xml') ? '<svg/>' : '')
}

/** The host of an address; its path and query could open a file. */
function addressLike(value: string): string {
  const { origin, protocol } = new URL(value)
  return /^https?:$/.test(protocol) ? `${origin}/${removed}` : removed
}

/** Query parameters; an unknown one loses its value. */
export function redactQuery(
  query: Readonly<Record<string, string | number | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    kept[name] = redactText(String(value), keepsQuery(name) ? 'word' : 'removed', secrets)
  }
  return kept
}

export function redactHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !keepsHeader(name)) continue
    kept[name] = scrubbed(String(value), secrets).slice(0, textMax)
  }
  return kept
}

/** Paths of the marketplaces' calls; the path of a file could open the file. */
export function redactPath(path: string, secrets: readonly string[]): string {
  const [plain = ''] = path.split('?')
  return /^\/(?:api|content|v\d+)\//.test(plain) ? scrubbed(plain, secrets) : '/file'
}

const rawTextOf = (value: unknown) => JSON.stringify(value)

/** Parses JSON and keeps integers beyond 2^53 as they are written. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value, context?: { source?: string }) => {
    const source = context?.source ?? ''
    const isLarge = typeof value === 'number' && !Number.isSafeInteger(value)
    return isLarge && /^-?\d+$/.test(source) ? rawNumber(source) : value
  })
}
