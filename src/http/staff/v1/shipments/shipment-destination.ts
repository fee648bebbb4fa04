import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { refuseWhileEnding } from '../../../../exchange/marketplaces/coordination/request-command.ts'
import { count, named } from '../../../../platform/kernel/schema.ts'
import { readDateField } from '../../../../platform/kernel/time-field.ts'
import { chooseShippingMethod } from '../../../../warehouse/shipments/shipping-method.ts'
import { shippingType } from '../../../../warehouse/shipments/shipping-view.ts'
import {
  findStaffShipment,
  ownerOfShipment,
} from '../../../../warehouse/shipments/staff-queries.ts'
import { StaffShipment } from '../../../../warehouse/shipments/staff-view.ts'
import { found } from '../../../route/list.ts'
import { actorOf, bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { labelAnswers, printMarketplaceLabel } from '../papers/marketplace-labels.ts'
import { type ShipmentPath, shipmentParams, shipmentSubject } from './shipment-schemas.ts'

export const ShippingMethodDraft = Type.Object(
  {
    point_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Номер пункта из `GET /cabinets/{id}/shipping-points`.',
    }),
    date: Type.Optional(
      Type.String({
        description:
          'Дата отгрузки, ГГГГ-ММ-ДД; без неё — день закрытия. Если она пройдёт, уйдёт день закрытия.',
      }),
    ),
    type: Type.Optional(shippingType),
  },
  {
    $id: 'ShippingMethodDraft',
    additionalProperties: false,
    description: 'Куда, как и когда везти отгрузку.',
  },
)

export const ShipmentBoxList = Type.Object(
  {
    items: Type.Array(
      Type.Object({ id: Type.String({ description: 'Номер грузоместа на маркетплейсе.' }) }),
      { description: 'Грузоместа отгрузки.' },
    ),
    max: count('Сколько их может быть: не больше половины числа заказов, но хотя бы одно.'),
  },
  { $id: 'ShipmentBoxList', description: 'Грузоместа отгрузки в пункт выдачи.' },
)

export const ShipmentBoxesDraft = Type.Object(
  {
    count: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Сколько грузомест должно быть всего, вместе с теми, что уже есть.',
    }),
  },
  {
    $id: 'ShipmentBoxesDraft',
    additionalProperties: false,
    description: 'Сколько грузомест нужно отгрузке.',
  },
)

type BoxParams = { Params: { id: string; box_id: string } }
const boxParams = { ...shipmentParams, box_id: 'Номер грузоместа на маркетплейсе.' }
const remoteErrors = ['not_found', 'conflict', 'marketplace_unavailable'] as const

/** Where one shipment goes, and its boxes. */
export function addShipmentDestination(
  app: FastifyInstance,
  dependencies: StaffDependencies,
): void {
  addMethod(app, dependencies)
  addBoxReads(app, dependencies)
  addBoxChanges(app, dependencies)
}

