/** The form in which names and articles are compared in a search: letter case does not matter. */
export function fold(text: string): string {
  return text.toLowerCase()
}
