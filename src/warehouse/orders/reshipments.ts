import type { Work } from '../../platform/db/work.ts'

/** Records of orders that came back to be handed over again: every statement that writes `reshipments`. */

export interface Reshipment {
  readonly order: { readonly id: string }
  /** The shipment here that the order left. */
  readonly shipmentId: string
  /** The marketplace's number of the shipment. */
  readonly supply: string
}

export async function recordReshipments(
  { tx, at }: Work,
  clientId: string,
  reshipments: readonly Reshipment[],
): Promise<void> {
  const rows = reshipments.map(({ order, shipmentId, supply }) => ({
    order_id: order.id,
    supply,
    shipment_id: shipmentId,
  }))
  await tx`
    insert into reshipments (client_id, order_id, supply, shipment_id, at)
    select ${clientId}, r.order_id, r.supply, r.shipment_id, ${at}
    from jsonb_to_recordset(${tx.json(rows)}) as r (order_id uuid, supply text, shipment_id uuid)`
}

/** The recorded ones of these orders, as `order supply`. */
export async function recordedReshipments(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ order_id: string; supply: string }[]>`
    select order_id, supply from reshipments
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])`
  return new Set(rows.map(({ order_id, supply }) => `${order_id} ${supply}`))
}
