import type { Queryable } from '../../platform/db/connection.ts'

/** A slice has at most this many orders, unless a single client has more. */
const ordersMax = 50_000
const clientsMax = 200

export interface Slice {
  readonly clients: readonly string[]
  readonly orders: number
}

/**
 * Yields all clients in slices: many small clients together, so that statements are few, and a large
 * client alone. The order tallies say how large a client is.
 */
export async function* slicesOfClients(tx: Queryable): AsyncIterable<Slice> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const clients = await tx<{ id: string; orders: number }[]>`
      select c.id, (
        select coalesce(sum(t.orders), 0)::bigint from order_tallies t
        where t.client_id = c.id and t.span = 'all'
      ) as orders
      from clients c where c.id > ${last} order by c.id limit ${clientsMax}`
    if (clients.length === 0) return
    const slice: string[] = []
    let orders = 0
    for (const client of clients) {
      if (slice.length > 0 && orders + client.orders > ordersMax) break
      slice.push(client.id)
      orders += client.orders
    }
    yield { clients: slice, orders }
    last = slice.at(-1) ?? last
  }
}
