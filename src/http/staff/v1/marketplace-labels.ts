import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Sticker } from '../../../marketplaces/connector.ts'
import { ownerOfOrder } from '../../../orders/staff-queries.ts'
import { ownerOfShipment } from '../../../shipments/staff-queries.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'

const picture = Type.String({ description: 'Картинка или страница для печати.' })
const media = { 'image/svg+xml': picture, 'image/png': picture, 'application/pdf': picture }
const answers = { 200: { description: 'Для печати.', media } }
type IdParams = { Params: { id: string } }

/** Labels that a connected marketplace issues: stickers of orders, and codes of shipments. */
export function addMarketplaceLabels(
  app: FastifyInstance,
  { db, coordinator }: StaffDependencies,
): void {
  const stickerSchema = staffOperation({
    id: 'getOrderSticker',
    tag: 'Сборка',
    summary: 'Этикетка заказа',
    description: 'Этикетка маркетплейса для упаковки заказа; формат выбирает маркетплейс.',
    params: { id: 'Идентификатор заказа.' },
    answers,
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.get<IdParams>('/orders/:id/sticker', { schema: stickerSchema }, async (request, reply) => {
    const { id } = request.params
    return print(reply, await coordinator.sticker(await ownerOfOrder(db, id), id))
  })

  const passSchema = staffOperation({
    id: 'getShipmentPass',
    tag: 'Сборка',
    summary: 'Код отгрузки',
    description: 'Код, который маркетплейс сканирует при передаче; бывает после закрытия.',
    params: { id: 'Идентификатор отгрузки.' },
    answers,
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.get<IdParams>('/shipments/:id/pass', { schema: passSchema }, async (request, reply) => {
    const { id } = request.params
    return print(reply, await coordinator.pass(await ownerOfShipment(db, id), id))
  })
}

/** Adds the text of the code as a header, for clients that print it themselves. */
function print(reply: FastifyReply, sticker: Sticker): FastifyReply {
  if (sticker.code !== undefined) reply.header('X-Label-Code', encodeURIComponent(sticker.code))
  // An SVG from outside must not run scripts.
  reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  return reply.type(sticker.contentType).send(sticker.bytes)
}
