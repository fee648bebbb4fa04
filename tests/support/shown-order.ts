import type { Queryable } from '../../src/db/connection.ts'
import { findOrderJson } from '../../src/orders/queries.ts'
import type { Order } from '../../src/orders/view.ts'

/** An order as `GET /v1/orders/{id}` shows it. */
export async function shownOrder(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Order | undefined> {
  const json = await findOrderJson(db, clientId, id)
  return json && (JSON.parse(json.toString()) as Order)
}
