import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/** The column that tells versions of a request apart, of receipts r: the digest of everything that a seller may change. */
export function requestVersion(db: Queryable) {
  return db`
    encode(sha256(convert_to(jsonb_build_array(r.external_ref, r.comment, r.planned_date, r.cabinet_id, (
      select jsonb_agg(jsonb_build_array(i.barcode, i.name, i.article, i.honest_mark, i.expected_qty)
        order by i.line, i.barcode)
      from receipt_items i where i.client_id = r.client_id and i.receipt_id = r.id
    ))::text, 'UTF8')), 'hex')`
}

/** Throws conflict where the request, which is locked, has another version than the one that was seen. */
export async function refuseUnseenVersion(
  { tx }: Work,
  clientId: string,
  id: string,
  seen: string,
): Promise<void> {
  const [row] = await tx<{ version: string }[]>`
    select ${requestVersion(tx)} as version from receipts r
    where r.client_id = ${clientId} and r.id = ${id}`
  if (row?.version === seen) return
  throw conflict(
    'Продавец изменил заявку, пока вы её смотрели: проверьте новый состав и подтвердите',
  )
}
