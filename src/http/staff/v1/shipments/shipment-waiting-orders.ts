import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../../platform/kernel/schema.ts'
import { ordersForShipment } from '../../../../warehouse/orders/staff-queries.ts'
import { StaffOrder } from '../../../../warehouse/orders/staff-view.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { linesWithGoods } from '../../pictures.ts'
import { joiningMax, type ShipmentPath, shipmentParams } from './shipment-schemas.ts'

export const WaitingOrders = Type.Object(
  {
    items: Type.Array(named<StaffOrder>(StaffOrder), {
      description: `Сначала с самым близким сроком, без срока — последними; не больше ${joiningMax}.`,
    }),
  },
  { $id: 'WaitingOrders', description: 'Заказы, которые ждут отгрузки.' },
)

/** What `addOrdersToShipment` takes. */
export function addWaitingOrders(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listWaitingOrders',
    tag: 'Сборка',
    summary: 'Заказы, которые можно добавить',
    description:
      'Заказы кабинета этой отгрузки, новые и на сборке, которых нет ни в одной отгрузке; и те, что нужно передать ' +
      'ещё раз.',
    params: shipmentParams,
    answers: { 200: { description: 'Заказы.', schema: named(WaitingOrders) } },
    errors: ['not_found'],
  })
  app.get<ShipmentPath>('/shipments/:id/waiting-orders', { schema }, async (request) => {
    const { id } = request.params
    const orders = await ordersForShipment(db, await ownerOfShipment(db, id), id, joiningMax)
    return { items: await linesWithGoods(db, orders) }
  })
}
