import type { Work } from '../db/work.ts'
import type { OrderDraft, OrderLineDraft } from './verbs.ts'

/**
 * An order may come in before anybody knows the barcode of its goods: such a line can't be collected.
 * Told again with a barcode, it gets it; a barcode that is there stays. Answers the numbers of orders
 * that got one.
 */
export async function nameGoods(
  work: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
): Promise<string[]> {
  const { tx } = work
  const named = drafts.filter(({ lines }) => lines.some(({ barcode }) => barcode !== undefined))
  const numbers = named.map(({ externalId }) => externalId)
  const nameless = await tx<{ id: string; external_id: string }[]>`
    select o.id, o.external_id from orders o
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.external_id = any(${numbers}) and exists (
        select from order_lines l
        where l.client_id = o.client_id and l.order_id = o.id and l.barcode is null)
    order by o.id for update of o`
  if (nameless.length === 0) return []
  const ids = new Map(nameless.map(({ external_id, id }) => [external_id, id]))
  const rows = named.flatMap(({ externalId, lines }) => {
    const orderId = ids.get(externalId)
    if (orderId === undefined) return []
    return lines.map(({ barcode, article }, index) => ({
      order_id: orderId,
      line: index + 1,
      barcode: barcode ?? null,
      article: article ?? null,
    }))
  })
  const completed = await tx<{ order_id: string }[]>`
    update order_lines l set barcode = d.barcode, article = coalesce(l.article, d.article)
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (order_id uuid, line integer, barcode text, article text)
    where l.client_id = ${clientId} and l.order_id = d.order_id and l.line = d.line
      and l.barcode is null and d.barcode is not null
    returning l.order_id`
  await tx`
    update orders o set barcode = d.barcode, article = coalesce(o.article, d.article)
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (order_id uuid, line integer, barcode text, article text)
    where o.client_id = ${clientId} and o.id = d.order_id and d.line = 1
      and o.barcode is null and d.barcode is not null`
  const got = new Set(completed.map(({ order_id }) => order_id))
  return nameless.filter(({ id }) => got.has(id)).map(({ external_id }) => external_id)
}

/** Lines that name their goods by article alone get the barcode, where one product only has it. */
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
