import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  correctMissedStock,
  findOpenMiss,
  lookElsewhere,
} from '../../../../warehouse/picking/miss-decisions.ts'
import {
  findMiss,
  findMissWithPlaces,
  listMisses,
  missSorts,
  ownerOfMiss,
} from '../../../../warehouse/picking/miss-queries.ts'
import { missStatuses } from '../../../../warehouse/picking/miss-state.ts'
import { Miss, MissWithPlaces, missStatusRule } from '../../../../warehouse/picking/miss-view.ts'
import {
  type MissedOrderRemoval,
  takeMissedOrderOut,
} from '../../../../warehouse/shipments/missed-orders.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages, sortBy, text } from '../../../route/query.ts'
import { actorOf, bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { pickingPlaceOf } from './picking-place.ts'

export const MissPage = pageSchema(Miss, 'MissPage', 'Страница ненайденных товаров.')

const comment = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Комментарий: его видят сборщик и менеджеры.',
})
const reason = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Код причины из GET /reasons, kind correction.',
})
const placeText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

export const OtherPlaceDraft = Type.Object(
  {
    location_id: placeText('Место, где взять товар вне коробов: id или код.'),
    box_id: placeText('Короб, из которого его взять, вместо места: id или SSCC.'),
    comment: Type.Optional(comment),
  },
  {
    $id: 'OtherPlaceDraft',
    additionalProperties: false,
    description: 'Где искать: место или короб, а если их нет — словами в comment.',
  },
)
export const MissedStockDraft = Type.Object(
  { reason, comment: Type.Optional(comment) },
  { $id: 'MissedStockDraft', additionalProperties: false, description: 'Почему единиц нет.' },
)
export const MissedOrderDraft = Type.Object(
  { reason: Type.Optional(reason), comment: Type.Optional(comment) },
  {
    $id: 'MissedOrderDraft',
    additionalProperties: false,
    description:
      'reason — списать и ненайденные единицы, по этой причине; без него остаток прежний.',
  },
)

export const missesQuery = query({
  client_id: text({ description: 'Клиент; без него — все действующие.' }),
  warehouse_code: warehouseFilter,
  status: oneOf(missStatuses, { description: missStatusRule }),
  shipment_id: text({ description: 'Отгрузка, по её id.' }),
  order_id: text({ description: 'Заказ, по его id.' }),
  sort: sortBy(missSorts),
  ...shortPages,
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор ненайденного товара.' }
const config = { role: 'manager' } as const
const decided = { 200: { description: 'Решено.', schema: named(Miss) } }
const errors = ['bad_request', 'validation_error', 'not_found', 'conflict'] as const

export function addMisses(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addOtherPlace(app, dependencies)
  addStockCorrection(app, dependencies)
  addRemovals(app, dependencies)
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listMisses',
    tag: 'Сборка',
    summary: 'Ненайденные товары',
    description: 'Товары заказов, которых сборщики не нашли, и что о них решено. Новые первыми.',
    query: missesQuery,
    answers: { 200: { description: 'Страница.', schema: named(MissPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/misses', { schema: listSchema }, async (request) => {
    const { limit, cursor, sort, ...filter } = missesQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'misses', { limit, cursor, sort }, filter)
    return list.answer(await listMisses(db, withinWarehouse(request, filter), list.request))
  })

  const oneSchema = staffOperation({
    id: 'getMiss',
    tag: 'Сборка',
    summary: 'Ненайденный товар',
    description: 'Кто, где и когда не нашёл, сколько единиц свободно и где ещё лежит товар.',
    params,
    answers: { 200: { description: 'Ненайденный товар.', schema: named(MissWithPlaces) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/misses/:id', { schema: oneSchema }, async (request) => {
    const { id } = request.params
    return found(await findMissWithPlaces(db, await ownerOfMiss(db, id), id))
  })
}

function addOtherPlace(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'lookElsewhere',
    tag: 'Сборка',
    summary: 'Взять в другом месте',
    description:
      'Сборщик видит, куда идти: место становится первым в его обходе, а то, где товара не нашли, — ' +
      'последним. Товар должен там лежать по учёту.',
    params,
    body: OtherPlaceDraft,
    answers: decided,
    errors: [...errors],
  })
  app.post<IdParams>('/misses/:id/look-elsewhere', { schema, config }, (request) => {
    const draft = bodyOf(OtherPlaceDraft, request)
    return decideMiss(dependencies, request, async (work, clientId, id) => {
      const place = await pickingPlaceOf(work.tx, clientId, draft.box_id, draft.location_id)
      const { comment } = draft
      await lookElsewhere(work, clientId, id, { ...place, comment }, refuseWhileEnding)
    })
  })
}

function addStockCorrection(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'correctMissedStock',
    tag: 'Сборка',
    summary: 'Исправить остаток ненайденного',
    description:
      'Ненайденных единиц на складе нет: они списываются корректировкой и с места, где их искали. ' +
      'Заказ остаётся в отгрузке, его соберут из других; если свободных не хватает, сначала уберите заказ.',
    params,
    body: MissedStockDraft,
    answers: decided,
    errors: [...errors],
  })
  app.post<IdParams>('/misses/:id/correct-stock', { schema, config }, (request) => {
    const entry = bodyOf(MissedStockDraft, request)
    return decideMiss(dependencies, request, (work, clientId, id) =>
      correctMissedStock(work, clientId, id, entry, refuseWhileEnding),
    )
  })
}

