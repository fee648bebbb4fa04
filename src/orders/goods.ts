import type { Work } from '../db/work.ts'
import type { OrderDraft } from './verbs.ts'

/**
 * An order may come in before anybody knows the barcode of its goods: such a line can't be collected.
 * Told again with a barcode, it gets it; a barcode that is there stays.
 */
export async function nameGoods(
  work: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
): Promise<void> {
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
  if (nameless.length === 0) return
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
  await tx`
    update order_lines l set barcode = d.barcode, article = coalesce(l.article, d.article)
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (order_id uuid, line integer, barcode text, article text)
    where l.client_id = ${clientId} and l.order_id = d.order_id and l.line = d.line
      and l.barcode is null and d.barcode is not null`
  await tx`
    update orders o set barcode = d.barcode, article = coalesce(o.article, d.article)
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (order_id uuid, line integer, barcode text, article text)
    where o.client_id = ${clientId} and o.id = d.order_id and d.line = 1
      and o.barcode is null and d.barcode is not null`
}
