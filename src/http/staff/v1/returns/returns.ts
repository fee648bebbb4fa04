import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  findReturnBatch,
  findReturnBatchContent,
  listReturnBatches,
  ownerOfReturnBatch,
  returnSorts,
} from '../../../../warehouse/returns/batch-queries.ts'
import { ReturnBatch, ReturnBatchContent } from '../../../../warehouse/returns/batch-view.ts'
import { finishReturnBatch, openReturnBatch } from '../../../../warehouse/returns/batches.ts'
import { returnBatchStatuses } from '../../../../warehouse/returns/state.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, range, shortPages, sortBy, text, time } from '../../../route/query.ts'
import { clientInBody } from '../../body-ids.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

export const ReturnBatchPage = pageSchema(
  ReturnBatch,
  'ReturnBatchPage',
  'Страница приёмов возвратов.',
)

const ExpectedOrder = Type.Object(
  {
    order_id: Type.Optional(Type.String({ maxLength: 64, description: 'Заказ: его id.' })),
    external_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Или его номер в кабинете.' }),
    ),
  },
  { additionalProperties: false, description: 'Заказ, который возвращается.' },
)
export const ReturnBatchDraft = Type.Object(
  {
    client_id: Type.String({ maxLength: 64, description: 'Чьи возвраты.' }),
    cabinet_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Кабинет, если все они из одного.' }),
    ),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'Комментарий.' }),
    ),
    expected: Type.Optional(
      Type.Array(ExpectedOrder, {
        maxItems: 1000,
        description:
          'Какие заказы ждут. Без списка, но с cabinet_id: всё, что его маркетплейс готов выдать.',
      }),
    ),
  },
  { $id: 'ReturnBatchDraft', additionalProperties: false, description: 'Новый приём возвратов.' },
)

export const returnsQuery = query({
  client_id: text({ description: 'Клиент; без него — все.' }),
  warehouse_code: warehouseFilter,
  cabinet_id: text({ description: 'Кабинет; без него — все.' }),
  status: oneOf(returnBatchStatuses, { description: 'Состояние; без него — все.' }),
  number: text({ description: 'Точный номер.' }),
  created_from: time({ description: 'Начаты не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Начаты раньше этого времени.' }),
  sort: sortBy(returnSorts),
  ...shortPages,
})

export type ReturnParams = { Params: { id: string } }
export const returnParams = { id: 'Идентификатор приёма возвратов.' }

export function addReturns(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReturnReads(app, dependencies)
  addOpening(app, dependencies)
  addReturnFinish(app, dependencies)
}

function addReturnReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listReturnBatches',
    tag: 'Возвраты',
    summary: 'Приёмы возвратов',
    description: 'Без состава. Чего маркетплейсы ещё не привезли: GET /expected-returns.',
    query: returnsQuery,
    answers: { 200: { description: 'Страница.', schema: named(ReturnBatchPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/returns', { schema: listSchema }, async (request) => {
    const { limit, cursor, sort, ...filter } = returnsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'returns', { limit, cursor, sort }, filter)
    return list.answer(await listReturnBatches(db, withinWarehouse(request, filter), list.request))
  })

  const schema = staffOperation({
    id: 'getReturnBatch',
    tag: 'Возвраты',
    summary: 'Один приём возвратов',
    description: 'Что ждали, что приехало и в каком состоянии: всё, что нужно для акта.',
    params: returnParams,
    answers: { 200: { description: 'Приём возвратов.', schema: named(ReturnBatchContent) } },
    errors: ['not_found'],
  })
  app.get<ReturnParams>('/returns/:id', { schema }, async (request) => {
    const { id } = request.params
    const clientId = await ownerOfReturnBatch(db, id)
    return found(await findReturnBatchContent(db, clientId, id))
  })
}

function addOpening(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'openReturnBatch',
    tag: 'Возвраты',
    summary: 'Начать приём возвратов',
    description:
      'Открывает приём возвратов одного клиента. Список expected не ограничивает сканы: он показывает, ' +
      'чего не хватает. Без списка открывать не обязательно: POST /returns/scans сделает это сам.',
    body: ReturnBatchDraft,
    answers: { 201: { description: 'Начат.', schema: named(ReturnBatchContent) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/returns', { schema }, async (request, reply) => {
    const draft = bodyOf(ReturnBatchDraft, request)
    const clientId = await clientInBody(dependencies.db, request, draft.client_id)
    const made = await change(dependencies, request, { clientId }, async (work) => {
      const id = await openReturnBatch(work, clientId, {
        cabinetId: draft.cabinet_id,
        comment: draft.comment,
        expected: draft.expected,
      })
      const answer = found(await findReturnBatchContent(work.tx, clientId, id))
      const look = () => findReturnBatch(work.tx, clientId, id)
      return { answer, made: { clientId, objectId: id, look } }
    })
    return reply.code(201).send(made)
  })
}

function addReturnFinish(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'finishReturnBatch',
    tag: 'Возвраты',
    summary: 'Закончить приём возвратов',
    description: 'После этого сканов нет; чего не хватило, видно в expected.',
    params: returnParams,
    answers: { 200: { description: 'Закончен.', schema: named(ReturnBatchContent) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<ReturnParams>('/returns/:id/finish', { schema }, async (request) => {
    const { id } = request.params
    const clientId = await ownerOfReturnBatch(dependencies.db, id)
    const look = (work: Work) => findReturnBatch(work.tx, clientId, id)
    return change(dependencies, request, { clientId, objectId: id, look }, async (work) => {
      await finishReturnBatch(work, clientId, id)
      return { answer: found(await findReturnBatchContent(work.tx, clientId, id)) }
    })
  })
}
