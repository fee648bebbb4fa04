/**
 * The form in which a search compares names and articles: letter case, and е or ё, make no difference.
 * Composed first, because some keyboards write ё as two characters.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ё', 'е')
}
