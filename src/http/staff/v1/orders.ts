import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { marketplaces } from '../../../clients/marketplace.ts'
import { ownerOf } from '../../../clients/owner.ts'
import type { Work } from '../../../db/work.ts'
import { invalidField, notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Instant } from '../../../kernel/moscow-time.ts'
import { count, named } from '../../../kernel/schema.ts'
import { type OrderByHand, takeInByHand, tellByHand } from '../../../marketplaces/by-hand.ts'
import {
  findStaffOrder,
  findStaffOrders,
  findStaffOrderWithHistory,
  listOrdersOfAll,
} from '../../../orders/staff-queries.ts'
import { StaffOrder, StaffOrderWithHistory } from '../../../orders/staff-view.ts'
import { orderStatuses } from '../../../orders/state.ts'
import { found, openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, oneOf, query, range, text, time } from '../../query.ts'
import { bodyOf, change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { operation } from '../operation.ts'
import { timeOf } from './time.ts'

/** Orders in one call: with a few fields each they fit into the largest body. */
const ordersMax = 5000
const linesMax = 100

const rawStatus = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))
const MarketplaceStatus = Type.Object(
  {
    supplier: rawStatus('WB: supplierStatus; OZON: status.'),
    buyer: rawStatus('WB: wbStatus; OZON: substatus.'),
  },
  {
    additionalProperties: false,
    description: 'Пара статусов маркетплейса; не переданная половина остаётся прежней.',
  },
)
const barcode = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
)
const article = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Артикул продавца; без barcode по нему находится товар, если такой один.',
  }),
)

const OrderLineDraft = Type.Object(
  {
    barcode,
    article,
    qty: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Сколько единиц.' }),
  },
  { additionalProperties: false },
)

