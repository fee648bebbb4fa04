import assert from 'node:assert/strict'
import type { Answer } from '../support/client.ts'

/** Answers of the staff API, read without their schemas. */

export type Fields = Readonly<Record<string, unknown>>
export const fieldsOf = ({ body }: Answer) => body as Fields
export const itemsOf = ({ body }: Answer) => (body as { items: Fields[] }).items

export async function made(answer: Promise<Answer>): Promise<Fields & { readonly id: string }> {
  const { status, text, body } = await answer
  assert.equal(status, 201, text)
  return body as Fields & { id: string }
}
