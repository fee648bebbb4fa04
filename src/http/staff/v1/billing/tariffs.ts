import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  listProviders,
  Provider,
  ProviderDraft,
  putProvider,
} from '../../../../warehouse/billing/providers.ts'
import {
  addOwnService,
  BillingService,
  listServices,
  OwnServiceDraft,
} from '../../../../warehouse/billing/service-list.ts'
import {
  addTariff,
  listTariffs,
  Tariff,
  TariffDraft,
} from '../../../../warehouse/billing/tariffs.ts'
import { refuseMissingWarehouse } from '../../../../warehouse/clients/warehouses.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'

/** What a warehouse charges for, how much, and who charges. */

const items = (schema: Parameters<typeof named>[0], name: string, description: string) =>
  Type.Object({ items: Type.Array(named(schema), { description }) }, { $id: name, description })

const BillingServices = items(BillingService, 'BillingServices', 'Услуги склада.')
const Providers = items(Provider, 'BillingProviders', 'Исполнители, последний первым.')
export const Tariffs = items(Tariff, 'Tariffs', 'Версии тарифа, последняя первой.')

type OfWarehouse = { Params: { code: string } }
const params = { code: 'Код склада.' }
const config = { role: 'manager', money: true } as const

export function addTariffRoutes(app: FastifyInstance, dependencies: StaffDependencies): void {
  addServices(app, dependencies)
  addProviders(app, dependencies)
  addWarehouseTariffs(app, dependencies)
}

function addServices(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const listSchema = staffOperation({
    id: 'listBillingServices',
    tag: 'Деньги',
    summary: 'Услуги склада',
    description:
      'Сначала те, что склад считает сам, по сканам и документам; затем свои, которые начисляют вручную.',
    params,
    answers: { 200: { description: 'Услуги.', schema: named(BillingServices) } },
    errors: ['not_found'],
  })
  app.get<OfWarehouse>(
    '/warehouses/:code/billing-services',
    { schema: listSchema, config },
    async (request) => {
      const { code } = request.params
      await refuseMissingWarehouse(db, code)
      return { items: await listServices(db, code) }
    },
  )

  const addSchema = staffOperation({
    id: 'addBillingService',
    tag: 'Деньги',
    summary: 'Завести свою услугу',
    description: 'Её начисляют вручную, по цене тарифа или по названной.',
    params,
    body: OwnServiceDraft,
    answers: { 201: { description: 'Заведена.', schema: named(BillingService) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<OfWarehouse>(
    '/warehouses/:code/billing-services',
    { schema: addSchema, config },
    async (request, reply) => {
      const { code } = request.params
      const draft = bodyOf(OwnServiceDraft, request)
      const service = { ...draft, measured: false }
      await change(dependencies, request, {}, async (work) => {
        await refuseMissingWarehouse(work.tx, code)
        await addOwnService(work, code, draft)
        return { answer: undefined, made: { objectId: `${code}/${draft.code}`, after: service } }
      })
      return reply.code(201).send(service)
    },
  )
}

function addProviders(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const listSchema = staffOperation({
    id: 'listBillingProviders',
    tag: 'Деньги',
    summary: 'Исполнители',
    description: 'Кто выставляет акты склада и с каким НДС: по дням, с которых это действует.',
    params,
    answers: { 200: { description: 'Исполнители.', schema: named(Providers) } },
    errors: ['not_found'],
  })
  app.get<OfWarehouse>(
    '/warehouses/:code/billing-providers',
    { schema: listSchema, config },
    async (request) => {
      const { code } = request.params
      await refuseMissingWarehouse(db, code)
      return { items: await listProviders(db, code) }
    },
  )

  const putSchema = staffOperation({
    id: 'putBillingProvider',
    tag: 'Деньги',
    summary: 'Назвать исполнителя',
    description: 'С названного дня; тот же день ещё раз — исправление, пока с него нет актов.',
    params,
    body: ProviderDraft,
    answers: { 200: { description: 'Назван.', schema: named(Providers) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.put<OfWarehouse>(
    '/warehouses/:code/billing-providers',
    { schema: putSchema, config },
    (request) => {
      const { code } = request.params
      const draft = bodyOf(ProviderDraft, request)
      return change(dependencies, request, {}, async (work) => {
        await refuseMissingWarehouse(work.tx, code)
        await putProvider(work, code, draft)
        const answer = { items: await listProviders(work.tx, code) }
        return { answer, made: { objectId: code, after: draft } }
      })
    },
  )
}

function addWarehouseTariffs(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const listSchema = staffOperation({
    id: 'listWarehouseTariffs',
    tag: 'Деньги',
    summary: 'Тариф склада',
    description: 'Все версии. Действует та, чей первый день последний из наступивших.',
    params,
    answers: { 200: { description: 'Версии.', schema: named(Tariffs) } },
    errors: ['not_found'],
  })
  app.get<OfWarehouse>(
    '/warehouses/:code/tariffs',
    { schema: listSchema, config },
    async (request) => {
      const { code } = request.params
      await refuseMissingWarehouse(db, code)
      return { items: await listTariffs(db, { warehouse: code }) }
    },
  )

  const addSchema = staffOperation({
    id: 'addWarehouseTariff',
    tag: 'Деньги',
    summary: 'Завести версию тарифа склада',
    description:
      'Для всех клиентов, у кого нет своей цены услуги. Версии не меняют: новая с того же дня заменяет прежнюю. Дни ' +
      'закрытых месяцев она не трогает.',
    params,
    body: TariffDraft,
    answers: { 201: { description: 'Заведена.', schema: named(Tariffs) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<OfWarehouse>(
    '/warehouses/:code/tariffs',
    { schema: addSchema, config },
    async (request, reply) => {
      const { code } = request.params
      const draft = bodyOf(TariffDraft, request)
      const answer = await change(dependencies, request, {}, async (work) => {
        await refuseMissingWarehouse(work.tx, code)
        const of = { warehouse: code, servicesOf: code }
        const version = await addTariff(work, of, draft)
        return {
          answer: { items: await listTariffs(work.tx, of) },
          made: { objectId: `${code}/${version}`, after: draft },
        }
      })
      return reply.code(201).send(answer)
    },
  )
}
