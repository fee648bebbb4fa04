import type { Queryable } from '../../platform/db/connection.ts'

/** A slice has at most this many orders, unless a single client has more. */
const ordersMax = 50_000
const clientsMax = 200

export interface Slice {
  readonly clients: readonly string[]
  readonly orders: number
}

/**
 * Yields clients in slices: many small clients together, so that statements are few, and a large
 * client alone. The order tallies say how large a client is. Clients that went to another cell are audited there.
 *
 * @param clients all unless given
 */
export async function* slicesOfClients(
  tx: Queryable,
  clients?: readonly string[],
): AsyncIterable<Slice> {
  const ofClients = clients === undefined ? tx`` : tx`and c.id = any(${[...clients]}::uuid[])`
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const found = await tx<{ id: string; orders: number }[]>`
      select c.id, (
        select coalesce(sum(t.orders), 0)::bigint from order_tallies t
        where t.client_id = c.id and t.span = 'all'
      ) as orders
      from clients c where c.id > ${last} and c.mode <> 'moved' ${ofClients} order by c.id limit ${clientsMax}`
    if (found.length === 0) return
    const slice: string[] = []
    let orders = 0
    for (const client of found) {
      if (slice.length > 0 && orders + client.orders > ordersMax) break
      slice.push(client.id)
      orders += client.orders
    }
    yield { clients: slice, orders }
    last = slice.at(-1) ?? last
  }
}
