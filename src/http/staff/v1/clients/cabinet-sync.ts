import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  CabinetObservation,
  observationOf,
} from '../../../../exchange/marketplaces/cabinets/observed-figures.ts'
import {
  CabinetWarehouses,
  listCabinetWarehouses,
} from '../../../../exchange/marketplaces/cabinets/seller-warehouses.ts'
import { requestSyncRun } from '../../../../exchange/marketplaces/connecting/sync-requests.ts'
import {
  listRemoteCommands,
  RemoteCommandView,
} from '../../../../exchange/marketplaces/coordination/command-list.ts'
import { conflict } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { listCabinetsOfAll, ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { credentialsStates } from '../../../../warehouse/clients/cabinet-view.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages, text } from '../../../route/query.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { CabinetPage } from './cabinets.ts'

export const RequestedSync = Type.Object(
  {
    cabinet_id: Type.String({ description: 'Кабинет.' }),
    message: Type.String({ description: 'Что будет, по-русски.' }),
  },
  { $id: 'RequestedSync', description: 'Синхронизация начнётся сразу.' },
)

export const RemoteCommandPage = pageSchema(
  RemoteCommandView,
  'RemoteCommandPage',
  'Страница поручений.',
)

export const remoteCommandsQuery = query({
  shipment_id: text({ description: 'Поручения об одной отгрузке, по её id.' }),
  ...shortPages,
})
export const cabinetsOfAllQuery = query({
  client_id: text({ description: 'Кабинеты одного клиента; без него — всех действующих.' }),
  warehouse_code: warehouseFilter,
  credentials_state: oneOf(credentialsStates, { description: 'Что с ключами; без него — любые.' }),
  ...shortPages,
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор кабинета.' }
const config = { role: 'manager' } as const

/** For managers: cabinets by the state of their keys, remote commands, and a sync on request. */
export function addCabinetSync(app: FastifyInstance, dependencies: StaffDependencies): void {
  addLists(app, dependencies)
  addObservation(app, dependencies)
  addSyncRequest(app, dependencies)
}

function addLists(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listCabinetsOfAll',
    tag: 'Клиенты',
    summary: 'Кабинеты всех клиентов',
    description:
      'Новые первыми. `credentials_state=refused` и `expiring` показывают, чьи ключи пора заменить.',
    query: cabinetsOfAllQuery,
    answers: { 200: { description: 'Страница кабинетов.', schema: named(CabinetPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/cabinets', { schema: listSchema, config }, async (request) => {
    const { limit, cursor, ...filter } = cabinetsOfAllQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'cabinets of all', { limit, cursor }, filter)
    return list.answer(await listCabinetsOfAll(db, withinWarehouse(request, filter), list.request))
  })

  const commandsSchema = staffOperation({
    id: 'listRemoteCommands',
    tag: 'Клиенты',
    summary: 'Поручения кабинета маркетплейсу',
    description:
      'Что у маркетплейса просили для отгрузок этого кабинета и чем кончилось, новые первыми. ' +
      'Здесь видно и то, что после сбоя доделала или отменила синхронизация.',
    params,
    query: remoteCommandsQuery,
    answers: { 200: { description: 'Страница поручений.', schema: named(RemoteCommandPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  const commandsOptions = { schema: commandsSchema, config }
  app.get<IdParams>('/cabinets/:id/tasks', commandsOptions, async (request) => {
    const { id } = request.params
    const clientId = await ownerOfCabinet(db, id)
    const { limit, cursor, ...filter } = remoteCommandsQuery.parse(rawQuery(request))
    const bound = { cabinet: id, ...filter }
    const list = openList(cursors, 'staff', 'tasks', { limit, cursor }, bound)
    return list.answer(await listRemoteCommands(db, clientId, id, list.request, filter))
  })
}

function addObservation(app: FastifyInstance, { db }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getCabinetObservation',
    tag: 'Клиенты',
    summary: 'Что увидели в наблюдаемом кабинете',
    description:
      'Сколько заказов и отгрузок увидел бы продавец, сколько единиц ушло бы со склада и чем цифры ' +
      'маркетплейса отличаются от остатка. После переключения заказы и отгрузки — обычные, и здесь нули.',
    params,
    answers: { 200: { description: 'Сравнение.', schema: named(CabinetObservation) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/cabinets/:id/observation', { schema, config }, async (request) => {
    const { id } = request.params
    return found(await observationOf(db, await ownerOfCabinet(db, id), id))
  })
}

function addSyncRequest(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const syncSchema = staffOperation({
    id: 'syncCabinet',
    tag: 'Клиенты',
    summary: 'Синхронизировать кабинет сейчас',
    description: 'Начинает обмен с маркетплейсом, не дожидаясь очереди. Итог виден в кабинете.',
    params,
    answers: { 202: { description: 'Начнётся сразу.', schema: named(RequestedSync) } },
    errors: ['not_found', 'conflict'],
  })
  const options = { schema: syncSchema, config }
  app.post<IdParams>('/cabinets/:id/sync', options, async (request, reply) => {
    const { id } = request.params
    const clientId = await ownerOfCabinet(db, id)
    await change(dependencies, request, { clientId, objectId: id }, async (work) => {
      if (await requestSyncRun(work.tx, clientId, id)) return { answer: undefined }
      throw conflict('Кабинет не подключён: задайте ключи маркетплейса и включите его')
    })
    return reply.code(202).send({ cabinet_id: id, message: 'Синхронизация начнётся сейчас' })
  })
}

export function addCabinetWarehouses(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listCabinetWarehouses',
    tag: 'Клиенты',
    summary: 'Склады кабинета на маркетплейсе',
    description:
      'Склады продавца, как их сейчас называет маркетплейс: какие из них наши и сколько заказов ' +
      'остальных сюда не принято. Выбирают их через `PATCH /cabinets/{id}`, поле `warehouses`.',
    params: { id: 'Идентификатор кабинета.' },
    answers: { 200: { description: 'Склады.', schema: named(CabinetWarehouses) } },
    errors: ['not_found', 'conflict', 'marketplace_unavailable'],
  })
  const options = { schema, config: { role: 'manager' } as const }
  app.get<{ Params: { id: string } }>('/cabinets/:id/warehouses', options, async (request) => {
    const { id } = request.params
    const { db, clock } = dependencies
    const clientId = await ownerOfCabinet(db, id)
    return listCabinetWarehouses(dependencies, clientId, id, clock.now())
  })
}
