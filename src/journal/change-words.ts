import { fieldNames } from './field-names.ts'

/**
 * A change in words for managers: each field that differs, with its old and new value. Fields without a Russian name
 * keep their own.
 */

const wordsMax = 30
const valueLengthMax = 120

/** What differs between two states; of a state without another one, its fields. */
export function changesInWords(before: unknown, after: unknown): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const words = names.flatMap((name) => {
    const [from, to] = [shown(old[name]), shown(now[name])]
    if (JSON.stringify(old[name]) === JSON.stringify(now[name]) || saysNothing.has(name)) return []
    const label = fieldNames[name] ?? name
    if (before === null || before === undefined) return [`${label}: ${to}`]
    return [`${label} ${from} → ${to}`]
  })
  return words.slice(0, wordsMax)
}

/** The entry names its object and client by itself. */
export const saysNothing: ReadonlySet<string> = new Set(['id', 'client_id', 'client_name'])

function fieldsOf(state: unknown): Readonly<Record<string, unknown>> {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return {}
  return inWords(state as Record<string, unknown>)
}

const labelled = /^(.+)_label$/

/** A status, kind or reason as people read it, where the state has that beside it. */
function inWords(state: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = Object.entries(state).filter(([name]) => !labelled.test(name))
  const words = Object.entries(state).flatMap(([name, value]) => {
    const [, field] = labelled.exec(name) ?? []
    return field !== undefined && typeof value === 'string' ? [[field, value.toLowerCase()]] : []
  })
  return Object.fromEntries([...fields, ...words])
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'нет'
  if (typeof value === 'boolean') return value ? 'да' : 'нет'
  if (Array.isArray(value)) return value.length === 0 ? 'нет' : cut(value.map(shown).join(', '))
  if (typeof value === 'object') {
    const { login } = value as { readonly login?: unknown }
    if (typeof login === 'string') return login
    const parts = Object.entries(fieldsOf(value)).flatMap(([name, part]) =>
      saysNothing.has(name) ? [] : [`${fieldNames[name] ?? name}: ${shown(part)}`],
    )
    return cut(parts.join('; '))
  }
  return cut(momentText(String(value)))
}

/** A moment of ours as people write it. */
function momentText(text: string): string {
  const [, year, month, day, time] =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)\+03:00$/.exec(text) ?? []
  return time === undefined ? text : `${day}.${month}.${year} ${time}`
}

function cut(text: string): string {
  return text.length <= valueLengthMax ? text : `${text.slice(0, valueLengthMax - 1)}…`
}
