/** Rules of fields («целое число от 1») as text for people who do not know the names of the fields. */
export function asSentences(rules: readonly string[]): string {
  return rules.map((rule) => rule.charAt(0).toUpperCase() + rule.slice(1)).join('. ')
}
