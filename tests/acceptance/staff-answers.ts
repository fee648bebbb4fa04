import assert from 'node:assert/strict'
import type { Answer } from '../support/client.ts'
import type { StaffClient } from '../support/staff.ts'

/** Answers of the staff API, read without their schemas. */

export type Fields = Readonly<Record<string, unknown>>
export const fieldsOf = ({ body }: Answer) => body as Fields
export const itemsOf = ({ body }: Answer) => (body as { items: Fields[] }).items

export async function made(answer: Promise<Answer>): Promise<Fields & { readonly id: string }> {
  const { status, text, body } = await answer
  assert.equal(status, 201, text)
  return body as Fields & { id: string }
}

/** Clients, and what the journal of changes says of objects. */
export function staffScene(administrator: StaffClient, manager: StaffClient) {
  let clients = 0
  return {
    newClient: (more: Fields = {}) =>
      made(manager.post('/clients', { name: `ООО «Клиент ${clients++}»`, ...more })),
    async lastChange(object: string): Promise<Fields> {
      const path = `/journal/staff?object_id=${object}&limit=1`
      const [entry] = itemsOf(await administrator.get(path))
      assert.ok(entry, `no entry about ${object}`)
      return entry
    },
  }
}
