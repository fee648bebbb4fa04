import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Queryable } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { addBox, addPallet, placeBox } from '../../../../warehouse/storage/boxes.ts'
import {
  findBox,
  findOfClient,
  findPallet,
  findStored,
  listBoxes,
  listPallets,
} from '../../../../warehouse/storage/queries.ts'
import { Box, Pallet } from '../../../../warehouse/storage/view.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages, text } from '../../../route/query.ts'
import { clientInBody } from '../../body-ids.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

const clientId = Type.String({ description: 'Чьи товары будут лежать: идентификатор клиента.' })
/** Ids and SSCCs are shorter; scanners may add characters. */
const storedId = { minLength: 1, maxLength: 64 }

export const PalletDraft = Type.Object(
  { client_id: clientId },
  { $id: 'PalletDraft', additionalProperties: false, description: 'Новая паллета.' },
)
export const BoxDraft = Type.Object(
  {
    client_id: clientId,
    pallet_id: Type.Optional(
      Type.String({ ...storedId, description: 'На какой паллете стоит: id или SSCC.' }),
    ),
  },
  { $id: 'BoxDraft', additionalProperties: false, description: 'Новый короб.' },
)
export const BoxPatch = Type.Object(
  {
    pallet_id: Type.Union([Type.String(storedId), Type.Null()], {
      description: 'Паллета: id или SSCC; null — снять с паллеты.',
    }),
  },
  { $id: 'BoxPatch', additionalProperties: false, description: 'Куда поставить короб.' },
)
export const BoxPage = pageSchema(Box, 'BoxPage', 'Страница коробов.')
export const PalletPage = pageSchema(Pallet, 'PalletPage', 'Страница паллет.')

const clientFilter = text({ description: 'Клиент; без него — все.' })
export const boxesQuery = query({
  client_id: clientFilter,
  warehouse_code: warehouseFilter,
  pallet_id: text({ description: 'Короба на этой паллете: её id или SSCC.' }),
  barcode: text({ description: 'Короба, в которых лежит товар с этим штрихкодом.' }),
  ...shortPages,
})
export const palletsQuery = query({
  client_id: clientFilter,
  warehouse_code: warehouseFilter,
  ...shortPages,
})

export const storedParams = {
  id: 'Идентификатор или SSCC, как его передаёт сканер: 18 цифр, с `00`, `(00)` или `]C1` впереди или без них.',
}
export type IdParams = { Params: { id: string } }

export function addStorage(app: FastifyInstance, dependencies: StaffDependencies): void {
  addLists(app, dependencies)
  addReads(app, dependencies)
  addMaking(app, dependencies)
  addPlacing(app, dependencies)
}

