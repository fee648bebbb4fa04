import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { locationLabelSvg } from '../../../../documents/labels/location-label.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  codesOfPattern,
  locationCodeOf,
  patternMax,
} from '../../../../warehouse/storage/location-code.ts'
import {
  findLocation,
  listLocations,
  locationSummary,
  locationsByIds,
} from '../../../../warehouse/storage/location-queries.ts'
import { Location, LocationsMade } from '../../../../warehouse/storage/location-view.ts'
import {
  addLocation,
  addLocations,
  changeLocation,
  findLocationId,
} from '../../../../warehouse/storage/locations.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope, refuseOtherWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import type { IdParams } from './storage.ts'

const fields = {
  zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Зона склада; без неё место вне зон.',
      examples: ['Стеллажи'],
    }),
  ),
  order: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Порядок обхода внутри зоны; места с одним порядком идут по кодам.',
    }),
  ),
}
const warehouseCode = Type.String({ maxLength: 100, description: 'Склад.', examples: ['MSK1'] })

export const LocationDraft = Type.Object(
  {
    warehouse_code: warehouseCode,
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      examples: ['A-01-2'],
      description:
        'Код, который будет на этикетке: латинские буквы, цифры, точка, дефис, подчёркивание, до 32 ' +
        'знаков. Строчные буквы становятся заглавными.',
    }),
    ...fields,
  },
  { $id: 'LocationDraft', additionalProperties: false, description: 'Новое место хранения.' },
)
export const LocationPattern = Type.Object(
  {
    warehouse_code: warehouseCode,
    pattern: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ['A-{01..10}-{1..4}'],
      description:
        'Код с диапазонами в фигурных скобках: A-{01..10}-{1..4} — это 40 мест от A-01-1 до A-10-4. ' +
        `Диапазон — из чисел или букв; мест не больше ${patternMax}.`,
    }),
    ...fields,
  },
  {
    $id: 'LocationPattern',
    additionalProperties: false,
    description: 'Много мест сразу; order получает первое, следующие — на один больше.',
  },
)
export const LocationPatch = Type.Object(
  {
    ...fields,
    active: Type.Optional(
      Type.Boolean({ description: 'false: больше ничего не кладут; что лежит, остаётся.' }),
    ),
  },
  {
    $id: 'LocationPatch',
    additionalProperties: false,
    description: 'Что изменить; код не меняется: он напечатан на этикетке.',
  },
)
export const LocationPage = pageSchema(Location, 'LocationPage', 'Страница мест хранения.')

export const locationsQuery = query({
  warehouse_code: text({ description: 'Места одного склада; без него — всех.' }),
  zone: text({ description: 'Места одной зоны.' }),
  active: oneOf(['true', 'false'], { description: 'Только открытые или только закрытые места.' }),
  client_id: text({ description: 'Места, где лежат товары клиента.' }),
  barcode: text({ description: 'Места, где лежит товар с этим штрихкодом.' }),
  ...shortPages,
})
const manager = { role: 'manager' } as const
export const locationParams = { id: 'Идентификатор или код места, как на этикетке.' }

export function addLocationRoutes(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addMaking(app, dependencies)
  addBulk(app, dependencies)
  addChange(app, dependencies)
  addLabel(app, dependencies)
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listLocations',
    tag: 'Хранение',
    summary: 'Места хранения',
    description: 'В порядке обхода: склад, зона, порядок, код; без содержимого.',
    query: locationsQuery,
    answers: { 200: { description: 'Страница.', schema: named(LocationPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/locations', { schema: listSchema }, async (request) => {
    const { limit, cursor, ...filter } = locationsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'locations', { limit, cursor }, filter)
    return list.answer(await listLocations(db, { ...filter, ...ownScope(request) }, list.request))
  })

  const readSchema = staffOperation({
    id: 'getLocation',
    tag: 'Хранение',
    summary: 'Одно место хранения',
    description: 'Место и что на нём лежит, чьё бы оно ни было.',
    params: locationParams,
    answers: { 200: { description: 'Место.', schema: named(Location) } },
    errors: ['not_found', 'conflict'],
  })
  app.get<IdParams>('/locations/:id', { schema: readSchema }, async (request) =>
    found(
      await findLocation(
        db,
        await findLocationId(db, request.params.id, ownScope(request).warehouses),
      ),
    ),
  )
}

function addMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'createLocation',
    tag: 'Хранение',
    summary: 'Завести место хранения',
    description: 'Пустое место; код на складе один.',
    body: LocationDraft,
    answers: { 201: { description: 'Заведено.', schema: named(Location) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/locations', { schema, config: manager }, async (request, reply) => {
    const draft = bodyOf(LocationDraft, request)
    refuseOtherWarehouse(request, draft.warehouse_code)
    const code = locationCodeOf(draft.code)
    const location = await change(dependencies, request, {}, async (work) => {
      const place = { code, zone: draft.zone?.trim() ?? '', order: draft.order ?? 0 }
      const id = await addLocation(work, draft.warehouse_code, place)
      const made = found(await locationSummary(work.tx, id))
      return { answer: made, made: { objectId: id, after: made } }
    })
    return reply.code(201).send(location)
  })
}

function addBulk(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'createLocations',
    tag: 'Хранение',
    summary: 'Завести места по шаблону',
    description: 'Целый стеллаж за один раз. Места, которые на складе уже есть, не меняются.',
    body: LocationPattern,
    answers: { 201: { description: 'Заведены.', schema: named(LocationsMade) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/locations/bulk', { schema, config: manager }, async (request, reply) => {
    const { warehouse_code, pattern, zone, order } = bodyOf(LocationPattern, request)
    refuseOtherWarehouse(request, warehouse_code)
    const drafts = codesOfPattern(pattern).map((code, n) => ({
      code,
      zone: zone?.trim() ?? '',
      order: order === undefined ? 0 : order + n,
    }))
    const answer = await change(dependencies, request, {}, async (work) => {
      const ids = await addLocations(work, warehouse_code, drafts)
      const locations = await locationsByIds(work.tx, ids)
      const existing = drafts.length - ids.length
      return {
        answer: { created: ids.length, existing, locations },
        made: {
          objectId: `${warehouse_code}/${pattern}`,
          after: { created: ids.length, existing },
        },
        changed: ids.length > 0,
      }
    })
    return reply.code(201).send(answer)
  })
}

function addChange(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'changeLocation',
    tag: 'Хранение',
    summary: 'Изменить место хранения',
    description: 'Зону, порядок обхода, или закрыть и открыть.',
    params: locationParams,
    body: LocationPatch,
    answers: { 200: { description: 'Как стало.', schema: named(Location) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.patch<IdParams>('/locations/:id', { schema, config: manager }, async (request) => {
    const { zone, ...patch } = bodyOf(LocationPatch, request)
    const id = await findLocationId(
      dependencies.db,
      request.params.id,
      ownScope(request).warehouses,
    )
    const look = ({ tx }: Work) => locationSummary(tx, id)
    return change(dependencies, request, { objectId: id, look }, async (work) => {
      const changed = await changeLocation(work, id, { ...patch, zone: zone?.trim() })
      return { answer: found(await locationSummary(work.tx, id)), changed }
    })
  })
}

function addLabel(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getLocationLabel',
    tag: 'Хранение',
    summary: 'Этикетка места',
    description: 'Для печати, 58 × 40 мм: код штрихкодом Code 128 и буквами. Масштаб — 100 %.',
    params: locationParams,
    answers: { 200: { description: 'Этикетка.', media: { 'image/svg+xml': Type.String() } } },
    errors: ['not_found', 'conflict'],
  })
  app.get<IdParams>('/locations/:id/label', { schema }, async (request, reply) => {
    const id = await findLocationId(db, request.params.id, ownScope(request).warehouses)
    const { code, zone, warehouse_code } = found(await locationSummary(db, id))
    return reply
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .type('image/svg+xml')
      .send(await locationLabelSvg({ code, zone, warehouse: warehouse_code }))
  })
}