function addMethod(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'chooseShippingMethod',
    tag: 'Сборка',
    summary: 'Выбрать, куда везти отгрузку',
    description:
      'Пункт, дата и способ одной открытой отгрузки WB; уходят на WB, когда её закрывают. Важнее пункта ' +
      'кабинета и того, что выбрали для неё в кабинете WB.',
    params: shipmentParams,
    body: ShippingMethodDraft,
    answers: { 200: { description: 'Отгрузка с заказами.', schema: named(StaffShipment) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.put<ShipmentPath>('/shipments/:id/shipping-method', { schema }, async (request) => {
    const { point_id: pointId, date, type = 'selfShipping' } = bodyOf(ShippingMethodDraft, request)
    const day = date === undefined ? undefined : readDateField('date', date)
    const subject = await shipmentSubject(db, request.params.id)
    const { clientId, objectId } = subject
    return change(dependencies, request, subject, async (work) => {
      const draft = { pointId, date: day, type }
      await chooseShippingMethod(work, clientId, objectId, draft, refuseWhileEnding)
      return { answer: found(await findStaffShipment(work.tx, clientId, objectId)) }
    })
  })
}

function addBoxReads(app: FastifyInstance, { db, coordinator }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listShipmentBoxes',
    tag: 'Сборка',
    summary: 'Грузоместа отгрузки',
    description: 'Какие грузоместа есть у поставки на WB. Они нужны отгрузке в пункт выдачи.',
    params: shipmentParams,
    answers: { 200: { description: 'Грузоместа.', schema: named(ShipmentBoxList) } },
    errors: [...remoteErrors],
  })
  app.get<ShipmentPath>('/shipments/:id/boxes', { schema: listSchema }, async (request) => {
    const { id } = request.params
    return boxList(await coordinator.boxes(await ownerOfShipment(db, id), id))
  })

  const stickerSchema = staffOperation({
    id: 'getShipmentBoxSticker',
    tag: 'Сборка',
    summary: 'Этикетка грузоместа',
    description: 'Этикетка WB для одного грузоместа.',
    params: boxParams,
    answers: labelAnswers,
    errors: [...remoteErrors],
  })
  const path = '/shipments/:id/boxes/:box_id/sticker'
  app.get<BoxParams>(path, { schema: stickerSchema }, async (request, reply) => {
    const { id, box_id: box } = request.params
    return printMarketplaceLabel(
      reply,
      await coordinator.boxSticker(await ownerOfShipment(db, id), id, box),
    )
  })
}

function addBoxChanges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, coordinator } = dependencies
  const setSchema = staffOperation({
    id: 'setShipmentBoxes',
    tag: 'Сборка',
    summary: 'Добавить грузоместа',
    description:
      'Добавляет на WB столько грузомест, чтобы их стало `count`; повтор лишних не добавит. Отгрузка ' +
      'должна ехать в пункт выдачи.',
    params: shipmentParams,
    body: ShipmentBoxesDraft,
    answers: { 200: { description: 'Грузоместа.', schema: named(ShipmentBoxList) } },
    errors: ['bad_request', 'validation_error', ...remoteErrors],
  })
  app.put<ShipmentPath>('/shipments/:id/boxes', { schema: setSchema }, async (request) => {
    const boxes = bodyOf(ShipmentBoxesDraft, request).count
    const subject = await shipmentSubject(db, request.params.id)
    const { clientId, objectId } = subject
    await coordinator.setBoxes(clientId, objectId, boxes, actorOf(request), (set) =>
      change(dependencies, request, subject, async (work) => {
        await set(work)
        const after = { ...(await subject.look(work)), boxes }
        return { answer: undefined, made: { objectId, after } }
      }),
    )
    return boxList(await coordinator.boxes(clientId, objectId))
  })

  const removeSchema = staffOperation({
    id: 'removeShipmentBox',
    tag: 'Сборка',
    summary: 'Удалить грузоместо',
    description: 'Удаляет его на WB. Грузоместо, которого там уже нет, — не ошибка.',
    params: boxParams,
    answers: { 204: { description: 'Удалено.' } },
    errors: [...remoteErrors],
  })
  const path = '/shipments/:id/boxes/:box_id'
  app.delete<BoxParams>(path, { schema: removeSchema }, async (request, reply) => {
    const { id, box_id: box } = request.params
    const subject = await shipmentSubject(db, id)
    const { clientId, objectId } = subject
    await coordinator.removeBoxes(clientId, objectId, [box], actorOf(request), (remove) =>
      change(dependencies, request, subject, async (work) => {
        await remove(work)
        const after = { ...(await subject.look(work)), removed_box: box }
        return { answer: undefined, made: { objectId, after } }
      }),
    )
    return reply.code(204).send()
  })
}

function boxList({ boxes, max }: { readonly boxes: readonly string[]; readonly max: number }) {
  return { items: boxes.map((id) => ({ id })), max }
}