const OrderDraft = Type.Object(
  {
    cabinet_id: Type.String({ description: 'Кабинет клиента.' }),
    external_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Номер заказа в кабинете: известный заказ не удваивается.',
    }),
    barcode,
    article,
    nm_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Номер товара WB; у заказов OZON не хранится.' }),
    ),
    is_b2b: Type.Optional(Type.Boolean({ description: 'Оптовый заказ; по умолчанию false.' })),
    created_at: Type.Optional(
      Type.String({ description: 'Когда создан, по RFC 3339; по умолчанию — сейчас.' }),
    ),
    marketplace_status: Type.Optional(MarketplaceStatus),
    lines: Type.Optional(
      Type.Array(OrderLineDraft, {
        minItems: 1,
        maxItems: linesMax,
        description: 'Если товаров или единиц несколько; вместо barcode и article.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const OrderDrafts = Type.Array(OrderDraft, {
  $id: 'OrderDrafts',
  minItems: 1,
  maxItems: ordersMax,
  description: `Заказы одного клиента, до ${ordersMax} за вызов.`,
})
export const OrderPatch = Type.Object(
  { marketplace_status: MarketplaceStatus },
  { $id: 'OrderPatch', additionalProperties: false, description: 'Что говорит маркетплейс.' },
)
export const OrderIntake = Type.Object(
  {
    added: count('Сколько заказов новых.'),
    changed: count('У скольких известных изменился статус маркетплейса.'),
    items: Type.Array(Type.Unsafe<StaffOrder>({ $ref: 'StaffOrder#' }), {
      description: 'Заказы, какими они стали, в порядке запроса.',
    }),
  },
  { $id: 'OrderIntake', description: 'Что вышло из переданных заказов.' },
)
export const StaffOrderPage = pageSchema(StaffOrder, 'StaffOrderPage', 'Страница заказов.')

const ordersQuery = query({
  client_id: text({ description: 'Заказы одного клиента; без него — всех действующих.' }),
  marketplace: oneOf(marketplaces, { description: 'Маркетплейс; без него — все.' }),
  status: oneOf(orderStatuses, { description: 'Статус; без него — все.' }),
  shipment_id: text({ description: 'Заказы одной отгрузки, по её id.' }),
  barcode: text({ description: 'Точный штрихкод.' }),
  external_id: text({ description: 'Точный номер заказа в кабинете.' }),
  created_from: time({ description: 'Созданы не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Созданы раньше этого времени.' }),
  limit: limit({ default: 100, max: 1000 }),
  cursor: cursorText(),
})
type IdParams = { Params: { id: string } }
const config = { role: 'manager' } as const

export function addStaffOrders(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addIntake(app, dependencies)
  addPatch(app, dependencies)
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = operation({
    id: 'listStaffOrders',
    tag: 'Заказы',
    summary: 'Заказы',
    description: 'Заказы всех клиентов или одного, новые первыми.',
    query: ordersQuery,
    answers: { 200: { description: 'Страница заказов.', schema: named(StaffOrderPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/orders', { schema: listSchema }, async (request) => {
    const { limit, cursor, ...filter } = ordersQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'orders', { limit, cursor }, filter)
    return list.answer(await listOrdersOfAll(db, filter, list.request))
  })

  const orderSchema = operation({
    id: 'getStaffOrder',
    tag: 'Заказы',
    summary: 'Один заказ',
    description: 'Заказ по id сервиса, с его товарами и историей статусов.',
    params: { id: 'Идентификатор заказа в сервисе.' },
    answers: { 200: { description: 'Заказ.', schema: named(StaffOrderWithHistory) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/orders/:id', { schema: orderSchema }, async (request) => {
    const { id } = request.params
    return found(await findStaffOrderWithHistory(db, await ownerOf(db, 'orders', id), id))
  })
}

function addIntake(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = operation({
    id: 'takeInOrders',
    tag: 'Заказы',
    summary: 'Принять заказы',
    description:
      'Заказы, введённые вручную или из выгрузки маркетплейса: все или ни одного. Заказ с известным ' +
      'номером не удваивается: он получает переданный статус, как при синхронизации, а без статуса ' +
      'остаётся как есть. Новый заказ без статуса — «Новый». Более старый статус не двигает заказ назад.',
    params: { id: 'Идентификатор клиента.' },
    body: OrderDrafts,
    answers: {
      200: { description: 'Все заказы уже были известны.', schema: named(OrderIntake) },
      201: { description: 'Добавлены новые заказы.', schema: named(OrderIntake) },
    },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.post<IdParams>('/clients/:id/orders', { schema, config }, async (request, reply) => {
    const clientId = request.params.id
    if (!isId(clientId)) throw notFound('Клиент не найден')
    const drafts = bodyOf(OrderDrafts, request)
    const orders = ordersOf(drafts, dependencies.clock.now())
    const answer = await change(dependencies, request, { clientId }, async (work) => {
      const intake = await takeInByHand(work, clientId, orders)
      const items = await findStaffOrders(work.tx, clientId, orders)
      const numbers = orders.map(({ externalId }) => externalId)
      return {
        answer: { ...intake, items },
        made: { after: { ...intake, orders: numbers } },
        changed: intake.added + intake.changed > 0,
      }
    })
    return reply.code(answer.added > 0 ? 201 : 200).send(answer)
  })
}

/** Throws validation_error for what the schema can't tell. */
function ordersOf(drafts: Static<typeof OrderDrafts>, now: Instant): OrderByHand[] {
  const seen = new Set<string>()
  return drafts.map((draft, index) => {
    const { cabinet_id: cabinetId, external_id: externalId, created_at: createdAt } = draft
    const key = JSON.stringify([cabinetId, externalId])
    if (seen.has(key)) {
      throw invalidField(`[${index}].external_id`, `заказ ${externalId} уже есть в этом запросе`)
    }
    seen.add(key)
    return {
      cabinetId,
      externalId,
      createdAt: createdAt === undefined ? now : timeOf(`[${index}].created_at`, createdAt),
      isB2b: draft.is_b2b ?? false,
      ...(draft.nm_id === undefined ? {} : { nmId: draft.nm_id }),
      lines: linesOf(draft, index),
      told: toldBy(draft.marketplace_status),
    }
  })
}

function linesOf({ barcode, article, lines }: Static<typeof OrderDraft>, index: number) {
  if (lines === undefined) return [goodsOf({ barcode, article, qty: 1 })]
  if (barcode !== undefined || article !== undefined) {
    throw invalidField(
      `[${index}].lines`,
      'передаётся вместо barcode и article, а не вместе с ними',
    )
  }
  return lines.map(goodsOf)
}

function goodsOf(line: {
  readonly barcode?: string | undefined
  readonly article?: string | undefined
  readonly qty: number
}) {
  const { barcode, article, qty } = line
  return {
    ...(barcode === undefined ? {} : { barcode }),
    ...(article === undefined ? {} : { article }),
    quantity: qty,
  }
}

function toldBy(status: Static<typeof MarketplaceStatus> | undefined) {
  return status?.supplier === undefined && status?.buyer === undefined ? undefined : status
}

function addPatch(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = operation({
    id: 'changeOrder',
    tag: 'Заказы',
    summary: 'Сообщить статус маркетплейса',
    description:
      'Как при синхронизации: отменённый заказ освобождает резерв, выполненный и отменённый уже не ' +
      'меняются, более старый статус заказ назад не двигает. Повтор ничего не меняет.',
    params: { id: 'Идентификатор заказа в сервисе.' },
    body: OrderPatch,
    answers: { 200: { description: 'Заказ, каким он стал.', schema: named(StaffOrder) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.patch<IdParams>('/orders/:id', { schema, config }, async (request) => {
    const told = toldBy(bodyOf(OrderPatch, request).marketplace_status)
    if (told === undefined) {
      throw invalidField('marketplace_status', 'supplier, buyer или оба')
    }
    const { id } = request.params
    const clientId = await ownerOf(dependencies.db, 'orders', id)
    const look = ({ tx }: Work) => findStaffOrder(tx, clientId, id)
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      const changed = await tellByHand(work, clientId, id, told)
      return { answer: found(await look(work)), changed }
    })
  })
}
