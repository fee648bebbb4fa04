import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import type { OrderLineDraft } from '../../warehouse/orders/draft.ts'
import { takeInOrders } from '../../warehouse/orders/intake.ts'
import { goods } from '../scenario/goods.ts'
import { nextNumber, type Scene } from './scene.ts'
import { freeGoods } from './stock.ts'

/** New orders of the WB cabinet. */

export interface KnownOrder {
  readonly id: string
  readonly externalId: string
}

/** A new order for goods that are free. */
export async function bringOrder(scene: Scene, onlyMarked = false): Promise<KnownOrder> {
  const barcode = await freeGoods(scene, onlyMarked)
  const good = goods.find((each) => each.barcode === barcode)
  const { article, nmId } = good ?? {}
  const line = { barcode, ...(article === undefined ? {} : { article }), quantity: 1 }
  return takeIn(scene, await nextNumber(scene, 'orders'), line, nmId)
}

/** Takes a new order of one line in. */
export async function takeIn(
  { work, clientId, cabinetId }: Scene,
  externalId: string,
  line: OrderLineDraft,
  nmId?: number,
): Promise<KnownOrder> {
  const reading = readWildberriesStatus({ supplier: 'new', buyer: 'waiting' })
  const draft = {
    externalId,
    createdAt: work.now,
    isB2b: false,
    ...(nmId === undefined ? {} : { nmId }),
    lines: [line],
    reading,
  }
  await takeInOrders(work, clientId, cabinetId, [draft])
  const [order] = await work.tx<{ id: string }[]>`
    select id from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id = ${externalId}`
  if (order === undefined) throw new Error(`order ${externalId} vanished in its own transaction`)
  return { id: order.id, externalId }
}
