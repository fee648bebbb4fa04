import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  exportRecordedCalls,
  listRecordedCalls,
  RecordedCall,
} from '../../../../exchange/marketplaces/recording/recorded-calls.ts'
import { deleteCalls, recordedMax } from '../../../../exchange/marketplaces/recording/store.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { hour, toTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { count, named } from '../../../../platform/kernel/schema.ts'
import { findCabinet, ownerOfCabinet } from '../../../../warehouse/clients/cabinet-queries.ts'
import { StaffCabinet } from '../../../../warehouse/clients/cabinet-view.ts'
import { recordCallsUntil } from '../../../../warehouse/clients/cabinets.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { pages, query, range, statusCode, text, time } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

const hoursMax = 7 * 24

export const CallRecordingDraft = Type.Object(
  {
    hours: Type.Integer({
      minimum: 1,
      maximum: hoursMax,
      description: `Сколько часов хранить вызовы, считая от сейчас, до ${hoursMax}.`,
    }),
  },
  { $id: 'CallRecordingDraft', additionalProperties: false, description: 'На сколько включить.' },
)
export const DeletedCalls = Type.Object(
  { deleted: count('Сколько вызовов удалено.') },
  { $id: 'DeletedCalls', description: 'Вызовы удалены.' },
)
export const RecordedCallPage = pageSchema(RecordedCall, 'RecordedCallPage', 'Страница вызовов.')

export const cabinetCallsQuery = query({
  path: text({ description: 'Часть пути, например `/supplies`.' }),
  status: statusCode,
  created_from: time({ description: 'Отправлены не раньше.' }),
  created_to: time({ description: 'Отправлены раньше этого времени.' }),
  ...pages({ default: 20, max: 100 }),
})
type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор кабинета.' }
const config = { role: 'manager' } as const
const kept =
  `Хранится не больше ${recordedMax.calls} последних вызовов кабинета и ` +
  `${recordedMax.bytes / 1024 / 1024} МБ, до ${recordedMax.days} дней.`

/** For managers: raw calls of a cabinet, kept for a bounded time, without buyers and credentials. */
export function addCabinetCalls(app: FastifyInstance, dependencies: StaffDependencies): void {
  addSwitch(app, dependencies)
  addReads(app, dependencies)
  addDeletion(app, dependencies)
}

function addSwitch(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const operation = {
    tag: 'Клиенты',
    params,
    answers: { 200: { description: 'Кабинет.', schema: named(StaffCabinet) } },
  } as const
  const switched = async (id: string) => {
    const clientId = await ownerOfCabinet(db, id)
    const look = ({ tx }: Work) => findCabinet(tx, clientId, id, true)
    return { clientId, objectId: id, look }
  }

  const onSchema = staffOperation({
    ...operation,
    id: 'recordCabinetCalls',
    summary: 'Хранить вызовы маркетплейса',
    description:
      'Со следующей синхронизации сервис хранит вызовы этого кабинета: запросы и ответы без личных ' +
      `данных и ключей. Выключается само. ${kept}`,
    body: CallRecordingDraft,
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.put<IdParams>('/cabinets/:id/recording', { schema: onSchema, config }, async (request) => {
    const { hours } = bodyOf(CallRecordingDraft, request)
    const subject = await switched(request.params.id)
    return change(dependencies, request, subject, async (work) => {
      const until = toTimestamp(work.now + hours * hour)
      await recordCallsUntil(work, subject.clientId, subject.objectId, until)
      return { answer: found(await subject.look(work)) }
    })
  })

  const offSchema = staffOperation({
    ...operation,
    id: 'stopRecordingCabinetCalls',
    summary: 'Больше не хранить вызовы',
    description: 'Новые вызовы не хранятся; прежние остаются до своего срока.',
    errors: ['not_found'],
  })
  app.delete<IdParams>(
    '/cabinets/:id/recording',
    { schema: offSchema, config },
    async (request) => {
      const subject = await switched(request.params.id)
      return change(dependencies, request, subject, async (work) => {
        await recordCallsUntil(work, subject.clientId, subject.objectId, null)
        return { answer: found(await subject.look(work)) }
      })
    },
  )
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listCabinetCalls',
    tag: 'Клиенты',
    summary: 'Вызовы маркетплейса',
    description: `Новые первыми. ${kept}`,
    params,
    query: cabinetCallsQuery,
    answers: { 200: { description: 'Страница вызовов.', schema: named(RecordedCallPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<IdParams>('/cabinets/:id/calls', { schema: listSchema, config }, async (request) => {
    const { limit, cursor, ...filter } = cabinetCallsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const { id } = request.params
    const client = await ownerOfCabinet(db, id)
    const list = openList(cursors, 'staff', `calls of ${id}`, { limit, cursor }, filter)
    return list.answer(await listRecordedCalls(db, client, id, filter, list.request))
  })

  const exportSchema = staffOperation({
    id: 'exportCabinetCalls',
    tag: 'Клиенты',
    summary: 'Все вызовы одним файлом',
    description:
      'JSON: список вызовов, у каждого — `cases` с запросом и ответом. Файл читают тесты записанных ' +
      'ответов. Попыток без ответа в нём нет.',
    params,
    answers: {
      200: {
        description: 'Файл.',
        media: { 'application/json': Type.Array(Type.Any(), { description: 'Вызовы.' }) },
      },
    },
    errors: ['not_found'],
  })
  app.get<IdParams>(
    '/cabinets/:id/calls/export',
    { schema: exportSchema, config },
    async (request, reply) => {
      const { id } = request.params
      const client = await ownerOfCabinet(db, id)
      reply.header('Content-Disposition', `attachment; filename="calls-${id}.json"`)
      reply.type('application/json; charset=utf-8')
      return reply.send(Readable.from(exportRecordedCalls(db, client, id)))
    },
  )
}

function addDeletion(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'deleteCabinetCalls',
    tag: 'Клиенты',
    summary: 'Удалить вызовы',
    description: 'Удаляет все сохранённые вызовы кабинета сразу.',
    params,
    answers: { 200: { description: 'Удалены.', schema: named(DeletedCalls) } },
    errors: ['not_found'],
  })
  app.delete<IdParams>('/cabinets/:id/calls', { schema, config }, async (request) => {
    const { id } = request.params
    const clientId = await ownerOfCabinet(db, id)
    return change(dependencies, request, { clientId, objectId: id }, async (work) => {
      const answer = { deleted: await deleteCalls(work, clientId, id) }
      return { answer, made: { after: answer } }
    })
  })
}
