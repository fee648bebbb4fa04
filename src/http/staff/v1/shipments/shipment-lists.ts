import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { count, momentOrNull, named } from '../../../../platform/kernel/schema.ts'
import { ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { ordersForShipment } from '../../../../warehouse/orders/staff-queries.ts'
import { StaffOrder } from '../../../../warehouse/orders/staff-view.ts'
import { dayShipment } from '../../../../warehouse/shipments/day-shipment.ts'
import { ShipmentShortage, shortagesOf } from '../../../../warehouse/shipments/shortages.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import { found } from '../../../route/list.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { linesWithGoods } from '../../pictures.ts'
import { joiningMax, type ShipmentPath, shipmentParams } from './shipment-schemas.ts'

/** What a manager looks at beside a shipment: what it lacked, which orders may join it, what may leave today. */

const ShipmentShortages = Type.Object(
  { items: Type.Array(named<ShipmentShortage>(ShipmentShortage)) },
  { $id: 'ShipmentShortages', description: 'Чего не хватило, по заказам.' },
)
const config = { role: 'manager' } as const

/** Units that mirrored shipments took from the warehouse beyond its stock. */
export function addShipmentShortages(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listShipmentShortages',
    tag: 'Сборка',
    summary: 'Чего не хватило отгрузке',
    description:
      'Отгрузку, собранную в кабинете маркетплейса, склад списывает с остатка, пока он есть; ' +
      'остальное — здесь: пересчитайте товар и внесите корректировку.',
    params: { id: 'Идентификатор отгрузки.' },
    answers: { 200: { description: 'Нехватки.', schema: named(ShipmentShortages) } },
    errors: ['not_found'],
  })
  app.get<ShipmentPath>('/shipments/:id/shortages', { schema, config }, async (request) => {
    const { id } = request.params
    return { items: await shortagesOf(db, await ownerOfShipment(db, id), id) }
  })
}

const WaitingOrders = Type.Object(
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

const PlannedOrder = {
  order_id: Type.String({ description: 'Заказ.' }),
  external_id: Type.String({ description: 'Его номер на маркетплейсе.' }),
  deadline: momentOrNull('Его срок; null, если срока нет.'),
  goods: Type.String({ description: 'Что в нём.' }),
  units: count('Сколько в нём единиц.'),
}
const DayShipment = Type.Object(
  {
    leaving: Type.Array(Type.Object(PlannedOrder), {
      description: 'Заказы, которые могут уехать вместе: их и принимает `openShipment`.',
    }),
    staying: Type.Array(
      Type.Object({
        ...PlannedOrder,
        reason: Type.String({ description: 'Что мешает, по-русски.' }),
      }),
      { description: 'Остальные.' },
    ),
  },
  { $id: 'DayShipment', description: 'Что может уехать сейчас, сначала самое срочное.' },
)

export function addDayShipment(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'planDayShipment',
    tag: 'Сборка',
    summary: 'Что может уехать сейчас',
    description:
      `Заказы кабинета, которых нет ни в одной отгрузке, не больше ${joiningMax}: для каких товар свободен, а какие ` +
      'останутся и почему. Товар достаётся сначала самым срочным. Одной отгрузкой едут заказы одного вида; за остальными ' +
      'спросите ещё раз, когда отгрузка открыта.',
    params: { id: 'Идентификатор кабинета.' },
    answers: { 200: { description: 'Заказы.', schema: named(DayShipment) } },
    errors: ['not_found'],
  })
  app.get<{ Params: { id: string } }>('/cabinets/:id/day-shipment', { schema }, async (request) => {
    const { id } = request.params
    return found(await dayShipment(db, await ownerOfCabinet(db, id), id, joiningMax))
  })
}
