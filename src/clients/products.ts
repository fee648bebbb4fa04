import type { Work } from '../db/work.ts'
import { fold } from './fold.ts'

export interface ProductDraft {
  readonly barcode: string
  readonly name: string
  readonly article?: string | null | undefined
  readonly honestMark?: boolean | undefined
}

/**
 * Goods become known: they enter the product list and, with nothing on the shelf, the stock list.
 * Goods already known stay as they are.
 */
export async function learnProducts(
  work: Work,
  clientId: string,
  drafts: readonly ProductDraft[],
): Promise<void> {
  const rows = drafts.map((draft) => ({
    barcode: draft.barcode,
    name: draft.name,
    article: draft.article ?? null,
    honest_mark: draft.honestMark ?? false,
    name_folded: fold(draft.name),
    article_folded: draft.article == null ? null : fold(draft.article),
  }))
  await work.tx`
    with learned as (
      insert into products
        (client_id, barcode, name, article, honest_mark, name_folded, article_folded, created_at)
      select ${clientId}, p.*, ${work.at}
      from jsonb_to_recordset(${work.tx.json(rows)}) as p
        (barcode text, name text, article text, honest_mark boolean, name_folded text, article_folded text)
      order by p.barcode collate "C"
      on conflict do nothing
      returning barcode
    )
    insert into stock_balances (client_id, barcode, updated_at)
    select ${clientId}, barcode, ${work.at} from learned order by barcode`
}

/** Names of those of the barcodes that are known goods of the client. */
export async function knownNames(
  work: Work,
  clientId: string,
  barcodes: readonly string[],
): Promise<Map<string, string>> {
  const rows = await work.tx<{ barcode: string; name: string }[]>`
    select barcode, name from products
    where client_id = ${clientId} and barcode = any(${barcodes as string[]})`
  return new Map(rows.map((row) => [row.barcode, row.name]))
}
