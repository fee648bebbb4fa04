const namedMax = 5

/** The first five names, and how many more there are, in Russian. */
export function firstNames(names: readonly string[], between = ', '): string {
  const more = names.length > namedMax ? ` и ещё ${names.length - namedMax}` : ''
  return `${names.slice(0, namedMax).join(between)}${more}`
}
