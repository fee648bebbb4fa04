import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Sticker } from '../../../marketplaces/connector.ts'
import { ownerOfOrder } from '../../../orders/staff-queries.ts'
import { ownerOfShipment } from '../../../shipments/staff-queries.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { staffOperation } from '../operation.ts'

const picture = Type.String({ description: 'Картинка или страница для печати.' })
const media = { 'image/svg+xml': picture, 'image/png': picture, 'application/pdf': picture }
export const labelAnswers = { 200: { description: 'Для печати.', media } }
type IdParams = { Params: { id: string } }

/** What a connected marketplace prints: stickers of orders, codes and papers of shipments. */
export function addMarketplaceLabels(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, coordinator } = dependencies
  addDocuments(app, dependencies)
  const stickerSchema = staffOperation({
    id: 'getOrderSticker',
    tag: 'Сборка',
    summary: 'Этикетка заказа',
    description:
      'Этикетка маркетплейса для упаковки заказа; формат выбирает маркетплейс. Если заказ в нескольких ' +
      'коробках, в файле OZON этикетки всех. `X-Label-Code` — текст кода с этикетки, если он известен: у OZON ' +
      'это первый из `label_codes` заказа.',
    params: { id: 'Идентификатор заказа.' },
    answers: labelAnswers,
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.get<IdParams>('/orders/:id/sticker', { schema: stickerSchema }, async (request, reply) => {
    const { id } = request.params
    return printMarketplaceLabel(reply, await coordinator.sticker(await ownerOfOrder(db, id), id))
  })

  const passSchema = staffOperation({
    id: 'getShipmentPass',
    tag: 'Сборка',
    summary: 'Код отгрузки',
    description: 'Код, который маркетплейс сканирует при передаче; бывает после закрытия.',
    params: { id: 'Идентификатор отгрузки.' },
    answers: labelAnswers,
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.get<IdParams>('/shipments/:id/pass', { schema: passSchema }, async (request, reply) => {
    const { id } = request.params
    return printMarketplaceLabel(reply, await coordinator.pass(await ownerOfShipment(db, id), id))
  })
}

const documents = [
  {
    kind: 'papers',
    path: '/shipments/:id/papers',
    id: 'getShipmentPapers',
    summary: 'Документы отгрузки',
    description:
      'Лист отгрузки или акт и транспортная накладная в одном PDF, как их составил маркетплейс. Бывают ' +
      'после закрытия; если ещё готовятся, ответ 409 с `Retry-After`. WB их не печатает.',
  },
  {
    kind: 'containers',
    path: '/shipments/:id/container-labels',
    id: 'getShipmentContainerLabels',
    summary: 'Этикетки грузовых мест',
    description: 'PDF с этикетками грузовых мест отгрузки OZON.',
  },
  {
    kind: 'discrepancy',
    path: '/shipments/:id/discrepancy-act',
    id: 'getShipmentDiscrepancyAct',
    summary: 'Акт о расхождениях',
    description:
      'PDF с тем, что OZON при приёмке насчитал иначе; бывает у принятых отгрузок продавцов из СНГ.',
  },
] as const

function addDocuments(app: FastifyInstance, { db, coordinator }: StaffDependencies): void {
  for (const { kind, path, id, summary, description } of documents) {
    const schema = staffOperation({
      id,
      tag: 'Сборка',
      summary,
      description,
      params: { id: 'Идентификатор отгрузки.' },
      answers: { 200: { description: 'Для печати.', media: { 'application/pdf': picture } } },
      errors: ['not_found', 'conflict', 'marketplace_unavailable'],
    })
    app.get<IdParams>(path, { schema }, async (request, reply) => {
      const shipment = request.params.id
      const clientId = await ownerOfShipment(db, shipment)
      return printMarketplaceLabel(reply, await coordinator.document(clientId, shipment, kind))
    })
  }
}

/** Adds the text of the code as a header, for clients that print it themselves. */
export function printMarketplaceLabel(reply: FastifyReply, sticker: Sticker): FastifyReply {
  if (sticker.code !== undefined) reply.header('X-Label-Code', encodeURIComponent(sticker.code))
  // An SVG from outside must not run scripts.
  reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  return reply.type(sticker.contentType).send(sticker.bytes)
}