function addLists(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const boxesSchema = staffOperation({
    id: 'listBoxes',
    tag: 'Хранение',
    summary: 'Короба',
    description: 'Короба всех клиентов, новые первыми, без содержимого.',
    query: boxesQuery,
    answers: { 200: { description: 'Страница.', schema: named(BoxPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/boxes', { schema: boxesSchema }, async (request) => {
    const { limit, cursor, ...filter } = boxesQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'boxes', { limit, cursor }, filter)
    return list.answer(await listBoxes(db, withinWarehouse(request, filter), list.request))
  })

  const palletsSchema = staffOperation({
    id: 'listPallets',
    tag: 'Хранение',
    summary: 'Паллеты',
    description: 'Паллеты всех клиентов, новые первыми, без содержимого.',
    query: palletsQuery,
    answers: { 200: { description: 'Страница.', schema: named(PalletPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/pallets', { schema: palletsSchema }, async (request) => {
    const { limit, cursor, ...filter } = palletsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'pallets', { limit, cursor }, filter)
    return list.answer(await listPallets(db, withinWarehouse(request, filter), list.request))
  })
}

function addReads(app: FastifyInstance, { db }: StaffDependencies): void {
  const boxSchema = staffOperation({
    id: 'getBox',
    tag: 'Хранение',
    summary: 'Один короб',
    description: 'Короб с содержимым.',
    params: storedParams,
    answers: { 200: { description: 'Короб.', schema: named(Box) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/boxes/:id', { schema: boxSchema }, async (request) =>
    found(await findBox(db, await findStored(db, 'box', request.params.id))),
  )

  const palletSchema = staffOperation({
    id: 'getPallet',
    tag: 'Хранение',
    summary: 'Одна паллета',
    description: 'Паллета с коробами и тем, что в них лежит.',
    params: storedParams,
    answers: { 200: { description: 'Паллета.', schema: named(Pallet) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/pallets/:id', { schema: palletSchema }, async (request) =>
    found(await findPallet(db, await findStored(db, 'pallet', request.params.id))),
  )
}

function addMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, ssccPrefix } = dependencies
  const palletSchema = staffOperation({
    id: 'createPallet',
    tag: 'Хранение',
    summary: 'Завести паллету',
    description: 'Пустая паллета с новым номером SSCC.',
    body: PalletDraft,
    answers: { 201: { description: 'Заведена.', schema: named(Pallet) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/pallets', { schema: palletSchema }, async (request, reply) => {
    const draft = bodyOf(PalletDraft, request)
    const clientId = await clientInBody(db, request, draft.client_id)
    const pallet = await change(dependencies, request, { clientId }, async (work) => {
      const id = await addPallet(work, clientId, ssccPrefix)
      const made = found(await findPallet(work.tx, { clientId, id }))
      return { answer: made, made: { objectId: id, after: made } }
    })
    return reply.code(201).send(pallet)
  })

  const boxSchema = staffOperation({
    id: 'createBox',
    tag: 'Хранение',
    summary: 'Завести короб',
    description: 'Пустой короб с новым номером SSCC, на паллете или без неё.',
    body: BoxDraft,
    answers: { 201: { description: 'Заведён.', schema: named(Box) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/boxes', { schema: boxSchema }, async (request, reply) => {
    const draft = bodyOf(BoxDraft, request)
    const clientId = await clientInBody(db, request, draft.client_id)
    const pallet = draft.pallet_id && (await storedInBody(db, 'pallet', clientId, draft.pallet_id))
    const box = await change(dependencies, request, { clientId }, async (work) => {
      const id = await addBox(work, clientId, pallet, ssccPrefix)
      const made = found(await findBox(work.tx, { clientId, id }))
      return { answer: made, made: { objectId: id, after: made } }
    })
    return reply.code(201).send(box)
  })
}

const otherField = {
  pallet: ['pallet_id', 'у клиента нет такой паллеты'],
  box: ['to_box_id', 'у клиента нет такого короба'],
} as const

/** Finds the box or pallet that a body names by id or SSCC. Throws validation_error. */
export async function storedInBody(
  db: Queryable,
  kind: 'box' | 'pallet',
  clientId: string,
  text: string,
  named?: string,
): Promise<string> {
  const id = await findOfClient(db, kind, clientId, text)
  const [other, rule] = otherField[kind]
  const field = named ?? other
  if (id === undefined) throw invalidField(field, rule)
  return id
}

function addPlacing(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'placeBox',
    tag: 'Хранение',
    summary: 'Переставить короб',
    description: 'На другую паллету того же клиента или на пол.',
    params: storedParams,
    body: BoxPatch,
    answers: { 200: { description: 'Переставлен.', schema: named(Box) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.patch<IdParams>('/boxes/:id', { schema }, async (request) => {
    const { pallet_id } = bodyOf(BoxPatch, request)
    const box = await findStored(db, 'box', request.params.id)
    const pallet =
      pallet_id === null ? null : await storedInBody(db, 'pallet', box.clientId, pallet_id)
    const subject = {
      clientId: box.clientId,
      objectId: box.id,
      look: async ({ tx }: Work) => ({ pallet_id: found(await findBox(tx, box)).pallet_id }),
    }
    return change(dependencies, request, subject, async (work) => {
      const changed = await placeBox(work, box.clientId, box.id, pallet)
      return { answer: found(await findBox(work.tx, box)), changed }
    })
  })
}