function addRemovals(app: FastifyInstance, dependencies: StaffDependencies): void {
  const removalErrors = [...errors, 'marketplace_unavailable'] as const
  const removeSchema = staffOperation({
    id: 'removeMissedOrder',
    tag: 'Сборка',
    summary: 'Убрать заказ с ненайденным товаром',
    description:
      'Как DELETE /shipments/{id}/orders/{order_id}: заказ ждёт следующей отгрузки. С reason ' +
      'ненайденные единицы тут же списываются корректировкой.',
    params,
    body: MissedOrderDraft,
    answers: decided,
    errors: [...removalErrors],
  })
  app.post<IdParams>('/misses/:id/remove-order', { schema: removeSchema, config }, (request) => {
    const draft = bodyOf(MissedOrderDraft, request)
    return takeOut(dependencies, request, { decision: 'remove_order', ...draft })
  })

  const tellSchema = staffOperation({
    id: 'tellSeller',
    tag: 'Сборка',
    summary: 'Сообщить продавцу о ненайденном',
    description:
      'Собрать заказ не из чего: он уходит из отгрузки, а ненайденные единицы становятся под вопросом, и ' +
      'продавец видит их в остатках. Отменить заказ на маркетплейсе может он сам.',
    params,
    body: MissedStockDraft,
    answers: decided,
    errors: [...removalErrors],
  })
  app.post<IdParams>('/misses/:id/tell-seller', { schema: tellSchema, config }, (request) => {
    const draft = bodyOf(MissedStockDraft, request)
    return takeOut(dependencies, request, { decision: 'tell_seller', ...draft })
  })
}

async function takeOut(
  dependencies: StaffDependencies,
  request: FastifyRequest<IdParams>,
  removal: MissedOrderRemoval,
) {
  const { db, coordinator } = dependencies
  const { id } = request.params
  const clientId = await ownerOfMiss(db, id)
  const miss = await findOpenMiss(db, clientId, id)
  const { shipmentId, orderId } = miss
  return coordinator.removeOrder(clientId, shipmentId, orderId, actorOf(request), (remove) =>
    decideMiss(dependencies, request, (work) =>
      takeMissedOrderOut(work, clientId, miss, removal, remove),
    ),
  )
}

/** Runs a decision and answers the miss. */
async function decideMiss(
  dependencies: StaffDependencies,
  request: FastifyRequest<IdParams>,
  verb: (work: Work, clientId: string, id: string) => Promise<void>,
) {
  const { id } = request.params
  const clientId = await ownerOfMiss(dependencies.db, id)
  const look = async ({ tx }: Work) => found(await findMiss(tx, clientId, id))
  return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
    await verb(work, clientId, id)
    return { answer: await look(work) }
  })
}
