const markWords: Readonly<Record<string, string>> = {
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
  return marks.map((mark) => markWords[mark] ?? mark).join(', ')
}

/** OZON's flows in which the seller ships himself. */
const schemes: Readonly<Record<string, string>> = {
  rfbs: 'rFBS',
  aggregator: 'rFBS, перевозчик OZON',
  non_integrated: 'rFBS, доставляет продавец',
  '3pl_tracking': 'rFBS, перевозчик продавца',
  hybrid: 'смешанная',
  hybrid_aggregator: 'смешанная, перевозчик OZON',
  hybrid_non_integrated: 'смешанная, доставляет продавец',
  hybrid_3pl_tracking: 'смешанная, перевозчик продавца',
  click_and_collect: 'выдача в магазине',
}

/** A scheme that is new here keeps the marketplace's name. */
export function schemeWords(scheme: string): string {
  return schemes[scheme] ?? scheme
}
