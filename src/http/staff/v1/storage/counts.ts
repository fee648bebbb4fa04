import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { actorNames } from '../../../../identity/staff/actor-names.ts'
import { covers } from '../../../../identity/staff/roles.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { actorText } from '../../../../platform/kernel/actor.ts'
import { named, oneOfValues, textOrNull } from '../../../../platform/kernel/schema.ts'
import { readTimeField } from '../../../../platform/kernel/time-field.ts'
import { decideLine } from '../../../../warehouse/counts/decisions.ts'
import {
  type CountReader,
  countSorts,
  countSummary,
  findCount,
  listCounts,
  ownerOfCount,
} from '../../../../warehouse/counts/queries.ts'
import { scopeOf } from '../../../../warehouse/counts/scope.ts'
import { countOutcomes, countStatuses } from '../../../../warehouse/counts/state.ts'
import {
  cancelCount,
  closeCount,
  openCount,
  recountLines,
  reviewCount,
  startCount,
} from '../../../../warehouse/counts/verbs.ts'
import { StockCount } from '../../../../warehouse/counts/view.ts'
import { finishCounting, resumeCounting } from '../../../../warehouse/counts/workers.ts'
import { listDatedGoods } from '../../../../warehouse/stock/lots.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, range, shortPages, sortBy, text, time } from '../../../route/query.ts'
import { clientInBody } from '../../body-ids.ts'
import { actorOf, bodyIfAny, bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn, ownScope, warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { listOtherBarcodes } from '../../other-barcodes.ts'
import type { IdParams } from './storage.ts'

const some = { maxItems: 500 }
const place = { minLength: 1, maxLength: 64 }

const scopeDraft = Type.Object(
  {
    barcodes: Type.Optional(
      Type.Array(Type.String(place), { ...some, description: 'Только эти товары.' }),
    ),
    boxes: Type.Optional(
      Type.Array(Type.String(place), { ...some, description: 'Короба: id или SSCC.' }),
    ),
    locations: Type.Optional(
      Type.Array(Type.String(place), {
        ...some,
        description: 'Места: id или код, с коробами на них.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Что считать; пусто — все товары клиента.',
  },
)
export const CountDraft = Type.Object(
  {
    client_id: Type.Optional(
      Type.String({
        description: 'Чьи товары; не нужен, если в коробах и местах товары одного клиента.',
      }),
    ),
    scope: scopeDraft,
    blind: Type.Optional(
      Type.Boolean({ description: 'Скрыть от работников, сколько числится; без поля — скрыть.' }),
    ),
    for_client: Type.Optional(
      Type.Boolean({
        description: 'true — по просьбе клиента: посчитанные единицы начислят; без поля — нет.',
      }),
    ),
  },
  { $id: 'CountDraft', additionalProperties: false, description: 'Новый пересчёт.' },
)
export const RecountDraft = Type.Object(
  {
    barcodes: Type.Array(Type.String(place), {
      minItems: 1,
      maxItems: 500,
      description: 'Какие товары посчитать заново.',
    }),
  },
  { $id: 'RecountDraft', additionalProperties: false, description: 'Что пересчитать.' },
)
export const LineDecisionDraft = Type.Object(
  {
    outcome: oneOfValues(
      countOutcomes,
      'correct — исправить остаток, in_question — поставить единицы под вопрос, ignore — ничего не менять.',
    ),
    reason: Type.String({
      minLength: 1,
      maxLength: 64,
      examples: ['COUNT'],
      description: 'Код причины из GET /staff/v1/reasons, kind correction.',
    }),
  },
  { $id: 'LineDecisionDraft', additionalProperties: false, description: 'Решение по строке.' },
)
export const CountRoundDraft = Type.Object(
  {
    reviewed_at: Type.Optional(
      textOrNull(
        'reviewed_at пересчёта, каким его видел терминал. Если менеджер с тех пор его проверял, ничего не изменится; ' +
          'без поля — тот, что сейчас.',
      ),
    ),
  },
  {
    $id: 'CountRoundDraft',
    additionalProperties: false,
    description: 'Какой счёт закончили или продолжают.',
  },
)
export const StockCountPage = pageSchema(StockCount, 'StockCountPage', 'Страница пересчётов.')

const countFilters = {
  client_id: text({ description: 'Пересчёты одного клиента; без него — всех действующих.' }),
  warehouse_code: warehouseFilter,
  status: oneOf(countStatuses, { description: 'Состояние; без него — все.' }),
  created_from: time({ description: 'Заведены не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Заведены раньше этого времени.' }),
  sort: sortBy(countSorts),
  ...shortPages,
}
export const countsQuery = query(countFilters)
const listQuery = query({
  ...countFilters,
  to_count: oneOf(['true'], {
    description:
      'true — только те, которые считают и где вызывающему есть что считать: сам он не сказал, что закончил, и закончили ещё не все.',
  }),
})
export const countParams = { id: 'Идентификатор пересчёта.' }
const manager = { role: 'manager' } as const
const errors = ['bad_request', 'validation_error', 'not_found', 'conflict'] as const

export function readerOf(request: FastifyRequest): CountReader {
  return covers(memberOn(request).role, 'manager') ? 'manager' : 'worker'
}

function addWorkersWord(app: FastifyInstance, dependencies: StaffDependencies): void {
  const answers = { 200: { description: 'Пересчёт без строк.', schema: named(StockCount) } }
  const finishSchema = staffOperation({
    id: 'finishCounting',
    tag: 'Остатки',
    summary: 'Закончить считать',
    description:
      'Вызывающему считать больше нечего. Когда это сказали все, кто считал, у пересчёта появляется counted_at, и он ' +
      'ждёт решения менеджера; состояние то же. Следующий скан вызывающего возвращает его к счёту. Повтор ничего не меняет. ' +
      'Тело можно не передавать.',
    params: countParams,
    body: CountRoundDraft,
    answers,
    errors: [...errors],
  })
  app.post<IdParams>('/counts/:id/finish', { schema: finishSchema }, (request) =>
    said(request, finishCounting, true),
  )

  const resumeSchema = staffOperation({
    id: 'resumeCounting',
    tag: 'Остатки',
    summary: 'Считать дальше',
    description:
      'Отменяет «закончить считать» вызывающего, пока пересчёт не на проверке. Повтор ничего не меняет. Тело можно не передавать.',
    params: countParams,
    body: CountRoundDraft,
    answers,
    errors: [...errors],
  })
  app.post<IdParams>('/counts/:id/resume', { schema: resumeSchema }, (request) =>
    said(request, resumeCounting, false),
  )

  async function said(
    request: FastifyRequest<IdParams>,
    verb: typeof finishCounting,
    isDone: boolean,
  ) {
    const { reviewed_at: seen } = bodyIfAny(CountRoundDraft, request)
    const round = typeof seen === 'string' ? readTimeField('reviewed_at', seen) : seen
    const { clientId, objectId } = await subjectOf(dependencies, request.params.id)
    return change(dependencies, request, { clientId, objectId }, async (work) => {
      const changed = await verb(work, clientId, objectId, round)
      const answer = found(await countSummary(work.tx, clientId, objectId, readerOf(request)))
      const made = { after: { finished_at: isDone ? work.at : null } }
      return { answer, made, changed }
    })
  }
}

export function addCounts(app: FastifyInstance, dependencies: StaffDependencies): void {
  addReads(app, dependencies)
  addOpening(app, dependencies)
  addSteps(app, dependencies)
  addWorkersWord(app, dependencies)
  addRecount(app, dependencies)
  addDecision(app, dependencies)
}

function addReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listCounts',
    tag: 'Остатки',
    summary: 'Пересчёты',
    description: 'Без строк.',
    query: listQuery,
    answers: { 200: { description: 'Страница.', schema: named(StockCountPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/counts', { schema: listSchema }, async (request) => {
    const { limit, cursor, sort, to_count, ...given } = listQuery.parse(rawQuery(request))
    const left_to = to_count && actorText(actorOf(request))
    const filter = { ...given, left_to }
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, 'staff', 'counts', { limit, cursor, sort }, filter)
    return list.answer(
      await listCounts(db, withinWarehouse(request, filter), list.request, readerOf(request)),
    )
  })

  const readSchema = staffOperation({
    id: 'getCount',
    tag: 'Остатки',
    summary: 'Один пересчёт',
    description:
      'Ход и результат: кто сколько насчитал, по товарам и местам. В слепом пересчёте работник видит ' +
      'только то, что насчитано.',
    params: countParams,
    answers: { 200: { description: 'Пересчёт.', schema: named(StockCount) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/counts/:id', { schema: readSchema }, async (request) => {
    const { id } = request.params
    const count = found(await findCount(db, await ownerOfCount(db, id), id, readerOf(request)))
    const { workers = [], client_id, lines = [], recount = [], scope } = count
    const dated_goods = await listDatedGoods(db, client_id, scope.barcodes)
    const named = [...lines, ...recount, ...dated_goods].map(({ barcode }) => barcode)
    const goods = [...scope.barcodes, ...named]
    const other_barcodes = await listOtherBarcodes(db, client_id, goods)
    const nameOf = await actorNames(
      db,
      workers.map(({ actor }) => actor),
    )
    return {
      ...count,
      other_barcodes,
      dated_goods,
      workers: workers.map((each) => ({ ...each, name: nameOf(each.actor) })),
    }
  })
}

function addOpening(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'openCount',
    tag: 'Остатки',
    summary: 'Завести пересчёт',
    description: 'Черновик: считать начинают после старта.',
    body: CountDraft,
    answers: { 201: { description: 'Заведён.', schema: named(StockCount) } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/counts', { schema, config: manager }, async (request, reply) => {
    const { client_id, scope: given, blind, for_client } = bodyOf(CountDraft, request)
    const { db } = dependencies
    const client = client_id && (await clientInBody(db, request, client_id))
    const { clientId, scope } = await scopeOf(db, client, given, ownScope(request).warehouses)
    const count = await change(dependencies, request, { clientId }, async (work) => {
      const id = await openCount(work, clientId, {
        ...scope,
        blind: blind ?? true,
        for_client: for_client ?? false,
      })
      const made = found(await countSummary(work.tx, clientId, id))
      return { answer: made, made: { objectId: id, after: made } }
    })
    return reply.code(201).send(count)
  })
}

const steps = [
  [
    'start',
    'startCount',
    'Начать пересчёт',
    'Работники считают; склад при этом работает.',
    startCount,
  ],
  [
    'review',
    'reviewCount',
    'Отдать на проверку',
    'Счёт окончен. Что никто не посчитал, считается за 0. Сканы больше не принимаются.',
    reviewCount,
  ],
  [
    'close',
    'closeCount',
    'Закрыть пересчёт',
    'Когда по каждой строке с расхождением решено.',
    closeCount,
  ],
  [
    'cancel',
    'cancelCount',
    'Отменить пересчёт',
    'Пока ни по одной строке не решено; остатки не меняются.',
    cancelCount,
  ],
] as const

function addSteps(app: FastifyInstance, dependencies: StaffDependencies): void {
  for (const [path, id, summary, description, verb] of steps) {
    const schema = staffOperation({
      id,
      tag: 'Остатки',
      summary,
      description,
      params: countParams,
      answers: { 200: { description: 'Пересчёт без строк.', schema: named(StockCount) } },
      errors: ['not_found', 'conflict'],
    })
    app.post<IdParams>(`/counts/:id/${path}`, { schema, config: manager }, async (request) => {
      const { clientId, objectId, look } = await subjectOf(dependencies, request.params.id)
      return change(dependencies, request, { clientId, objectId, look }, async (work) => {
        await verb(work, clientId, objectId)
        return { answer: found(await look(work)) }
      })
    })
  }
}

async function subjectOf({ db }: StaffDependencies, id: string) {
  const clientId = await ownerOfCount(db, id)
  const look = ({ tx }: Work) => countSummary(tx, clientId, id)
  return { clientId, objectId: id, look }
}

function addRecount(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'recountLines',
    tag: 'Остатки',
    summary: 'Посчитать заново',
    description: 'Сканы этих товаров больше не считаются; пересчёт снова идёт, но только по ним.',
    params: countParams,
    body: RecountDraft,
    answers: { 200: { description: 'Пересчёт без строк.', schema: named(StockCount) } },
    errors: [...errors],
  })
  app.post<IdParams>('/counts/:id/recount', { schema, config: manager }, async (request) => {
    const { barcodes } = bodyOf(RecountDraft, request)
    const { clientId, objectId, look } = await subjectOf(dependencies, request.params.id)
    return change(dependencies, request, { clientId, objectId, look }, async (work) => {
      await recountLines(work, clientId, objectId, barcodes)
      const answer = found(await look(work))
      return { answer, made: { after: { status: answer.status, barcodes } } }
    })
  })
}

function addDecision(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'acceptCountLine',
    tag: 'Остатки',
    summary: 'Решить по строке',
    description:
      'Остаток меняется только этим решением: на расхождение строки, от остатка сейчас. Короба и места ' +
      'приводятся к тому, что в них насчитали.',
    params: { ...countParams, barcode: 'Штрихкод товара.' },
    body: LineDecisionDraft,
    answers: { 200: { description: 'Пересчёт без строк.', schema: named(StockCount) } },
    errors: [...errors],
  })
  app.post<{ Params: { id: string; barcode: string } }>(
    '/counts/:id/lines/:barcode/accept',
    { schema, config: manager },
    async (request) => {
      const decision = bodyOf(LineDecisionDraft, request)
      const { id, barcode } = request.params
      const { clientId, objectId, look } = await subjectOf(dependencies, id)
      return change(dependencies, request, { clientId, objectId, look }, async (work) => {
        await decideLine(work, clientId, objectId, barcode, decision)
        const answer = found(await look(work))
        return { answer, made: { after: { barcode, ...decision, undecided: answer.undecided } } }
      })
    },
  )
}
