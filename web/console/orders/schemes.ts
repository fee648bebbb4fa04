/** OZON's names of the flows in which the seller ships himself. */
const words: Readonly<Record<string, string>> = {
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
  return words[scheme] ?? scheme
}
