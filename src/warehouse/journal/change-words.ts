import { isId } from '../../platform/kernel/ids.ts'
import { fieldNames } from './field-names.ts'

/**
 * A change in words for managers: each field that differs, with its old and new value. Fields without words of their
 * own, and those that only machines need, are left out.
 */

const wordsMax = 30
const valueLengthMax = 120

/** What people call a code of a field; undefined for what is no code. */
export type CodeWords = (field: string, code: string) => string | undefined

/**
 * What differs between two states. Without a state before: the filled fields of the one after, those that say most
 * first. A field that the state after does not name is left out, because a change may record a part of the state.
 */
export function changesInWords(before: unknown, after: unknown, codeWords: CodeWords): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = Object.keys(now)
  const isNew = before === null || before === undefined
  const words = isNew ? newWords(names, now, codeWords) : changedWords(names, old, now, codeWords)
  return [...new Set(words)].slice(0, wordsMax)
}

type Fields = Readonly<Record<string, unknown>>

function changedWords(
  names: readonly string[],
  old: Fields,
  now: Fields,
  codeWords: CodeWords,
): string[] {
  return names.flatMap((name) => {
    const [was, is] = [old[name], now[name]].map((value) => shown(name, value, codeWords))
    if (was === is) return []
    return [`${fieldNames[name]}: ${Object.hasOwn(old, name) ? `${was} → ` : ''}${is}`]
  })
}

const sayMost = ['name', 'number', 'external_id', 'login', 'qty', 'reason', 'outcome', 'decision']

function newWords(names: readonly string[], now: Fields, codeWords: CodeWords): string[] {
  const first = sayMost.filter((name) => names.includes(name))
  const rest = names.filter((name) => !first.includes(name))
  return [...first, ...rest].flatMap((name) => {
    const text = shown(name, now[name], codeWords)
    return text === nothing || text === '0' ? [] : [`${fieldNames[name]}: ${text}`]
  })
}

const nothing = 'нет'

/** The entry itself names its object, its client and its goods, says who made the change and when. */
export const saysNothing: ReadonlySet<string> = new Set([
  ...['id', 'client_id', 'client_name', 'barcode', 'article', 'picture', 'picture_uploaded'],
  ...['at', 'created_at', 'created_by', 'saved_at', 'saved_by', 'opened_at', 'claimed_at'],
  ...['started_at', 'scanned_at', 'scanned_by', 'scanned_by_name', 'undone_at', 'undone_by'],
  ...['undone_by_name', 'packed_at', 'done_at', 'confirmed_at', 'approved_at', 'completed_at'],
  ...['cancelled_at', 'closed_at', 'accepted_at', 'ended_at', 'ended_by', 'finished_at'],
  ...['finished_by', 'resolved_at', 'resolved_by', 'decided_at', 'decided_by', 'reviewed_at'],
  ...['revoked_at', 'enrolled_at', 'changed_at', 'used_at', 'last_at', 'last_used_at', 'seen_at'],
  ...['credentials_at', 'sent_by', 'updated_at', 'synced_at', 'reported_by', 'undone'],
  // Of machines: numbers of scans and prints, leases, codes of marketplaces.
  ...['scan', 'scan_id', 'scans', 'repeated', 'print_id', 'attempts', 'lease_expires_at', 'query'],
  ...['list', 'preview', 'qr', 'key', 'token', 'link', 'picking_task_id', 'marketplace_status'],
  // Of the handheld, which says how far the order is.
  ...['order_picked', 'order_units'],
  ...['lacks', 'cargo_type', 'cross_border_type', 'scheme', 'label_codes', 'credentials_rights'],
])

const camel = /[A-Z]/g

function fieldsOf(state: unknown): Fields {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return {}
  const fields = Object.entries(inWords(state as Fields))
    .map(([name, value]) => [name.replace(camel, (c) => `_${c.toLowerCase()}`), value] as const)
    .filter(([name]) => !saysNothing.has(name) && name in fieldNames)
    // A box is called by its number.
    .filter(([name]) => name !== 'sscc' || !('box_id' in state))
  return Object.fromEntries(fields)
}

const labelled = /^(.+)_label$/

/** A status, kind or reason as people read it, where the state has that beside it. */
function inWords(state: Fields): Fields {
  const fields = Object.entries(state).filter(([name]) => !labelled.test(name))
  const words = Object.entries(state).flatMap(([name, value]) => {
    const [, field] = labelled.exec(name) ?? []
    return field !== undefined && typeof value === 'string' ? [[field, withinSentence(value)]] : []
  })
  return personInWords(Object.fromEntries([...fields, ...words]))
}

/** In the state of a user `name` is the name of a person, not a title; where it is the login it says nothing. */
function personInWords(state: Fields): Fields {
  const { name, ...rest } = state
  if (name === undefined || typeof rest.login !== 'string') return state
  return { ...rest, person_name: name === rest.login ? null : name }
}

function shown(field: string, value: unknown, codeWords: CodeWords): string {
  if (value === undefined || value === null || value === '') return nothing
  if (typeof value === 'boolean') return value ? 'да' : nothing
  if (Array.isArray(value)) {
    const parts = value.map((part) => shown(field, part, codeWords)).filter((p) => p !== nothing)
    return parts.length === 0 ? nothing : cutList(parts)
  }
  if (typeof value === 'object') return personOf(value) ?? partsOf(value, codeWords)
  const text = String(value)
  const word = codeWords(field, text)
  return cut(word === undefined ? momentText(text) : withinSentence(word))
}

/** Whom a state names: by the id, which the entry replaces by the name of today. */
function personOf(value: object): string | undefined {
  const { name, login, user_id: id } = value as Fields
  if (typeof login !== 'string') return undefined
  if (isId(String(id))) return String(id)
  return typeof name === 'string' ? name : login
}

function partsOf(value: object, codeWords: CodeWords): string {
  const parts = Object.entries(fieldsOf(value)).flatMap(([name, part]) => {
    const text = shown(name, part, codeWords)
    return text === nothing ? [] : [`${fieldNames[name]}: ${text}`]
  })
  return parts.length === 0 ? nothing : cut(parts.join('; '))
}

/** As a word stands after others; names keep their capitals. */
function withinSentence(word: string): string {
  return /^[А-ЯЁ][а-яё ]/.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word
}

/** A moment of ours as people write it. */
function momentText(text: string): string {
  const [, year, month, day, time] =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)\+03:00$/.exec(text) ?? []
  return time === undefined ? text : `${day}.${month}.${year} ${time}`
}

/** As many parts as have room. None is cut: a cut id would name nothing. */
function cutList([first = '', ...others]: readonly string[]): string {
  let text = cut(first)
  for (const [n, part] of others.entries()) {
    const longer = `${text}, ${part}`
    if (longer.length > valueLengthMax) return `${text} и ещё ${others.length - n}`
    text = longer
  }
  return text
}

function cut(text: string): string {
  return text.length <= valueLengthMax ? text : `${text.slice(0, valueLengthMax - 1)}…`
}
