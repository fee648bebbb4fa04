import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { invalidField, invalidParameter } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { setShippingDefaults } from '../../../../warehouse/shipments/shipping-method.ts'
import {
  listShippingDefaults,
  ShippingDefaultList,
  ShippingPointView,
  shippingType,
} from '../../../../warehouse/shipments/shipping-view.ts'
import { rawQuery } from '../../../route/list.ts'
import { oneOf, query, text } from '../../../route/query.ts'
import { actorOf, bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

const pointId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Номер пункта из `GET /cabinets/{id}/shipping-points`.',
})

export const ShippingDefaultsDraft = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          cargo_type: Type.Integer({
            minimum: 1,
            maximum: 9,
            description: 'Габаритный тип: 1 — МГТ, 2 — СГТ, 3 — КГТ+.',
          }),
          point_id: pointId,
          type: Type.Optional(shippingType),
        },
        { additionalProperties: false },
      ),
      { maxItems: 9, description: 'Все пункты кабинета, по одному на габаритный тип.' },
    ),
  },
  {
    $id: 'ShippingDefaultsDraft',
    additionalProperties: false,
    description: 'Пункты кабинета вместо прежних.',
  },
)

export const ShippingPointList = Type.Object(
  {
    items: Type.Array(named<ShippingPointView>(ShippingPointView), { description: 'Пункты.' }),
  },
  { $id: 'ShippingPointList', description: 'Пункты города.' },
)

const pointsQuery = query({
  city: text({ description: 'Город, как его пишет маркетплейс, например `Москва`; нужен всегда.' }),
  cargo_type: oneOf(['1', '2', '3'], {
    description: 'Только пункты, которые принимают такой груз; без него — любые.',
  }),
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор кабинета.' }

/** Where shipments of a cabinet may go, and where they go by default. */
export function addShippingDefaults(app: FastifyInstance, dependencies: StaffDependencies): void {
  addPoints(app, dependencies)
  addDefaults(app, dependencies)
}

function addPoints(app: FastifyInstance, { db, coordinator }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listShippingPoints',
    tag: 'Сборка',
    summary: 'Пункты отгрузки города',
    description:
      'Куда кабинет WB может везти отгрузки, по ответу WB. Найденный пункт можно выбрать по номеру.',
    params,
    query: pointsQuery,
    answers: { 200: { description: 'Пункты.', schema: named(ShippingPointList) } },
    errors: ['bad_request', 'not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.get<IdParams>('/cabinets/:id/shipping-points', { schema }, async (request) => {
    const { city = '', cargo_type } = pointsQuery.parse(rawQuery(request))
    const { id } = request.params
    const clientId = await ownerOfCabinet(db, id)
    if (city.trim() === '') throw invalidParameter('city', 'назовите город, например city=Москва')
    const cargoType = cargo_type === undefined ? undefined : Number(cargo_type)
    const wanted = { city: city.trim(), cargoType }
    return { items: await coordinator.shippingPoints(clientId, id, wanted, actorOf(request)) }
  })
}

function addDefaults(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const shown = { description: 'Пункты по умолчанию.', schema: named(ShippingDefaultList) }
  const listSchema = staffOperation({
    id: 'listShippingDefaults',
    tag: 'Сборка',
    summary: 'Пункты кабинета по умолчанию',
    description: 'Куда едут отгрузки кабинета, для которых пункт не выбран.',
    params,
    answers: { 200: shown },
    errors: ['not_found'],
  })
  app.get<IdParams>('/cabinets/:id/shipping-defaults', { schema: listSchema }, async (request) => {
    const { id } = request.params
    return listShippingDefaults(db, await ownerOfCabinet(db, id), id)
  })

  const setSchema = staffOperation({
    id: 'setShippingDefaults',
    tag: 'Сборка',
    summary: 'Выбрать пункты кабинета',
    description:
      'Заменяет прежние; пустой список убирает их. Номера — из `GET /cabinets/{id}/shipping-points`. ' +
      'Действует на все отгрузки, для которых пункт не выбран.',
    params,
    body: ShippingDefaultsDraft,
    answers: { 200: shown },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  const config = { role: 'manager' } as const
  const options = { schema: setSchema, config }
  app.put<IdParams>('/cabinets/:id/shipping-defaults', options, async (request) => {
    const { items } = bodyOf(ShippingDefaultsDraft, request)
    const types = items.map(({ cargo_type }) => cargo_type)
    const repeated = types.findIndex((type, index) => types.indexOf(type) < index)
    if (repeated >= 0) {
      throw invalidField(`items[${repeated}].cargo_type`, 'для этого типа пункт уже назван')
    }
    const { id } = request.params
    const clientId = await ownerOfCabinet(db, id)
    const look = ({ tx }: Work) => listShippingDefaults(tx, clientId, id)
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      const defaults = items.map(({ type = 'selfShipping', ...item }) => ({ ...item, type }))
      await setShippingDefaults(work, clientId, id, defaults)
      return { answer: await look(work) }
    })
  })
}
