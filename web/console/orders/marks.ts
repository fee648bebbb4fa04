const words: Readonly<Record<string, string>> = {
  marking_code: 'код маркировки',
  uin: 'УИН',
  imei: 'IMEI',
  gtin: 'GTIN',
  expiration: 'срок годности',
  customs_declaration: 'таможенная декларация',
  rnpt: 'РНПТ',
  country: 'страна',
  weight: 'вес',
}

/** What a marketplace wants to know of each unit; a kind that is new here keeps the marketplace's name. */
export function marksWords(marks: readonly string[]): string {
  return marks.map((mark) => words[mark] ?? mark).join(', ')
}
