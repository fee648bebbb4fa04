import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../../platform/kernel/schema.ts'
import { ShipmentShortage, shortagesOf } from '../../../../warehouse/shipments/shortages.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

export const ShipmentShortages = Type.Object(
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
  app.get<{ Params: { id: string } }>(
    '/shipments/:id/shortages',
    { schema, config },
    async (request) => {
      const { id } = request.params
      return { items: await shortagesOf(db, await ownerOfShipment(db, id), id) }
    },
  )
}
