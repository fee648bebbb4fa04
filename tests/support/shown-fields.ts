import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'

interface Described {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** Asserts that JSON of the object has the fields of the schema in their order, and leaves out optional ones only. */
export function assertShown(schema: TSchema, object: object): void {
  const { properties = {}, required = [] } = schema as Described
  const shown = JSON.parse(JSON.stringify(object)) as Record<string, unknown>
  const fields = Object.keys(properties).filter((field) => field in shown)
  assert.deepEqual(Object.keys(shown), fields)
  for (const field of required) assert.ok(field in shown, field)
  for (const field of fields) {
    assert.ok(shown[field] !== null || required.includes(field), `${field} is left out, not null`)
  }
}

/** Every row whose values come from `row`, with null for each combination of these columns. */
export function* withNulls<Row extends object>(
  row: Row,
  nullable: readonly (keyof Row)[],
): Generator<Row> {
  for (let chosen = 0; chosen < 2 ** nullable.length; chosen += 1) {
    const nulls = nullable.filter((_, index) => (chosen >> index) & 1)
    yield { ...row, ...Object.fromEntries(nulls.map((column) => [column, null])) }
  }
}
