import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  addWarehouse,
  findWarehouse,
  listWarehouses,
  switchIntake,
  Warehouse,
} from '../../../../warehouse/clients/warehouses.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope, refuseSomeWarehouses } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const WarehouseDraft = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 32,
      pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]*$',
      title: 'без пробелов: буквы, цифры, точка, дефис, подчёркивание, например MSK1',
      examples: ['MSK1'],
      description: 'Короткий код: буквы, цифры, точка, дефис, подчёркивание.',
    }),
    name: Type.String({ minLength: 1, maxLength: 500, description: 'Название.' }),
  },
  { $id: 'WarehouseDraft', additionalProperties: false, description: 'Новый склад.' },
)
export const IntakeSwitch = Type.Object(
  { open: Type.Boolean({ description: 'Принимает ли склад заявки.' }) },
  { $id: 'IntakeSwitch', additionalProperties: false, description: 'Приём заявок.' },
)
export const WarehousePage = pageSchema(Warehouse, 'WarehousePage', 'Страница складов.')

const warehousesQuery = query(shortPages)
const administrator = { role: 'administrator' } as const
const manager = { role: 'manager' } as const

export function addWarehouses(app: FastifyInstance, dependencies: StaffDependencies): void {
  addWarehouseList(app, dependencies)
  addWarehouseChanges(app, dependencies)
}

function addWarehouseList(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listWarehouses',
    tag: 'Настройки',
    summary: 'Склады',
    description: 'Склады, на которых работает сотрудник, по порядку кодов.',
    query: warehousesQuery,
    answers: { 200: { description: 'Страница складов.', schema: named(WarehousePage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/warehouses', { schema: listSchema }, async (request) => {
    const parameters = warehousesQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'warehouses', parameters, {})
    return list.answer(await listWarehouses(db, list.request, ownScope(request).warehouses))
  })
}

function addWarehouseChanges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const addSchema = staffOperation({
    id: 'createWarehouse',
    tag: 'Настройки',
    summary: 'Завести склад',
    description: 'Код потом не меняется.',
    body: WarehouseDraft,
    answers: { 201: { description: 'Заведён.', schema: named(Warehouse) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/warehouses', { schema: addSchema, config: administrator }, async (request, reply) => {
    const draft = bodyOf(WarehouseDraft, request)
    refuseSomeWarehouses(request)
    const warehouse = await change(dependencies, request, {}, async (work) => {
      await addWarehouse(work, draft)
      const made = found(await findWarehouse(work.tx, draft.code))
      return { answer: made, made: { objectId: made.code, after: made } }
    })
    return reply.code(201).send(warehouse)
  })

  const intakeSchema = staffOperation({
    id: 'switchIntake',
    tag: 'Настройки',
    summary: 'Открыть или закрыть приём заявок',
    description:
      'Пока приём закрыт, `POST /v1/receipts` отвечает 502 `warehouse_unavailable` и ничего не ' +
      'создаёт; всё остальное работает.',
    params: { code: 'Код склада.' },
    body: IntakeSwitch,
    answers: { 200: { description: 'Склад.', schema: named(Warehouse) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.put<{ Params: { code: string } }>(
    '/warehouses/:code/intake',
    { schema: intakeSchema, config: manager },
    async (request) => {
      const { open } = bodyOf(IntakeSwitch, request)
      const { code } = request.params
      const look = ({ tx }: Work) => findWarehouse(tx, code, true)
      return change(dependencies, request, { objectId: code, look }, async (work) => {
        const changed = await switchIntake(work, code, open)
        return { answer: found(await findWarehouse(work.tx, code)), changed }
      })
    },
  )
}
