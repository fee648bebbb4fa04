import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import {
  notePage,
  noteSvg,
  type OrderLabel,
  orderLabelSvg,
} from '../../../../documents/labels/order-label.ts'
import { type LabelImage, labelsHtml } from '../../../../documents/labels/page.ts'
import { bytesOfPdf, labelsPdf } from '../../../../documents/labels/pdf.ts'
import { isPdf, joinPdfs } from '../../../../documents/papers/merge.ts'
import type { Sticker } from '../../../../exchange/marketplaces/connector.ts'
import {
  findOrderLabelFacts,
  type OrderLabelFacts,
  orderLabelFactsOfShipment,
  ownerOfOrder,
} from '../../../../warehouse/orders/staff-queries.ts'
import { ownerOfShipment } from '../../../../warehouse/shipments/staff-queries.ts'
import { drawingMessages } from '../../../files/paper-answer.ts'
import { found, rawQuery } from '../../../route/list.ts'
import { oneOf, query } from '../../../route/query.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

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
      'это первый из `label_codes` заказа. Если кабинет не подключён — наша этикетка с номером заказа, ' +
      '58 × 40 мм.',
    params: { id: 'Идентификатор заказа.' },
    answers: labelAnswers,
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.get<IdParams>('/orders/:id/sticker', { schema: stickerSchema }, async (request, reply) => {
    const { id } = request.params
    const clientId = await ownerOfOrder(db, id)
    const facts = found(await findOrderLabelFacts(db, clientId, id))
    return printMarketplaceLabel(reply, await stickerOfOrder(dependencies, clientId, id, facts))
  })
  addShipmentStickers(app, dependencies)

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

const stickersMax = 200
const missingNamedMax = 50
const stickersQuery = query({
  part: oneOf(partsOfShipment(), {
    description: `Какие ${stickersMax} этикеток по счёту: «1» — первые, «2» — следующие.`,
  }),
})

/** Enough for a shipment of ten thousand orders. */
function partsOfShipment(): string[] {
  return Array.from({ length: 50 }, (_, n) => String(n + 1))
}

function addShipmentStickers(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'getShipmentStickers',
    tag: 'Сборка',
    summary: 'Этикетки всех заказов отгрузки',
    description:
      `Документ для печати, этикетка на листе 58 × 40 мм, в порядке задания на сборку; не больше ${stickersMax} за ` +
      'раз. Этикетки печатает маркетплейс, а если кабинет не подключён — наши, с номером заказа. У заказа, ' +
      'этикетки которого у маркетплейса ещё нет, на листе сказано почему. У OZON это PDF, и этикетки в нём такого ' +
      'размера, какой печатает OZON.',
    params: { id: 'Идентификатор отгрузки.' },
    query: stickersQuery,
    answers: {
      200: {
        description: 'Для печати.',
        media: { 'text/html': picture },
      },
    },
    errors: ['bad_request', 'not_found', 'conflict', 'rate_limited', 'marketplace_unavailable'],
    messages: drawingMessages,
  })
  app.get<IdParams>('/shipments/:id/stickers', { schema }, async (request, reply) => {
    const { part = '1' } = stickersQuery.parse(rawQuery(request))
    const { id } = request.params
    const clientId = await ownerOfShipment(db, id)
    const stickers = await stickersOfShipment(dependencies, clientId, id, Number(part))
    if (stickers.missing.length > 0) {
      const named = stickers.missing.slice(0, missingNamedMax).map(encodeURIComponent)
      reply.header('X-Missing-Labels', named.join(','))
    }
    return reply
      .header('Content-Security-Policy', labelsPolicy)
      .type(stickers.type)
      .send(stickers.body)
  })
}

/** A page of labels runs nothing and loads nothing. */
export const labelsPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-modals"

/** Something to print, as it is sent. */
export interface PrintContent {
  readonly type: 'application/pdf' | 'text/html; charset=utf-8'
  readonly body: Buffer | string
}

