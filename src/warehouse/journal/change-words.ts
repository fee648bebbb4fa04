import { fieldNames } from './field-names.ts'

/**
 * A change in words for managers: each field that differs, with its old and new value. Fields without a Russian name
 * keep their own.
 */

const wordsMax = 30
const valueLengthMax = 120

/**
 * What differs between two states; of a state without another one, its fields that are filled, those that say most first.
 * Of a field that the state after does not name nothing is said: a change may record a part of the state alone.
 */
export function changesInWords(before: unknown, after: unknown): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = Object.keys(now).filter((name) => !saysNothing.has(name))
  const isNew = before === null || before === undefined
  const words = isNew ? newWords(names, now) : changedWords(names, old, now)
  return words.slice(0, wordsMax)
}

type Fields = Readonly<Record<string, unknown>>

function changedWords(names: readonly string[], old: Fields, now: Fields): string[] {
  return names
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => {
      const was = Object.hasOwn(old, name) ? `${shown(old[name])} → ` : ''
      return `${fieldNames[name] ?? name}: ${was}${shown(now[name])}`
    })
}

const sayMost = ['name', 'number', 'external_id', 'login', 'qty', 'reason', 'outcome', 'decision']

function newWords(names: readonly string[], now: Fields): string[] {
  const first = sayMost.filter((name) => names.includes(name))
  const rest = names.filter((name) => !first.includes(name))
  return [...first, ...rest]
    .map((name) => [name, shown(now[name])] as const)
    .filter(([, text]) => text !== '' && text !== nothing)
    .map(([name, text]) => `${fieldNames[name] ?? name}: ${text}`)
}

const nothing = 'нет'

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
  return personInWords(Object.fromEntries([...fields, ...words]))
}

/** A user's name is no title, and a login in its place says nothing of it. */
function personInWords(state: Fields): Fields {
  const { name, ...rest } = state
  if (name === undefined || typeof rest.login !== 'string') return state
  return { ...rest, person_name: name === rest.login ? null : name }
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return nothing
  if (typeof value === 'boolean') return value ? 'да' : nothing
  if (Array.isArray(value)) return value.length === 0 ? nothing : cut(value.map(shown).join(', '))
  if (typeof value === 'object') {
    const { name, login } = value as { readonly name?: unknown; readonly login?: unknown }
    if (typeof login === 'string') return typeof name === 'string' ? name : login
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
