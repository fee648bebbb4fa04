import type { FakeResponse } from './fake.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A handler whose answers have all fields of `fields` as well: what the marketplace sends and no test
 * needs. The only item of a list in `fields` stands for each item of that list.
 */
export function filled<Request>(
  handler: (request: Request) => FakeResponse,
  fields: Fields,
): (request: Request) => FakeResponse {
  return (request) => {
    const response = handler(request)
    return response.body === undefined
      ? response
      : { ...response, body: fill(fields, response.body) }
  }
}

function fill(fields: unknown, value: unknown): unknown {
  if (Array.isArray(fields) && Array.isArray(value)) {
    return fields.length === 0 ? value : value.map((item) => fill(fields[0], item))
  }
  if (!isFields(fields) || !isFields(value)) return value
  const given = Object.entries(value).map(([name, item]) => [name, fill(fields[name], item)])
  const more = Object.entries(fields).filter(([name, item]) => !(name in value) && !isItems(item))
  return Object.fromEntries([...more, ...given])
}

const isItems = (value: unknown) => Array.isArray(value) && isFields(value[0])

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
