import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { invalidField, notFound } from '../../../../platform/kernel/errors.ts'
import { isId } from '../../../../platform/kernel/ids.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { readTimeField } from '../../../../platform/kernel/time-field.ts'
import { nextShipmentNumber } from '../../../../warehouse/shipments/cabinet-shipments.ts'
import {
  findStaffShipment,
  listShipmentsOfAll,
  ownerOfShipment,
} from '../../../../warehouse/shipments/staff-queries.ts'
import { StaffShipment } from '../../../../warehouse/shipments/staff-view.ts'
import { acceptShipment } from '../../../../warehouse/shipments/verbs.ts'
import { found, openList, rawQuery } from '../../../route/list.ts'
import { range } from '../../../route/query.ts'
import { ownerOfCabinetInBody } from '../../body-ids.ts'
import { actorOf, bodyIfAny, bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { linesWithGoods } from '../../pictures.ts'
import {
  Acceptance,
  FilledShipment,
  JoiningOrders,
  ShipmentDraft,
  type ShipmentPath,
  StaffShipmentPage,
  shipmentParams,
  shipmentSubject,
  staffShipmentsQuery,
} from './shipment-schemas.ts'

const filled = { description: 'Отгрузка с заказами.', schema: named(FilledShipment) }
const shown = { description: 'Отгрузка с заказами.', schema: named(StaffShipment) }

export function addStaffShipments(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addOpening(app, dependencies)
  addFilling(app, dependencies)
  addHandover(app, dependencies)
  addCancelling(app, dependencies)
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listStaffShipments',
    tag: 'Сборка',
    summary: 'Отгрузки',
    description: 'Отгрузки всех клиентов или одного, без заказов.',
    query: staffShipmentsQuery,
    answers: { 200: { description: 'Страница отгрузок.', schema: named(StaffShipmentPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/shipments', { schema: listSchema }, async (request) => {
    const { limit, cursor, sort, ...filter } = staffShipmentsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'shipments', { limit, cursor, sort }, filter)
    const page = await listShipmentsOfAll(db, withinWarehouse(request, filter), list.request)
    return list.answer(page)
  })

  const shipmentSchema = staffOperation({
    id: 'getStaffShipment',
    tag: 'Сборка',
    summary: 'Одна отгрузка',
    description: 'Отгрузка с её заказами.',
    params: shipmentParams,
    answers: { 200: shown },
    errors: ['not_found'],
  })
  app.get<ShipmentPath>('/shipments/:id', { schema: shipmentSchema }, async (request) => {
    const { id } = request.params
    const shipment = found(await findStaffShipment(db, await ownerOfShipment(db, id), id))
    return { ...shipment, orders: await linesWithGoods(db, shipment.orders ?? []) }
  })
}

function addOpening(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'openShipment',
    tag: 'Сборка',
    summary: 'Открыть отгрузку',
    description:
      'Вместе с ней открывается задание на сборку. Заказы из order_ids добавляются сразу: если один из ' +
      'них добавить нельзя, отгрузки не будет.',
    body: ShipmentDraft,
    answers: {
      200: {
        description: 'Открыта раньше, тем же номером у подключённого кабинета.',
        schema: named(StaffShipment),
      },
      201: { description: 'Открыта.', schema: named(FilledShipment) },
    },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.post('/shipments', { schema }, async (request, reply) => {
    const body = bodyOf(ShipmentDraft, request)
    const { cabinet_id: cabinetId, order_ids: orderIds = [] } = body
    refuseRepeats(orderIds)
    const clientId = await ownerOfCabinetInBody(dependencies.db, request, cabinetId)
    refuseIllFormed(orderIds)
    const { shipment, again } = await openFilled(dependencies, request, clientId, body)
    return reply.code(again ? 200 : 201).send(shipment)
  })
}

/** Opens a shipment with orders of its cabinet, which is the client's. */
export async function openFilled(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  clientId: string,
  { cabinet_id: cabinetId, external_id, name, order_ids: orderIds }: Static<typeof ShipmentDraft>,
) {
  const { coordinator, db, clock } = dependencies
  const externalId = external_id ?? (await nextShipmentNumber(db, clientId, cabinetId, clock.now()))
  const draft = { cabinetId, externalId, name, orderIds }
  const { shipment, again } = await coordinator.open(clientId, draft, actorOf(request), (open) =>
    change(dependencies, request, { clientId }, async (work) => {
      const { id, again } = await open(work)
      const shipment = found(await findStaffShipment(work.tx, clientId, id))
      const after = { ...shipment, orders: shipment.orders?.map(({ id }) => id) }
      return { answer: { shipment, again }, made: { objectId: id, after }, changed: !again }
    }),
  )
  const joined = new Set(shipment.orders?.map((order) => order.id))
  const missing = orderIds?.some((order) => !joined.has(order)) ? orderIds : undefined
  return {
    again,
    shipment: missing ? await fillShipment(dependencies, request, shipment.id, missing) : shipment,
  }
}

function addFilling(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { coordinator } = dependencies
  const addSchema = staffOperation({
    id: 'addOrdersToShipment',
    tag: 'Сборка',
    summary: 'Добавить заказы',
    description:
      'Заказы становятся «На сборке», их единицы — в резерве. Если склад или маркетплейс не принимает ' +
      'ни одного, не добавится ни один; если маркетплейс отказал только в некоторых, остальные ' +
      'добавлены, а отказы — в `refused_orders`. Заказы, которые уже в этой отгрузке, остаются как ' +
      'есть, так что запрос можно повторять.',
    params: shipmentParams,
    body: JoiningOrders,
    answers: { 200: filled },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.post<ShipmentPath>('/shipments/:id/orders', { schema: addSchema }, async (request) => {
    const orderIds = bodyOf(JoiningOrders, request).order_ids
    refuseRepeats(orderIds)
    return fillShipment(dependencies, request, request.params.id, orderIds)
  })

  const removeSchema = staffOperation({
    id: 'removeOrderFromShipment',
    tag: 'Сборка',
    summary: 'Убрать заказ',
    description:
      'Резерв освобождается, собранные единицы возвращаются на полку, заказ снова в том статусе, ' +
      'который у него на маркетплейсе. У подключённого кабинета OZON заказ уходит и из отгрузки на ' +
      'маркетплейсе, а если тот отказал, остаётся и здесь. WB заказы из поставки не убирает: заказ ' +
      'останется там, когда она уедет.',
    params: { ...shipmentParams, order_id: 'Идентификатор заказа.' },
    answers: { 204: { description: 'Убран.' } },
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.delete<{ Params: { id: string; order_id: string } }>(
    '/shipments/:id/orders/:order_id',
    { schema: removeSchema },
    async (request, reply) => {
      const subject = await shipmentSubject(dependencies.db, request.params.id)
      const { clientId, objectId } = subject
      const orderId = request.params.order_id
      if (!isId(orderId)) throw notFound('Заказ не найден')
      await coordinator.removeOrder(clientId, objectId, orderId, actorOf(request), (remove) =>
        change(dependencies, request, subject, async (work) => {
          await remove(work)
          const after = { ...(await subject.look(work)), removed: orderId }
          return { answer: undefined, made: { objectId, after } }
        }),
      )
      return reply.code(204).send()
    },
  )
}

/** Adds the orders and returns the shipment. */
export async function fillShipment(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  shipmentId: string,
  orderIds: readonly string[],
) {
  const subject = await shipmentSubject(dependencies.db, shipmentId)
  const { clientId, objectId } = subject
  refuseIllFormed(orderIds)
  const { coordinator } = dependencies
  return coordinator.addOrders(clientId, objectId, orderIds, actorOf(request), (add) =>
    change(dependencies, request, subject, async (work) => {
      const { added, refused } = await add(work)
      const shipment = found(await findStaffShipment(work.tx, clientId, objectId))
      const refusals = refused.map(({ externalId, reason }) => ({
        external_id: externalId,
        reason,
      }))
      const answer = refusals.length === 0 ? shipment : { ...shipment, refused_orders: refusals }
      const asked = new Set(orderIds)
      const joined = (shipment.orders ?? []).filter(({ id }) => asked.has(id))
      const after = {
        ...(await subject.look(work)),
        added: joined.map(({ external_id: number }) => number),
        ...(refusals.length === 0 ? {} : { refused: refusals }),
      }
      return { answer, made: { objectId, after }, changed: added > 0 }
    }),
  )
}

export function refuseRepeats(ids: readonly string[]): void {
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0) throw invalidField(`order_ids[${repeated}]`, 'заказ уже есть в этом запросе')
}

export function refuseIllFormed(ids: readonly string[]): void {
  const bad = ids.findIndex((id) => !isId(id))
  if (bad >= 0) throw notFound(`Заказ order_ids[${bad}] не найден`)
}

function addHandover(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { coordinator } = dependencies
  const closeSchema = staffOperation({
    id: 'closeShipment',
    tag: 'Сборка',
    summary: 'Закрыть отгрузку',
    description:
      'Передана маркетплейсу: единицы уходят со склада, заказы — «В доставке». Все заказы должны ' +
      'быть собраны; отменённые не мешают и не уходят.',
    params: shipmentParams,
    answers: { 200: shown },
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.post<ShipmentPath>('/shipments/:id/close', { schema: closeSchema }, async (request) => {
    const subject = await shipmentSubject(dependencies.db, request.params.id)
    const { clientId, objectId } = subject
    return coordinator.close(clientId, objectId, actorOf(request), (close) =>
      change(dependencies, request, subject, async (work) => {
        await close(work)
        return { answer: found(await findStaffShipment(work.tx, clientId, objectId)) }
      }),
    )
  })

  const acceptSchema = staffOperation({
    id: 'acceptShipment',
    tag: 'Сборка',
    summary: 'Отметить приёмку маркетплейсом',
    description: 'Маркетплейс отсканировал отгрузку у себя; как при синхронизации.',
    params: shipmentParams,
    body: Acceptance,
    answers: { 200: shown },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const config = { role: 'manager' } as const
  app.post<ShipmentPath>(
    '/shipments/:id/accept',
    { schema: acceptSchema, config },
    async (request) => {
      const { accepted_at: given } = bodyIfAny(Acceptance, request)
      const at = given === undefined ? undefined : readTimeField('accepted_at', given)
      const subject = await shipmentSubject(dependencies.db, request.params.id)
      const { clientId, objectId } = subject
      return change(dependencies, request, subject, async (work) => {
        await acceptShipment(work, clientId, objectId, at)
        return { answer: found(await findStaffShipment(work.tx, clientId, objectId)) }
      })
    },
  )
}

function addCancelling(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'cancelShipment',
    tag: 'Сборка',
    summary: 'Отменить отгрузку',
    description:
      'Открытая отгрузка удаляется вместе с заданием на сборку: резерв освобождается, собранные единицы ' +
      'возвращаются на полку, её заказы можно добавить в другую. У подключённого кабинета отгрузка ' +
      'отменяется и на маркетплейсе; если он отказал, она остаётся и здесь.',
    params: shipmentParams,
    answers: { 204: { description: 'Отменена.' } },
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  const config = { role: 'manager' } as const
  app.delete<ShipmentPath>('/shipments/:id', { schema, config }, async (request, reply) => {
    const subject = await shipmentSubject(dependencies.db, request.params.id)
    const { clientId, objectId } = subject
    await dependencies.coordinator.cancel(clientId, objectId, actorOf(request), (cancel) =>
      change(dependencies, request, subject, async (work) => {
        await cancel(work)
        return { answer: undefined, made: { objectId, after: { cancelled: true } } }
      }),
    )
    return reply.code(204).send()
  })
}
