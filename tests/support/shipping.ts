import assert from 'node:assert/strict'
import type { Marketplace } from '../../src/warehouse/clients/marketplace.ts'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import type { PickingTask } from '../../src/warehouse/picking/view.ts'
import type { StaffShipment } from '../../src/warehouse/shipments/staff-view.ts'
import type { Answer } from './client.ts'
import type { TestService } from './service.ts'
import { type StaffClient, staffClient } from './staff.ts'
import { makeClient, stockUp } from './warehouse.ts'

/** A well-formed id that no object has. */
export const nobody = '01a1fcc9-0000-7000-8000-000000000000'

export interface Floor {
  readonly client: string
  readonly cabinet: string
  readonly cabinets: readonly string[]
  readonly manager: StaffClient
  readonly worker: StaffClient
  /** The code of the client's warehouse. */
  readonly warehouse_code: string
  /** Takes WB orders of one unit in. `goods` has barcodes by order number. */
  orders(goods: Readonly<Record<string, string>>): Promise<StaffOrder[]>
  open(externalId?: string): Promise<StaffShipment>
  add(shipment: string, orders: readonly string[]): Promise<Answer>
  /** Opens a shipment with these orders. */
  filled(orders: readonly StaffOrder[]): Promise<StaffShipment>
  task(shipment: { readonly picking_task_id: string | null }): Promise<PickingTask>
  pick(task: string | null, pick: Readonly<Record<string, unknown>>): Promise<Answer>
  order(id: string): Promise<StaffOrder>
  report(id: string, supplier: string, buyer: string): Promise<StaffOrder>
  stock(barcode: string): Promise<readonly [quantity: number, reserved: number]>
}

export function good<T>(answer: Answer, status = 200): T {
  assert.equal(answer.status, status, answer.text.slice(0, 500))
  return answer.body as T
}

/** A manager chooses the sorting centre of WB's stand-in for all shipments of a cabinet. */
export async function chooseUsualPoint(manager: StaffClient, cabinet: string): Promise<void> {
  good(
    await manager.get(`/cabinets/${cabinet}/shipping-points?city=${encodeURIComponent('Москва')}`),
  )
  const items = [1, 2, 3].map((cargo_type) => ({ cargo_type, point_id: 100 }))
  good(await manager.put(`/cabinets/${cabinet}/shipping-defaults`, { items }))
}

let opened = 0

/** A client with stock, and staff who work over HTTP. */
export async function openFloor(
  service: TestService,
  units: Readonly<Record<string, number>>,
  marketplaces: readonly Marketplace[] = ['WB'],
): Promise<Floor> {
  const { db } = service
  const { id: client, cabinets } = await makeClient(db, marketplaces)
  await stockUp(db, client, units)
  const [cabinet = ''] = cabinets
  const [{ warehouse_code = '' } = {}] = await db<{ warehouse_code?: string }[]>`
    select warehouse_code from clients where id = ${client}`
  const manager = await staffClient(service, 'manager')
  const worker = await staffClient(service, 'worker')
  const floor: Floor = {
    client,
    cabinet,
    cabinets,
    manager,
    worker,
    warehouse_code,
    async orders(goods) {
      const drafts = Object.entries(goods).map(([external_id, barcode]) => ({
        cabinet_id: cabinet,
        external_id,
        barcode,
        marketplace_status: { supplier: 'new', buyer: 'waiting' },
      }))
      const answer = await manager.post(`/clients/${client}/orders`, drafts)
      return good<{ items: StaffOrder[] }>(answer, 201).items
    },
    async open(externalId = `WB-GI-${++opened}`) {
      const draft = { cabinet_id: cabinet, external_id: externalId }
      return good(await worker.post('/shipments', draft), 201)
    },
    add: (shipment, orders) => worker.post(`/shipments/${shipment}/orders`, { order_ids: orders }),
    async filled(orders) {
      const { id } = await floor.open()
      return good(
        await floor.add(
          id,
          orders.map((order) => order.id),
        ),
      )
    },
    task: async (shipment) => good(await worker.get(`/picking-tasks/${shipment.picking_task_id}`)),
    pick: (task, pick) => worker.post(`/picking-tasks/${task}/picks`, pick),
    order: async (id) => good(await worker.get(`/orders/${id}`)),
    report: async (id, supplier, buyer) =>
      good(await manager.patch(`/orders/${id}`, { marketplace_status: { supplier, buyer } })),
    async stock(barcode) {
      const [row] = await db<{ quantity: number; reserved: number }[]>`
        select quantity, reserved from stock_balances
        where client_id = ${client} and barcode = ${barcode}`
      return [row?.quantity ?? 0, row?.reserved ?? 0]
    },
  }
  return floor
}
