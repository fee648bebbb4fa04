import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  ChargeSummary,
  listStaffCharges,
  StaffCharge,
  sumCharges,
} from '../../../../warehouse/billing/charges.ts'
import {
  addManualCharge,
  cancelManualCharge,
  ManualChargeDraft,
} from '../../../../warehouse/billing/manual.ts'
import { computeCharges } from '../../../../warehouse/billing/run.ts'
import {
  addStorageTerms,
  addTariff,
  listStorageTerms,
  listTariffs,
  StorageTerms,
  TariffDraft,
} from '../../../../warehouse/billing/tariffs.ts'
import { findClient } from '../../../../warehouse/clients/clients.ts'
import { chargeFilters } from '../../../route/charge-filters.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { Tariffs } from './tariffs.ts'

/** What a client is charged: its tariff and terms, charges, and services entered by hand. */

type OfClient = { Params: { id: string } }
const params = { id: 'Идентификатор юридического лица.' }
const config = { role: 'manager', money: true } as const

export const chargesQuery = query({ ...chargeFilters, ...shortPages })
const summaryQuery = query(chargeFilters)
const StorageTermsList = Type.Object(
  { items: Type.Array(named(StorageTerms), { description: 'Условия, последние первыми.' }) },
  { $id: 'StorageTermsList', description: 'Как считают хранение клиента.' },
)

export function addChargeRoutes(app: FastifyInstance, dependencies: StaffDependencies): void {
  addClientTariffs(app, dependencies)
  addTermsOfStorage(app, dependencies)
  addCharges(app, dependencies)
  addManualCharges(app, dependencies)
}

