import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { credentialsStates, listCabinetsOfAll } from '../../../clients/cabinets.ts'
import { ownerOf } from '../../../clients/owner.ts'
import { conflict } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/schema.ts'
import { CabinetTask, listTasks } from '../../../marketplaces/desk/task-list.ts'
import { askForRound } from '../../../marketplaces/rounds/rounds.ts'
import { openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, oneOf, query, text } from '../../query.ts'
import { change } from '../change.ts'
import type { StaffDependencies } from '../dependencies.ts'
import { operation } from '../operation.ts'
import { CabinetPage } from './cabinets.ts'

export const AskedRound = Type.Object(
  {
    cabinet_id: Type.String({ description: 'Кабинет.' }),
    message: Type.String({ description: 'Что будет, по-русски.' }),
  },
  { $id: 'AskedRound', description: 'Синхронизация начнётся сразу.' },
)

export const CabinetTaskPage = pageSchema(CabinetTask, 'CabinetTaskPage', 'Страница поручений.')

const tasksQuery = query({ limit: limit({ default: 50, max: 200 }), cursor: cursorText() })
const cabinetsQuery = query({
  client_id: text({ description: 'Кабинеты одного клиента; без него — всех действующих.' }),
  credentials_state: oneOf(credentialsStates, { description: 'Что с ключами; без него — любые.' }),
  limit: limit({ default: 50, max: 200 }),
  cursor: cursorText(),
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор кабинета.' }
const config = { role: 'manager' } as const

/** What managers watch of connected cabinets: whose key needs a look, and what was asked of them. */
export function addCabinetSync(app: FastifyInstance, dependencies: StaffDependencies): void {
  addLists(app, dependencies)
  addRound(app, dependencies)
}

function addLists(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = operation({
    id: 'listCabinetsOfAll',
    tag: 'Клиенты',
    summary: 'Кабинеты всех клиентов',
    description:
      'Новые первыми. `credentials_state=refused` и `expiring` показывают, чьи ключи пора заменить.',
    query: cabinetsQuery,
    answers: { 200: { description: 'Страница кабинетов.', schema: named(CabinetPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/cabinets', { schema: listSchema, config }, async (request) => {
    const { limit, cursor, ...filter } = cabinetsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'cabinets of all', { limit, cursor }, filter)
    return list.answer(await listCabinetsOfAll(db, filter, list.request))
  })

  const tasksSchema = operation({
    id: 'listCabinetTasks',
    tag: 'Клиенты',
    summary: 'Поручения кабинета маркетплейсу',
    description:
      'Что у маркетплейса просили для отгрузок этого кабинета и чем кончилось, новые первыми. ' +
      'Здесь видно и то, что после сбоя доделала или отменила синхронизация.',
    params,
    query: tasksQuery,
    answers: { 200: { description: 'Страница поручений.', schema: named(CabinetTaskPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  const tasksOptions = { schema: tasksSchema, config }
  app.get<IdParams>('/cabinets/:id/tasks', tasksOptions, async (request) => {
    const { id } = request.params
    const clientId = await ownerOf(db, 'cabinets', id)
    const asked = tasksQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'tasks', asked, { cabinet: id })
    return list.answer(await listTasks(db, clientId, id, list.request))
  })
}

function addRound(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const syncSchema = operation({
    id: 'syncCabinet',
    tag: 'Клиенты',
    summary: 'Синхронизировать кабинет сейчас',
    description: 'Начинает обмен с маркетплейсом, не дожидаясь очереди. Итог виден в кабинете.',
    params,
    answers: { 202: { description: 'Начнётся сразу.', schema: named(AskedRound) } },
    errors: ['not_found', 'conflict'],
  })
  const options = { schema: syncSchema, config }
  app.post<IdParams>('/cabinets/:id/sync', options, async (request, reply) => {
    const { id } = request.params
    const clientId = await ownerOf(db, 'cabinets', id)
    await change(dependencies, request, { clientId, objectId: id }, async (work) => {
      if (await askForRound(work.tx, clientId, id)) return { answer: undefined }
      throw conflict('Кабинет не подключён: задайте ключи маркетплейса и включите его')
    })
    return reply.code(202).send({ cabinet_id: id, message: 'Синхронизация начнётся сейчас' })
  })
}
