import type { FakeAnswer, FakeCall } from './fake.ts'
import type { Seller } from './wildberries.ts'

/** A call to the fake WB, and how it is refused. */

export interface Surroundings {
  readonly now: () => number
  readonly newNumber: () => number
  readonly pageSize: (asked: number) => number
}

export interface Question extends Surroundings {
  readonly call: FakeCall
  readonly seller: Seller
  /** Parts of the path that stand for ids. */
  readonly ids: readonly string[]
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly data: unknown

  constructor(status: number, code: string, data: unknown = null) {
    super(code)
    this.status = status
    this.code = code
    this.data = data
  }
}

export function refused({ status, code, data }: Refusal): FakeAnswer {
  return { status, body: { code, message: `Отказ: ${code}`, data } }
}

export function check(holds: boolean, status: number, code: string, data?: unknown): asserts holds {
  if (!holds) throw new Refusal(status, code, data)
}

export const time = (instant: number | undefined) =>
  instant === undefined ? null : new Date(instant).toISOString()

export const bodyOf = ({ call }: Question) => (call.body ?? {}) as Record<string, unknown>

export function listIn(question: Question, name: string, longest: number): string[] {
  const list = bodyOf(question)[name]
  const fits = Array.isArray(list) && list.length > 0 && list.length <= longest
  check(fits, 400, 'IncorrectRequest')
  return list.map(String)
}

export function pageIn({ call, pageSize }: Question): { from: number; size: number } {
  const { limit, next } = call.query
  const asked = Number(limit)
  check(Number.isInteger(asked) && asked >= 1 && asked <= 1000, 400, 'IncorrectParameter')
  check(next !== undefined && /^\d+$/.test(next), 400, 'IncorrectParameter')
  return { from: Number(next), size: pageSize(asked) }
}