function addClientTariffs(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const listSchema = staffOperation({
    id: 'listClientTariffs',
    tag: 'Деньги',
    summary: 'Тариф клиента',
    description: 'Все версии. Каждая его цена действует вместо цены склада.',
    params,
    answers: { 200: { description: 'Версии.', schema: named(Tariffs) } },
    errors: ['not_found'],
  })
  app.get<OfClient>('/clients/:id/tariffs', { schema: listSchema, config }, async (request) => {
    const clientId = await clientInPath(db, request.params.id)
    return { items: await listTariffs(db, { clientId }) }
  })

  const addSchema = staffOperation({
    id: 'addClientTariff',
    tag: 'Деньги',
    summary: 'Завести версию тарифа клиента',
    description: 'Услуги без его цены начисляют по тарифу склада.',
    params,
    body: TariffDraft,
    answers: { 201: { description: 'Заведена.', schema: named(Tariffs) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<OfClient>(
    '/clients/:id/tariffs',
    { schema: addSchema, config },
    async (request, reply) => {
      const draft = bodyOf(TariffDraft, request)
      const client = found(await findClient(db, request.params.id))
      const of = { clientId: client.id, servicesOf: client.warehouse_code }
      const answer = await change(dependencies, request, { clientId: client.id }, async (work) => {
        await addTariff(work, of, draft)
        return { answer: { items: await listTariffs(work.tx, of) }, made: { after: draft } }
      })
      return reply.code(201).send(answer)
    },
  )
}

function addTermsOfStorage(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const listSchema = staffOperation({
    id: 'listStorageTerms',
    tag: 'Деньги',
    summary: 'Как считают хранение',
    description: 'По дням, с которых это действует. Без условий хранение считают по штукам.',
    params,
    answers: { 200: { description: 'Условия.', schema: named(StorageTermsList) } },
    errors: ['not_found'],
  })
  app.get<OfClient>(
    '/clients/:id/storage-terms',
    { schema: listSchema, config },
    async (request) => {
      const clientId = await clientInPath(db, request.params.id)
      return { items: await listStorageTerms(db, clientId) }
    },
  )

  const addSchema = staffOperation({
    id: 'addStorageTerms',
    tag: 'Деньги',
    summary: 'Назвать условия хранения',
    description: 'С названного дня, вместо прежних.',
    params,
    body: StorageTerms,
    answers: { 201: { description: 'Названы.', schema: named(StorageTermsList) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<OfClient>(
    '/clients/:id/storage-terms',
    { schema: addSchema, config },
    async (request, reply) => {
      const draft = bodyOf(StorageTerms, request)
      const clientId = await clientInPath(db, request.params.id)
      const answer = await change(dependencies, request, { clientId }, async (work) => {
        await addStorageTerms(work, clientId, draft)
        const items = await listStorageTerms(work.tx, clientId)
        return { answer: { items }, made: { after: draft } }
      })
      return reply.code(201).send(answer)
    },
  )
}

function addCharges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, cursors } = dependencies
  const listSchema = staffOperation({
    id: 'listClientCharges',
    tag: 'Деньги',
    summary: 'Начисления клиента',
    description: 'Сначала последние дни. Каждое называет, за что оно.',
    params,
    query: chargesQuery,
    answers: {
      200: {
        description: 'Страница.',
        schema: named(pageSchema(StaffCharge, 'StaffChargePage', 'Страница начислений.')),
      },
    },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<OfClient>('/clients/:id/charges', { schema: listSchema, config }, async (request) => {
    const clientId = await clientInPath(db, request.params.id)
    const { limit, cursor, ...filter } = chargesQuery.parse(rawQuery(request))
    const list = openList(cursors, clientId, 'charges', { limit, cursor }, filter)
    return list.answer(await listStaffCharges(db, clientId, filter, list.request))
  })

  const sumSchema = staffOperation({
    id: 'sumClientCharges',
    tag: 'Деньги',
    summary: 'Сколько начислено клиенту',
    description: 'По услугам и дням, с фильтрами списка.',
    params,
    query: summaryQuery,
    answers: { 200: { description: 'Суммы.', schema: named(ChargeSummary) } },
    errors: ['bad_request', 'not_found'],
  })
  app.get<OfClient>(
    '/clients/:id/charges/summary',
    { schema: sumSchema, config },
    async (request) => {
      const clientId = await clientInPath(db, request.params.id)
      return sumCharges(db, clientId, summaryQuery.parse(rawQuery(request)))
    },
  )

  const computeSchema = staffOperation({
    id: 'computeClientCharges',
    tag: 'Деньги',
    summary: 'Посчитать сейчас',
    description:
      'Начисления открытых месяцев считаются сами, каждую ночь; этот вызов считает их сразу. Повтор ничего не меняет.',
    params,
    answers: { 200: { description: 'Суммы.', schema: named(ChargeSummary) } },
    errors: ['not_found'],
  })
  app.post<OfClient>(
    '/clients/:id/charges/recount',
    { schema: computeSchema, config },
    async (request) => {
      const clientId = await clientInPath(db, request.params.id)
      return change(dependencies, request, { clientId }, async (work) => {
        await computeCharges(work, clientId)
        return { answer: await sumCharges(work.tx, clientId, {}), changed: false }
      })
    },
  )
}

type OfManual = { Params: { id: string; charge_id: string } }

function addManualCharges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const MadeManualCharge = Type.Object(
    { id: Type.String({ description: 'Идентификатор.' }) },
    { $id: 'MadeManualCharge', description: 'Начисленная вручную услуга.' },
  )
  const addSchema = staffOperation({
    id: 'addManualCharge',
    tag: 'Деньги',
    summary: 'Начислить вручную',
    description:
      'Своя услуга склада: количество, цена из тарифа или названная, комментарий и к чему она относится. В закрытый ' +
      'месяц ничего не добавить.',
    params,
    body: ManualChargeDraft,
    answers: { 201: { description: 'Начислено.', schema: named(MadeManualCharge) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<OfClient>(
    '/clients/:id/manual-charges',
    { schema: addSchema, config },
    async (request, reply) => {
      const draft = bodyOf(ManualChargeDraft, request)
      const client = found(await findClient(db, request.params.id))
      const of = { clientId: client.id, warehouse: client.warehouse_code }
      const answer = await change(dependencies, request, { clientId: client.id }, async (work) => {
        const { id, isNew } = await addManualCharge(work, of, draft)
        if (isNew) await computeCharges(work, client.id)
        return { answer: { id }, made: { objectId: id, after: draft }, changed: isNew }
      })
      return reply.code(201).send(answer)
    },
  )

  const cancelSchema = staffOperation({
    id: 'cancelManualCharge',
    tag: 'Деньги',
    summary: 'Отменить начисленное вручную',
    description: 'Пока месяц открыт; в закрытом его возвращают с минусом.',
    params: { ...params, charge_id: 'Идентификатор начисленного.' },
    answers: { 204: { description: 'Отменено.' } },
    errors: ['not_found', 'conflict'],
  })
  app.delete<OfManual>(
    '/clients/:id/manual-charges/:charge_id',
    { schema: cancelSchema, config },
    async (request, reply) => {
      const clientId = await clientInPath(db, request.params.id)
      const id = request.params.charge_id
      await change(dependencies, request, { clientId, objectId: id }, async (work) => {
        await cancelManualCharge(work, clientId, id)
        await computeCharges(work, clientId)
        return { answer: undefined }
      })
      return reply.code(204).send()
    },
  )
}
