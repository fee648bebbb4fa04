import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import {
  type ManualOrder,
  setStatusManually,
  takeInManualOrders,
} from '../../../../exchange/marketplaces/intake/manual-orders.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { invalidField, notFound } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import type { Instant } from '../../../../platform/kernel/moscow-time.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { readTimeField } from '../../../../platform/kernel/time-field.ts'
import {
  findStaffOrder,
  findStaffOrders,
  findStaffOrderWithHistory,
  listOrdersOfAll,
  ownerOfOrder,
} from '../../../../warehouse/orders/staff-queries.ts'
import { StaffOrder, StaffOrderWithHistory } from '../../../../warehouse/orders/staff-view.ts'
import { found, openList, rawQuery } from '../../../route/list.ts'
import { range } from '../../../route/query.ts'
import { actorOf, bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { linesWithGoods } from '../../pictures.ts'
import {
  atStage,
  type MarketplaceStatus,
  OrderBoxCount,
  OrderDrafts,
  OrderIntake,
  OrderPackages,
  OrderPatch,
  SplitOrderParts,
  StaffOrderPage,
  staffOrdersQuery,
} from './order-schemas.ts'

type IdParams = { Params: { id: string } }
const config = { role: 'manager' } as const

export function addStaffOrders(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addIntake(app, dependencies)
  addPatch(app, dependencies)
  addSplit(app, dependencies)
  addBoxes(app, dependencies)
}

function addSplit(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'splitOrder',
    tag: 'Заказы',
    summary: 'Разделить заказ по коробкам',
    description:
      'Каждая коробка становится своим заказом; прежний отменяется. Умеет только подключённый кабинет OZON, пока ' +
      'заказ там не собран: делите до добавления в отгрузку. Новые заказы занимают место прежнего в открытой отгрузке. ' +
      'Заказ, который уже собирают, не делится.',
    params: { id: 'Идентификатор заказа.' },
    body: OrderPackages,
    answers: { 200: { description: 'Новые заказы.', schema: named(SplitOrderParts) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.post<IdParams>('/orders/:id/split', { schema }, async (request) => {
    const { db, coordinator } = dependencies
    const orderId = request.params.id
    const { packages } = bodyOf(OrderPackages, request)
    const clientId = await ownerOfOrder(db, orderId)
    const named = packages.map((goods) =>
      goods.map(({ barcode, qty }) => ({ barcode, quantity: qty })),
    )
    const subject = {
      clientId,
      objectId: orderId,
      look: ({ tx }: Work) => findStaffOrder(tx, clientId, orderId),
    }
    const actor = actorOf(request)
    return coordinator.split({ clientId, orderId, packages: named }, actor, (split) =>
      change(dependencies, request, subject, async (work) => {
        const ids = await split(work)
        const items = await Promise.all(
          ids.map(async (id) => found(await findStaffOrder(work.tx, clientId, id))),
        )
        const after = { ...(await subject.look(work)), split: ids }
        return { answer: { items }, made: { objectId: orderId, after }, changed: ids.length > 0 }
      }),
    )
  })
}

function addBoxes(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'setOrderBoxes',
    tag: 'Заказы',
    summary: 'Назвать число коробок',
    description:
      'Для заказов OZON с многокоробочными товарами: OZON хочет знать число коробок до сборки, а этикетка заказа ' +
      'печатается для каждой. Другим товарам OZON отказывает: такой заказ делят. Повтор ничего не меняет.',
    params: { id: 'Идентификатор заказа.' },
    body: OrderBoxCount,
    answers: { 200: { description: 'Заказ, каким он стал.', schema: named(StaffOrder) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.put<IdParams>('/orders/:id/boxes', { schema }, async (request) => {
    const { db, coordinator } = dependencies
    const orderId = request.params.id
    const { count } = bodyOf(OrderBoxCount, request)
    const clientId = await ownerOfOrder(db, orderId)
    const look = ({ tx }: Work) => findStaffOrder(tx, clientId, orderId)
    const boxes = { clientId, orderId, count }
    return coordinator.setOrderBoxes(boxes, actorOf(request), (set) =>
      change(dependencies, request, { clientId, objectId: orderId, look }, async (work) => {
        const before = await look(work)
        await set(work)
        const answer = found(await look(work))
        return { answer, changed: before?.boxes !== answer.boxes }
      }),
    )
  })
}

function addReads(app: FastifyInstance, { db, cursors, clock }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listStaffOrders',
    tag: 'Заказы',
    summary: 'Заказы',
    description: 'Заказы всех клиентов или одного.',
    query: staffOrdersQuery,
    answers: { 200: { description: 'Страница заказов.', schema: named(StaffOrderPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/orders', { schema: listSchema }, async (request) => {
    const { limit, cursor, sort, ...asked } = staffOrdersQuery.parse(rawQuery(request))
    range(asked.created_from, asked.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'orders', { limit, cursor, sort }, asked)
    const wanted = withinWarehouse(request, atStage(asked, clock.now()))
    const page = await listOrdersOfAll(db, wanted, list.request)
    return list.answer({ ...page, items: await linesWithGoods(db, page.items) })
  })

  const orderSchema = staffOperation({
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
    const order = found(await findStaffOrderWithHistory(db, await ownerOfOrder(db, id), id))
    const [shown] = await linesWithGoods(db, [order])
    return shown
  })
}

function addIntake(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
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
      const intake = await takeInManualOrders(work, clientId, orders)
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

/** Throws validation_error for errors that the schema can't express. */
function ordersOf(drafts: Static<typeof OrderDrafts>, now: Instant): ManualOrder[] {
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
      createdAt: createdAt === undefined ? now : readTimeField(`[${index}].created_at`, createdAt),
      isB2b: draft.is_b2b ?? false,
      ...(draft.nm_id === undefined ? {} : { nmId: draft.nm_id }),
      lines: linesOf(draft, index),
      reported: statusOrNone(draft.marketplace_status),
    }
  })
}

function linesOf({ barcode, article, lines }: Static<typeof OrderDrafts>[number], index: number) {
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

function statusOrNone(status: Static<typeof MarketplaceStatus> | undefined) {
  return status?.supplier === undefined && status?.buyer === undefined ? undefined : status
}

function addPatch(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
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
    const status = statusOrNone(bodyOf(OrderPatch, request).marketplace_status)
    if (status === undefined) {
      throw invalidField('marketplace_status', 'supplier, buyer или оба')
    }
    const { id } = request.params
    const clientId = await ownerOfOrder(dependencies.db, id)
    const look = ({ tx }: Work) => findStaffOrder(tx, clientId, id)
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      const changed = await setStatusManually(work, clientId, id, status)
      return { answer: found(await look(work)), changed }
    })
  })
}
