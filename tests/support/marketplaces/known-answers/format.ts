import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Answers of the marketplaces as others documented or saw them, from tests/contract/known-answers.
 * Its README describes the format.
 */

export interface KnownCall {
  /** Method and path; `{id}` stands for one part of the path. `any`: answers that every call may get. */
  readonly call: string
  readonly cases: readonly KnownCase[]
}

export interface KnownCase {
  /** Unique within the call. */
  readonly name: string
  readonly kind: 'recorded' | 'documented' | 'composed'
  readonly request?: KnownRequest
  readonly answer: KnownAnswer
  /** What the answer means for us. */
  readonly meaning?: string
}

export interface KnownRequest {
  readonly path?: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

export interface KnownAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON; null: no body. With another content-type than JSON: the bytes as Latin-1 text. */
  readonly body: unknown
}

const kinds: readonly unknown[] = ['recorded', 'documented', 'composed']
const folder = fileURLToPath(new URL('../../../contract/known-answers/', import.meta.url))

/** All known calls of a marketplace. */
export function knownCalls(marketplace: 'wb' | 'ozon'): KnownCall[] {
  const files = globSync(`${folder}${marketplace}/*.json`).toSorted()
  return files.flatMap((file) => parseKnownAnswers(readFileSync(file, 'utf8'), file))
}

/** Reads one call, or a list of calls: the export of a cabinet. Throws at the first wrong field. */
export function parseKnownAnswers(text: string, where: string): KnownCall[] {
  const parsed: unknown = JSON.parse(text)
  const calls = Array.isArray(parsed) ? parsed : [parsed]
  return calls.map((call) => checkedCall(call, where))
}

function checkedCall(value: unknown, where: string): KnownCall {
  const { call, cases } = { ...(value as object) } as Partial<KnownCall>
  const isCall = call === 'any' || /^[A-Z]+ \/\S+$/.test(call ?? '')
  if (!isCall || call === undefined) throw new Error(`${where}: call is "METHOD /path" or "any"`)
  if (!Array.isArray(cases) || cases.length === 0) throw new Error(`${where}: ${call} has no cases`)
  for (const one of cases as Partial<KnownCase>[]) {
    const at = `${where}: ${call}, ${one.name}`
    if (typeof one.name !== 'string' || one.name === '') throw new Error(`${at}: name is missing`)
    if (!kinds.includes(one.kind)) throw new Error(`${at}: kind is one of ${kinds.join(', ')}`)
    if (typeof one.answer?.status !== 'number') throw new Error(`${at}: answer.status is missing`)
    if (!('body' in one.answer)) throw new Error(`${at}: answer.body is missing, or null`)
  }
  const names = cases.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Error(`${where}: ${call} has a name twice`)
  return { call, cases }
}

/** Whether a request is a call to this method and path. */
export function isCallTo(call: string, method: string, path: string): boolean {
  const pattern = call.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(`${method} ${path}`)
}

/** The cases of a call by name; throws for a call or a case that is not known. */
export function knownCases(calls: readonly KnownCall[], call: string) {
  const found = calls.find((one) => one.call === call)
  if (found === undefined) throw new Error(`${call} is not known`)
  return (name: string): KnownCase => {
    const one = found.cases.find((each) => each.name === name)
    if (one === undefined) throw new Error(`${call}: ${name} is not known`)
    return one
  }
}