/** Labels on a page for the browser's print. */
export function labelsContent(title: string, labels: readonly LabelImage[]): PrintContent {
  return { type: 'text/html; charset=utf-8', body: labelsHtml(title, labels) }
}

/** The label of an order: the marketplace's, or ours where the cabinet is not connected. */
export async function stickerOfOrder(
  { coordinator }: Pick<StaffDependencies, 'coordinator'>,
  clientId: string,
  id: string,
  facts: OrderLabelFacts,
): Promise<Sticker> {
  return facts.connected ? coordinator.sticker(clientId, id) : ownLabel(facts)
}

/** The labels of one part of a shipment's orders. What is missing has a page that says why. */
export async function stickersOfShipment(
  { db, clock, coordinator }: Pick<StaffDependencies, 'db' | 'clock' | 'coordinator'>,
  clientId: string,
  id: string,
  part: number,
): Promise<PrintContent & { readonly missing: readonly string[] }> {
  const page = { limit: stickersMax, offset: (part - 1) * stickersMax }
  const orders = await orderLabelFactsOfShipment(db, clientId, id, page)
  const title = titleOfStickers(orders[0])
  if (!orders.some(({ connected }) => connected)) {
    const drawn = await Promise.all(orders.map((facts) => orderLabelSvg(labelOf(facts))))
    const labels = drawn.map((svg) => ({ svg }))
    return { ...labelsContent(title, labels), missing: [] }
  }
  const numbers = orders.map(({ number }) => number)
  const { arePdfs, printed, missing } = await coordinator.stickers(clientId, id, numbers)
  const stickers = new Map(printed.map((sticker) => [sticker.externalId, sticker]))
  const reasons = new Map(missing.map(({ externalId, reason }) => [externalId, reason]))
  const labels = numbers.map((number) => ({
    number,
    sticker: stickers.get(number),
    reason: reasons.get(number) ?? 'Маркетплейс не дал этикетку этого заказа',
  }))
  return arePdfs
    ? stickersAsPdf(labels, title, new Date(clock.now()))
    : { ...stickersAsPage(labels, title), missing: [...reasons.keys()] }
}

interface StickerOrNote {
  readonly number: string
  readonly sticker: Sticker | undefined
  readonly reason: string
}

function stickersAsPage(labels: readonly StickerOrNote[], title: string): PrintContent {
  const images = labels.map(({ number, sticker, reason }): LabelImage => {
    if (sticker === undefined || sticker.contentType === 'application/pdf') {
      return { svg: noteSvg(number, reason) }
    }
    return { contentType: sticker.contentType, bytes: sticker.bytes }
  })
  return labelsContent(title, images)
}

/** Each sticker may have several pages, one for each box of its order. */
async function stickersAsPdf(labels: readonly StickerOrNote[], title: string, now: Date) {
  const note = async (number: string, reason: string) =>
    bytesOfPdf(await labelsPdf([() => notePage(number, reason)], title, now))
  const missing: string[] = []
  const parts: Buffer[] = []
  for (const { number, sticker, reason } of labels) {
    const isReadable = sticker !== undefined && (await isPdf(sticker.bytes))
    const said = sticker === undefined ? reason : unreadableLabel
    if (!isReadable) missing.push(number)
    parts.push(isReadable ? sticker.bytes : await note(number, said))
  }
  const body = await joinPdfs(parts)
  return { type: 'application/pdf' as const, body, missing }
}

const unreadableLabel = 'Этикетка не читается: напечатайте её отдельно, из заказа'

function titleOfStickers(facts: OrderLabelFacts | undefined): string {
  return `Этикетки отгрузки ${facts?.shipment ?? ''}`.trim()
}

async function ownLabel(facts: OrderLabelFacts): Promise<Sticker> {
  const svg = await orderLabelSvg(labelOf(facts))
  return {
    externalId: facts.number,
    contentType: 'image/svg+xml',
    bytes: Buffer.from(svg),
    code: facts.number,
  }
}

function labelOf({ number, marketplace, client, shipment }: OrderLabelFacts): OrderLabel {
  return { number, marketplace, client, shipment: shipment ?? undefined }
}
