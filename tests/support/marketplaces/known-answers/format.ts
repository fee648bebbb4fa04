import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Answers of the marketplaces as others documented or recorded them, from tests/contract/known-answers.
 * Its README describes the format.
 */

export interface RecordedCall {
  /** Method and path; `{id}` stands for one part of the path. `any`: answers that every call may get. */
  readonly call: string
  readonly cases: readonly RecordedCase[]
}

export interface RecordedCase {
  /** Unique within the call. */
  readonly name: string
  readonly kind: 'recorded' | 'documented' | 'composed'
  readonly request?: RecordedRequest
  readonly answer: RecordedAnswer
  /** What the answer means for us. */
  readonly meaning?: string
}

export interface RecordedRequest {
  readonly path?: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

export interface RecordedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON; null: no body. With another content-type than JSON: the bytes as Latin-1 text. */
  readonly body: unknown
}

const kinds: readonly unknown[] = ['recorded', 'documented', 'composed']
const folder = fileURLToPath(new URL('../../../contract/known-answers/', import.meta.url))

/** All recorded calls of a marketplace. */
export function recordedCalls(marketplace: 'wb' | 'ozon'): RecordedCall[] {
  const files = globSync(`${folder}${marketplace}/*.json`).toSorted()
  return files.flatMap((file) => parseRecorded(readFileSync(file, 'utf8'), file))
}

/** Reads one call, or a list of calls: the export of a cabinet. Throws at the first wrong field. */
export function parseRecorded(text: string, where: string): RecordedCall[] {
  const parsed: unknown = JSON.parse(text)
  const calls = Array.isArray(parsed) ? parsed : [parsed]
  return calls.map((call) => checkedCall(call, where))
}

function checkedCall(value: unknown, where: string): RecordedCall {
  const { call, cases } = { ...(value as object) } as Partial<RecordedCall>
  const isCall = call === 'any' || /^[A-Z]+ \/\S+$/.test(call ?? '')
  if (!isCall || call === undefined) throw new Error(`${where}: call is "METHOD /path" or "any"`)
  if (!Array.isArray(cases) || cases.length === 0) throw new Error(`${where}: ${call} has no cases`)
  for (const one of cases as Partial<RecordedCase>[]) {
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

/** The cases of a call by name; throws for a call or a case that is not recorded. */
export function recordedCases(calls: readonly RecordedCall[], call: string) {
  const found = calls.find((one) => one.call === call)
  if (found === undefined) throw new Error(`${call} is not recorded`)
  return (name: string): RecordedCase => {
    const one = found.cases.find((each) => each.name === name)
    if (one === undefined) throw new Error(`${call}: ${name} is not recorded`)
    return one
  }
}
