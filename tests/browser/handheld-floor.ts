import { randomUUID } from 'node:crypto'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import { type Floor, good } from '../support/shipping.ts'

/** What lies ready on the floor before a worker opens the handheld. */

/** Units by barcode, by the number of their order. */
export type OrderedGoods = Readonly<Record<string, Readonly<Record<string, number>>>>

export async function placeOrders(floor: Floor, orders: OrderedGoods): Promise<StaffOrder[]> {
  const drafts = Object.entries(orders).map(([external_id, goods]) => ({
    cabinet_id: floor.cabinet,
    external_id,
    lines: Object.entries(goods).map(([barcode, qty]) => ({ barcode, qty })),
  }))
  const answer = await floor.manager.post(`/clients/${floor.client}/orders`, drafts)
  return good<{ items: StaffOrder[] }>(answer, 201).items
}

/** A shipment whose orders are picked. */
export async function pickedShipment(floor: Floor, orders: OrderedGoods): Promise<StaffShipment> {
  const shipment = await floor.filled(await placeOrders(floor, orders))
  const { lines = [] } = await floor.task(shipment)
  for (const { order_id, barcode, qty } of lines) {
    for (let n = 0; n < qty; n++) {
      const pick = { scan_id: randomUUID(), order_id, barcode }
      good(await floor.pick(shipment.picking_task_id, pick))
    }
  }
  return shipment
}

/** A count that workers may scan for. */
export async function startCount(floor: Floor, scope: object): Promise<string> {
  const draft = { client_id: floor.client, scope }
  const { id } = good<StockCount>(await floor.manager.post('/counts', draft), 201)
  good(await floor.manager.post(`/counts/${id}/start`))
  return id
}

/** A receipt of ten units that workers may scan for. */
export async function startReceipt(floor: Floor, barcode: string): Promise<StaffReceipt> {
  const items = [{ barcode, name: 'Чай', qty: 10 }]
  const path = `/clients/${floor.client}/receipts`
  const { id } = good<StaffReceipt>(await floor.manager.post(path, { items }), 201)
  return good(await floor.worker.post(`/receipts/${id}/start`))
}
