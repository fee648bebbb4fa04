/** Rules of fields («целое число от 1») as text for people who do not know the names of the fields. */
export function asSentences(rules: readonly string[]): string {
  return rules.map((rule) => rule.charAt(0).toUpperCase() + rule.slice(1)).join('. ')
}

const namedMax = 5

/** The first five names, and how many more there are, in Russian. */
export function firstNames(names: readonly string[], between = ', '): string {
  const more = names.length > namedMax ? ` и ещё ${names.length - namedMax}` : ''
  return `${names.slice(0, namedMax).join(between)}${more}`
}
