import { dayAfter } from '../../ui/lists/filters.tsx'

/** What the address asks of a list, as the API takes it. The last day of the address counts, the end of the API does not. */
export function askedIn<Query extends object>(
  address: Readonly<Record<string, string>>,
  names: readonly (keyof Query & string)[],
): Query {
  const given = names.flatMap((name) => {
    const text = name === 'created_to' || name === 'to' ? dayAfter(address[name]) : address[name]
    return text === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(given) as Query
}
