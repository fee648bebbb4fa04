import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { addPrintJob, settlePrintJob, unknownJob } from '../../../../documents/printing/jobs.ts'
import { findPrintJob, listPrintJobs } from '../../../../documents/printing/queries.ts'
import {
  printLeaseSeconds,
  printStatuses,
  printStatusRule,
} from '../../../../documents/printing/state.ts'
import { PrintJob, printKindRule, printKinds } from '../../../../documents/printing/view.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import { drawingMessages } from '../../../files/paper-answer.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import type { IdParams } from '../storage/storage.ts'
import { labelsPolicy, type PrintContent } from './marketplace-labels.ts'
import { findPrintSubject, printSubjectInBody } from './print-subject.ts'

export const PrintJobDraft = Type.Object(
  {
    kind: oneOfValues(printKinds, printKindRule),
    object_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Что печатать: идентификатор; у короба и паллеты годится SSCC, у места — код.',
    }),
    station_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'На какой станции; без неё — на любой того же склада, которая такое печатает.',
      }),
    ),
    copies: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 1,
        description: 'Сколько экземпляров; этикетки отгрузки — только один.',
      }),
    ),
    print_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Свой номер запроса: повтор с ним не печатает второй раз.',
      }),
    ),
  },
  { $id: 'PrintJobDraft', additionalProperties: false, description: 'Что напечатать.' },
)
export const PrintOutcomeDraft = Type.Object(
  {
    status: oneOfValues(
      printStatuses,
      `PRINTED — напечатано, FAILED — нет, QUEUED — вернуть в очередь или напечатать ещё раз, PRINTING — печатаю ещё ${printLeaseSeconds} секунд.`,
    ),
    tab: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Вкладка, которая печатает; без неё отвечает человек.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        pattern: '\\S',
        description: 'Почему не напечатано; обязательна для FAILED.',
        examples: ['Кончилась бумага'],
      }),
    ),
  },
  { $id: 'PrintOutcomeDraft', additionalProperties: false, description: 'Чем кончилась печать.' },
)
export const PrintJobPage = pageSchema(PrintJob, 'PrintJobPage', 'Страница заданий печати.')

export const printJobsQuery = query({
  warehouse_code: text({ description: 'Задания одного склада; без него — всех.' }),
  station_id: text({ description: 'Задания для этой станции и те, что она взяла.' }),
  status: oneOf(printStatuses, { description: printStatusRule }),
  ...shortPages,
})
/** A station prints without a person, too. */
const station = { devices: ['STATION'] } as const
const jobParams = { id: 'Идентификатор задания печати.' }

export function addPrintJobs(app: FastifyInstance, dependencies: StaffDependencies): void {
  addJobReads(app, dependencies)
  addJobMaking(app, dependencies)
  addJobOutcome(app, dependencies)
  addJobContent(app, dependencies)
}

function addJobReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listPrintJobs',
    tag: 'Бумаги',
    summary: 'Задания печати',
    description: 'Новые первыми; хранятся две недели.',
    query: printJobsQuery,
    answers: { 200: { description: 'Страница.', schema: named(PrintJobPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/print-jobs', { schema: listSchema, config: station }, async (request) => {
    const { limit, cursor, ...filter } = printJobsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'print-jobs', { limit, cursor }, filter)
    return list.answer(await listPrintJobs(db, { ...filter, ...ownScope(request) }, list.request))
  })

  const schema = staffOperation({
    id: 'getPrintJob',
    tag: 'Бумаги',
    summary: 'Одно задание печати',
    description: 'Напечатано ли.',
    params: jobParams,
    answers: { 200: { description: 'Задание.', schema: named(PrintJob) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/print-jobs/:id', { schema }, async (request) =>
    found(await findPrintJob(db, request.params.id)),
  )
}

function addJobMaking(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'createPrintJob',
    tag: 'Бумаги',
    summary: 'Напечатать',
    description:
      'Ставит в очередь станции: её страница напечатает сама. Печатается то, что есть в момент печати. ' +
      'Станция должна стоять на том же складе, что и вещь.',
    body: PrintJobDraft,
    answers: {
      200: { description: 'Это задание уже есть: print_id тот же.', schema: named(PrintJob) },
      201: { description: 'В очереди.', schema: named(PrintJob) },
    },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/print-jobs', { schema }, async (request, reply) => {
    const { kind, object_id, copies = 1, ...draft } = bodyOf(PrintJobDraft, request)
    const subject = await printSubjectInBody(dependencies, request, kind, object_id)
    const { clientId, warehouse, objectId, title } = subject
    const { job, isNew } = await change(dependencies, request, { clientId }, async (work) => {
      const { id, isNew } = await addPrintJob(work, {
        ...{ warehouse, kind, objectId, title, copies },
        stationId: draft.station_id,
        printId: draft.print_id,
      })
      const job = found(await findPrintJob(work.tx, id))
      return { answer: { job, isNew }, made: { objectId: id, after: job }, changed: isNew }
    })
    return reply.code(isNew ? 201 : 200).send(job)
  })
}

function addJobOutcome(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'settlePrintJob',
    tag: 'Бумаги',
    summary: 'Итог печати',
    description:
      'Страница станции отвечает за задание, которое печатает; человек — за любое другое: напечатать ещё раз, ' +
      'снять с очереди (FAILED), отметить напечатанным. Повтор ничего не меняет.',
    params: jobParams,
    body: PrintOutcomeDraft,
    answers: { 200: { description: 'Как стало.', schema: named(PrintJob) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.patch<IdParams>('/print-jobs/:id', { schema, config: station }, async (request) => {
    const { status, tab, reason } = bodyOf(PrintOutcomeDraft, request)
    const known = await findPrintJob(dependencies.db, request.params.id)
    if (known === undefined) throw unknownJob()
    const { id } = known
    const look = ({ tx }: Work) => findPrintJob(tx, id)
    return change(dependencies, request, { objectId: id, look }, async (work) => {
      const changed = await settlePrintJob(work, id, { status, tab, reason: reason?.trim() })
      return { answer: found(await findPrintJob(work.tx, id)), changed }
    })
  })
}

function addJobContent(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'getPrintJobContent',
    tag: 'Бумаги',
    summary: 'Что напечатать',
    description:
      'Страница или PDF со всеми экземплярами, собирается заново при каждом вызове: этикетки 58 × 40 мм и ' +
      'документы — страницей, этикетки OZON — PDF. Печатается то, что видит тот, кто вошёл на станции.',
    params: jobParams,
    answers: {
      200: {
        description: 'Для печати.',
        media: {
          'application/pdf': Type.String({ format: 'binary' }),
          'text/html': Type.String(),
        },
      },
    },
    errors: ['not_found', 'conflict', 'rate_limited', 'marketplace_unavailable'],
    messages: drawingMessages,
  })
  app.get<IdParams>(
    '/print-jobs/:id/content',
    { schema, config: station },
    async (request, reply) => {
      const job = found(await findPrintJob(dependencies.db, request.params.id))
      const subject = await findPrintSubject(dependencies, request, job.kind, job.object_id)
      const { type, body } = await subject.render(job.copies)
      return reply.header('Content-Security-Policy', contentPolicyOf(type)).type(type).send(body)
    },
  )
}

/** The page of a station may frame what it prints, which runs nothing. No browser shows a PDF in a sandbox. */
function contentPolicyOf(type: PrintContent['type']): string {
  const frames = "frame-ancestors 'self'"
  return type === 'application/pdf' ? frames : `${labelsPolicy} allow-same-origin; ${frames}`
}
