import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { count, momentOrNull, named } from '../../../../platform/kernel/schema.ts'
import { ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { dayShipment } from '../../../../warehouse/shipments/day-shipment.ts'
import { found } from '../../../route/list.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { joiningMax } from './shipment-schemas.ts'

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
