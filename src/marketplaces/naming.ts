const namedMax = 5

/** The first few of several, and how many more there are. */
export function firstOf(names: readonly string[], between = ', '): string {
  const more = names.length > namedMax ? ` и ещё ${names.length - namedMax}` : ''
  return `${names.slice(0, namedMax).join(between)}${more}`
}
