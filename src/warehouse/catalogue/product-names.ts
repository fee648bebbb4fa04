import type { Queryable } from '../../platform/db/connection.ts'

interface ProductOf {
  readonly client_id: string
  readonly barcode: string
}

/** Names of products of several clients; undefined where the client has no such product. */
export async function productNames(
  db: Queryable,
  asked: readonly ProductOf[],
): Promise<(clientId: string | null, barcode: string) => string | undefined> {
  const clients = asked.map(({ client_id }) => client_id)
  const barcodes = asked.map(({ barcode }) => barcode)
  const rows =
    asked.length === 0
      ? []
      : await db<(ProductOf & { name: string })[]>`
          select p.client_id, p.barcode, p.name from products p
          join (select distinct * from unnest(${clients}::uuid[], ${barcodes}::text[])
            as asked (client_id, barcode)) a using (client_id, barcode)`
  const names = new Map(rows.map((row) => [`${row.client_id} ${row.barcode}`, row.name]))
  return (clientId, barcode) => names.get(`${clientId} ${barcode}`)
}
