/** The form in which a search compares names and articles: letter case makes no difference. */
export function foldCase(text: string): string {
  return text.toLowerCase()
}
