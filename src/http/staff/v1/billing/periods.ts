import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { count, named } from '../../../../platform/kernel/schema.ts'
import { DuePeriods, listDuePeriods } from '../../../../warehouse/billing/due.ts'
import {
  Act,
  actView,
  ClientPeriods,
  closeMonth,
  findAct,
  listActs,
  listPeriods,
  stateOfMonth,
} from '../../../../warehouse/billing/periods.ts'
import { refuseMissingWarehouse } from '../../../../warehouse/clients/warehouses.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'

/** Months of a client, and the acts that closing them makes. */

type OfWarehouse = { Params: { code: string } }
type OfClient = { Params: { id: string } }
type OfMonth = { Params: { id: string; month: string } }
type OfAct = { Params: { id: string; act_id: string } }
const params = { id: 'Идентификатор юридического лица.' }
const monthParams = { ...params, month: 'Первый день месяца: 2026-11-01.' }
const config = { role: 'manager', money: true } as const
const actsQuery = query(shortPages)

const ClosingState = Type.Object(
  {
    problems: Type.Array(Type.String(), { description: 'Что мешает закрыть месяц, по-русски.' }),
    unpriced: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Услуга.' }),
        quantity: Type.Number({ description: 'Сколько её было.' }),
      }),
      { description: 'Что не начислено, потому что у услуги нет цены.' },
    ),
    without_provider: Type.Array(Type.String(), {
      description: 'Коды складов, исполнитель которых не заполнен.',
    }),
    unmeasured: count('Товаров на складе без размеров, если хранение считают по литрам.'),
  },
  { $id: 'ClosingState', description: 'Готов ли месяц к закрытию.' },
)

export function addPeriodRoutes(app: FastifyInstance, dependencies: StaffDependencies): void {
  addDuePeriods(app, dependencies)
  addPeriods(app, dependencies)
  addClosing(app, dependencies)
  addActs(app, dependencies)
}

function addDuePeriods(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'listDueBillingPeriods',
    tag: 'Деньги',
    summary: 'Месяцы, которые пора закрыть',
    description: 'Месяцы клиентов склада, которые кончились и ещё открыты.',
    params: { code: 'Склад.' },
    answers: { 200: { description: 'Месяцы.', schema: named(DuePeriods) } },
    errors: ['not_found'],
  })
  app.get<OfWarehouse>(
    '/warehouses/:code/due-billing-periods',
    { schema, config },
    async (request) => {
      const { code } = request.params
      await refuseMissingWarehouse(db, code)
      return { items: await listDuePeriods(db, code, clock.now()) }
    },
  )
}

function addPeriods(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listBillingPeriods',
    tag: 'Деньги',
    summary: 'Расчётные периоды',
    description: 'Месяцы клиента: сколько начислено, закрыт ли, какой акт.',
    params,
    answers: { 200: { description: 'Месяцы.', schema: named(ClientPeriods) } },
    errors: ['not_found'],
  })
  app.get<OfClient>(
    '/clients/:id/billing-periods',
    { schema: listSchema, config },
    async (request) => ({
      items: await listPeriods(db, await clientInPath(db, request.params.id)),
    }),
  )

  const stateSchema = staffOperation({
    id: 'getClosingState',
    tag: 'Деньги',
    summary: 'Готов ли месяц к закрытию',
    description: 'Чего не хватает и что не начислено.',
    params: monthParams,
    answers: { 200: { description: 'Состояние.', schema: named(ClosingState) } },
    errors: ['not_found'],
  })
  app.get<OfMonth>(
    '/clients/:id/billing-periods/:month',
    { schema: stateSchema, config },
    async (request) => {
      const clientId = await clientInPath(db, request.params.id)
      return stateOfMonth(db, clientId, { month: monthIn(request.params.month), now: clock.now() })
    },
  )
}

/** Throws not_found for what is no first day of a month. */
function monthIn(text: string): string {
  if (!/^[1-9]\d{3}-(?:0[1-9]|1[0-2])-01$/.test(text)) throw notFound('Такого месяца нет')
  return text
}

function addClosing(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'closeBillingPeriod',
    tag: 'Деньги',
    summary: 'Закрыть месяц',
    description:
      'Начисления месяца больше не меняются, составляется акт. Что выяснится позже, станет поправкой в первом открытом ' +
      'месяце. Месяцы закрывают по порядку, когда они кончились. Если клиент за месяц переехал на другой склад, акт составит ' +
      'каждый исполнитель, а в ответе последний.',
    params: monthParams,
    answers: { 201: { description: 'Закрыт.', schema: named(Act) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<OfMonth>(
    '/clients/:id/billing-periods/:month/close',
    { schema, config },
    async (request, reply) => {
      const clientId = await clientInPath(db, request.params.id)
      const month = monthIn(request.params.month)
      const act = await change(dependencies, request, { clientId }, async (work) => {
        const id = await closeMonth(work, clientId, month)
        const answer = actView(found(await findAct(work.tx, clientId, id)))
        return { answer, made: { objectId: id, after: answer } }
      })
      return reply.code(201).send(act)
    },
  )
}

function addActs(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listClientActs',
    tag: 'Деньги',
    summary: 'Акты клиента',
    description: 'Последний первым.',
    params,
    query: actsQuery,
    answers: {
      200: {
        description: 'Страница.',
        schema: named(pageSchema(Act, 'ActPage', 'Страница актов.')),
      },
    },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<OfClient>('/clients/:id/acts', { schema: listSchema, config }, async (request) => {
    const clientId = await clientInPath(db, request.params.id)
    const asked = actsQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'acts', asked, {})
    return list.answer(await listActs(db, clientId, list.request))
  })

  const oneSchema = staffOperation({
    id: 'getClientAct',
    tag: 'Деньги',
    summary: 'Один акт',
    description: 'Его начисления — listClientCharges с period.',
    params: { ...params, act_id: 'Идентификатор акта.' },
    answers: { 200: { description: 'Акт.', schema: named(Act) } },
    errors: ['not_found'],
  })
  app.get<OfAct>('/clients/:id/acts/:act_id', { schema: oneSchema, config }, async (request) => {
    const clientId = await clientInPath(db, request.params.id)
    return actView(found(await findAct(db, clientId, request.params.act_id)))
  })
}
