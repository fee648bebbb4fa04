import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { ownerOf } from '../../../clients/owner.ts'
import { named } from '../../../kernel/schema.ts'
import { type ShipmentShortage, shortagesOf } from '../../../shipments/shortages.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { operation } from '../operation.ts'

export const ShipmentShortages = Type.Object(
  { items: Type.Array(Type.Unsafe<ShipmentShortage>({ $ref: 'ShipmentShortage#' })) },
  { $id: 'ShipmentShortages', description: 'Чего не хватило, по заказам.' },
)
const config = { role: 'manager' } as const

/** What shipments that were made in a marketplace's own cabinet took beyond the stock. */
export function addShipmentShortages(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = operation({
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
      return { items: await shortagesOf(db, await ownerOf(db, 'shipments', id), id) }
    },
  )
}
