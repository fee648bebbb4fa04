/** Throws if a test names an object that the fake does not have. */
export function mustFind<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`no such ${what}`)
  return value
}
