import type { Work } from '../../platform/db/work.ts'
import type { OrderDraft, OrderLineDraft } from './draft.ts'

/** Completes lines that have only an article with the barcode of the one product that has it. */
export async function withBarcodesOfArticles(
  { tx }: Work,
  clientId: string,
  drafts: readonly OrderDraft[],
): Promise<OrderDraft[]> {
  const lines = drafts.flatMap((draft) => draft.lines)
  const articles = new Set(lines.flatMap((line) => articleAlone(line) ?? []))
  if (articles.size === 0) return [...drafts]
  const rows = await tx<{ article: string; barcode: string }[]>`
    select article, min(barcode) as barcode from products
    where client_id = ${clientId} and article = any(${[...articles]})
    group by article having count(*) = 1`
  const known = new Map(rows.map(({ article, barcode }) => [article, barcode]))
  const lineWith = (line: OrderLineDraft): OrderLineDraft => {
    const barcode = known.get(articleAlone(line) ?? '')
    return barcode === undefined ? line : { ...line, barcode }
  }
  return drafts.map((draft) => ({ ...draft, lines: draft.lines.map(lineWith) }))
}

function articleAlone({ barcode, article }: OrderLineDraft): string | undefined {
  return barcode === undefined && article !== '' ? article : undefined
}
