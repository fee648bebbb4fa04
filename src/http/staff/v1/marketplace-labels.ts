import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { ownerOf } from '../../../clients/owner.ts'
import type { Sticker } from '../../../marketplaces/connector.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { operation } from '../operation.ts'

const picture = Type.String({ description: 'Картинка или страница для печати.' })
const media = { 'image/svg+xml': picture, 'image/png': picture, 'application/pdf': picture }
const answers = { 200: { description: 'Для печати.', media } }
type IdParams = { Params: { id: string } }

/** What a connected marketplace gives to print: a sticker an order, and the code of a shipment. */
export function addMarketplaceLabels(app: FastifyInstance, { db, desk }: StaffDependencies): void {
  const stickerSchema = operation({
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
    return print(reply, await desk.sticker(await ownerOf(db, 'orders', id), id))
  })

  const passSchema = operation({
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
    return print(reply, await desk.pass(await ownerOf(db, 'shipments', id), id))
  })
}

/** The code that the picture shows goes along, for those who print it in their own way. */
function print(reply: FastifyReply, sticker: Sticker): FastifyReply {
  if (sticker.code !== undefined) reply.header('X-Label-Code', encodeURIComponent(sticker.code))
  // A picture of somebody else's making runs no script here.
  reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  return reply.type(sticker.contentType).send(sticker.bytes)
}
