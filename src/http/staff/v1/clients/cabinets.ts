import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { changeCabinetAndOrders } from '../../../../exchange/marketplaces/cabinets/change-cabinet.ts'
import { showHiddenRows } from '../../../../exchange/marketplaces/cabinets/hidden-rows.ts'
import { checkWarehouses } from '../../../../exchange/marketplaces/cabinets/seller-warehouses.ts'
import {
  refuseKnownAccount,
  refuseReactivation,
} from '../../../../exchange/marketplaces/connecting/known-accounts.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { named, oneOfValues } from '../../../../platform/kernel/schema.ts'
import {
  findCabinet,
  listCabinets,
  ownerOfCabinet,
} from '../../../../warehouse/clients/cabinet-queries.ts'
import { StaffCabinet } from '../../../../warehouse/clients/cabinet-view.ts'
import { connectCabinet } from '../../../../warehouse/clients/cabinets.ts'
import { findClient } from '../../../../warehouse/clients/clients.ts'
import { CredentialsDraft, credentialsOf } from '../../../../warehouse/clients/credentials.ts'
import { marketplaces, shipmentsPlaces } from '../../../../warehouse/clients/marketplace.ts'
import { lockOrderBook } from '../../../../warehouse/orders/lock.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { query, shortPages } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { demandPassword, passwordRule } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'

const name = Type.String({ minLength: 1, maxLength: 500, description: 'Название кабинета.' })
const shipments = oneOfValues(
  shipmentsPlaces,
  'Где собирают новые отгрузки: `ours` — здесь, `mirrored` — в кабинете маркетплейса. `observe`: кабинет ' +
    'только наблюдают — на маркетплейсе ничего не меняется, остатки тоже, и продавец ничего не видит. По ' +
    'умолчанию `mirrored`, если даны ключи, иначе `ours`.',
)

export const CabinetDraft = Type.Object(
  {
    marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
    name,
    credentials: Type.Optional(CredentialsDraft),
    shipments: Type.Optional(shipments),
  },
  { $id: 'CabinetDraft', additionalProperties: false, description: 'Новый кабинет.' },
)
export const CabinetPatch = Type.Object(
  {
    name: Type.Optional(name),
    active: Type.Optional(Type.Boolean({ description: 'false: больше не синхронизируется.' })),
    credentials: Type.Optional(
      Type.Union([CredentialsDraft, Type.Null()], {
        description: 'Новые ключи маркетплейса; null — убрать.',
      }),
    ),
    shipments: Type.Optional(
      oneOfValues(
        shipmentsPlaces,
        'Где собирают отгрузки. На `observe` кабинет переключают без открытых отгрузок; с `observe` — ' +
          'когда угодно: всё, что увидели, сразу видит и продавец.',
      ),
    ),
    shipping_method_required: Type.Optional(
      Type.Boolean({
        description:
          'Нужен ли отгрузкам WB пункт. false — для продавцов не из России: без пункта отгрузка закроется.',
      }),
    ),
    warehouses: Type.Optional(
      Type.Union(
        [
          Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: 100 }),
          Type.Null(),
        ],
        {
          description:
            'Номера складов маркетплейса, заказы которых собирают здесь, из ' +
            '`GET /cabinets/{id}/warehouses`; null — снять выбор. Заказы добавленных складов ' +
            'читаются заново; принятые раньше заказы остаются.',
        },
      ),
    ),
    deadline_hours: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 720 }), Type.Null()], {
        description:
          'Через сколько часов после создания нужно передать заказ, если маркетплейс не назвал ' +
          'срока; null — без срока. Действует и на открытые заказы.',
      }),
    ),
  },
  {
    $id: 'CabinetPatch',
    additionalProperties: false,
    description: 'Что изменить; `shipments` сам не меняется.',
  },
)
export const CabinetPage = pageSchema(StaffCabinet, 'CabinetPage', 'Страница кабинетов.')

const cabinetsQuery = query(shortPages)
type IdParams = { Params: { id: string } }
const clientParams = { id: 'Идентификатор юридического лица.' }
const cabinetParams = { id: 'Идентификатор кабинета.' }
const config = { role: 'manager' } as const

export function addCabinets(app: FastifyInstance, dependencies: StaffDependencies): void {
  addCabinetReads(app, dependencies)
  addCabinetCreation(app, dependencies)
  addCabinetChange(app, dependencies)
}

function addCabinetReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listCabinets',
    tag: 'Клиенты',
    summary: 'Кабинеты клиента',
    description: 'Кабинеты, новые первыми. Ключи маркетплейсов не показываются.',
    params: clientParams,
    query: cabinetsQuery,
    answers: { 200: { description: 'Страница кабинетов.', schema: named(CabinetPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<IdParams>('/clients/:id/cabinets', { schema: listSchema, config }, async (request) => {
    const { id } = found(await findClient(db, request.params.id))
    const parameters = cabinetsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'cabinets', parameters, { client: id })
    return list.answer(await listCabinets(db, id, list.request))
  })

  const cabinetSchema = staffOperation({
    id: 'getCabinet',
    tag: 'Клиенты',
    summary: 'Один кабинет',
    description: 'Кабинет по id, без ключей маркетплейса.',
    params: cabinetParams,
    answers: { 200: { description: 'Кабинет.', schema: named(StaffCabinet) } },
    errors: ['not_found'],
  })
  app.get<IdParams>('/cabinets/:id', { schema: cabinetSchema, config }, async (request) => {
    const { id } = request.params
    return found(await findCabinet(db, await ownerOfCabinet(db, id), id))
  })
}

function addCabinetCreation(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, cabinetBox, checkCredentials } = dependencies
  const createSchema = staffOperation({
    id: 'createCabinet',
    tag: 'Клиенты',
    summary: 'Завести кабинет',
    description:
      'Кабинет клиента на маркетплейсе. `credentials` (WB — `token`, OZON — `client_id` и ' +
      '`api_key`) хранятся зашифрованными и больше не показываются. Сначала маркетплейс спрашивают, что ' +
      'им разрешено: непригодный ключ не сохраняется. Если маркетплейс не отвечает несколько секунд, ключ ' +
      'сохраняется непроверенным (`credentials_state: unchecked`). С `credentials` ' +
      `сессии ${passwordRule}`,
    params: clientParams,
    body: CabinetDraft,
    answers: { 201: { description: 'Заведён.', schema: named(StaffCabinet) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found'],
  })
  app.post<IdParams>(
    '/clients/:id/cabinets',
    { schema: createSchema, config },
    async (request, reply) => {
      const draft = bodyOf(CabinetDraft, request)
      if (draft.credentials !== undefined) demandPassword(request)
      const { id: clientId } = found(await findClient(db, request.params.id))
      const credentials = draft.credentials && credentialsOf(draft.marketplace, draft.credentials)
      const check = credentials && (await checkCredentials(credentials))
      const cabinet = await change(dependencies, request, { clientId }, async (work) => {
        if (credentials && check?.rights) {
          await refuseKnownAccount(work, cabinetBox, { clientId, credentials })
        }
        const id = await connectCabinet(work, cabinetBox, clientId, { ...draft, check })
        const after = found(await findCabinet(work.tx, clientId, id))
        return { answer: after, made: { objectId: id, after } }
      })
      return reply.code(201).send(cabinet)
    },
  )
}

function addCabinetChange(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, cabinetBox, checkCredentials } = dependencies
  const changeSchema = staffOperation({
    id: 'changeCabinet',
    tag: 'Клиенты',
    summary: 'Изменить кабинет',
    description:
      'Отключённый кабинет (`active: false`) не синхронизируется, но его товары по-прежнему ' +
      'принимают. Новые `credentials` заменяют прежние, null убирает их; их проверяют, как при создании. ' +
      'Включить его снова нельзя, пока тот же аккаунт подключён в другом кабинете. С `credentials` ' +
      `сессии ${passwordRule}`,
    params: cabinetParams,
    body: CabinetPatch,
    answers: { 200: { description: 'Изменён.', schema: named(StaffCabinet) } },
    errors: [
      'password_required',
      'bad_request',
      'validation_error',
      'not_found',
      'conflict',
      'marketplace_unavailable',
    ],
  })
  app.patch<IdParams>('/cabinets/:id', { schema: changeSchema, config }, async (request) => {
    const patch = bodyOf(CabinetPatch, request)
    if (patch.credentials !== undefined) demandPassword(request)
    const { id } = request.params
    const clientId = await ownerOfCabinet(db, id)
    const chosenWith = await checkChoice(dependencies, clientId, id, patch)
    const { marketplace } = found(await findCabinet(db, clientId, id))
    const credentials = patch.credentials && credentialsOf(marketplace, patch.credentials)
    const check = credentials ? await checkCredentials(credentials) : undefined
    const look = async (work: Work) => {
      // Verbs of orders lock the client before the cabinet.
      await lockOrderBook(work, clientId)
      return findCabinet(work.tx, clientId, id, true)
    }
    const subject = { clientId, objectId: id, look }
    const cabinet = await change(dependencies, request, subject, async (work) => {
      if (credentials && check?.rights) {
        await refuseKnownAccount(work, cabinetBox, { clientId, cabinetId: id, credentials })
      } else if (patch.active && !credentials) {
        await refuseReactivation(work, cabinetBox, clientId, id)
      }
      const changes = { ...patch, check }
      const changed = await changeCabinetAndOrders(
        work,
        cabinetBox,
        clientId,
        id,
        changes,
        chosenWith,
      )
      return { answer: found(await findCabinet(work.tx, clientId, id)), changed }
    })
    await showRead(dependencies, clientId, id, request.log)
    return cabinet
  })
}

/** The cabinet has changed whatever becomes of this: maintenance repeats it. */
async function showRead(
  { db, clock }: StaffDependencies,
  clientId: string,
  id: string,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await showHiddenRows(db, clock, clientId, id)
  } catch (error) {
    log.error({ err: error }, 'the rows of an observed cabinet are not shown yet')
  }
}

/** Asks the marketplace for its warehouses before anything is locked. */
async function checkChoice(
  dependencies: StaffDependencies,
  clientId: string,
  id: string,
  { warehouses, credentials }: Static<typeof CabinetPatch>,
): Promise<Buffer | undefined> {
  if (warehouses == null) return undefined
  if (credentials !== undefined) {
    throw invalidField(
      'warehouses',
      'без credentials: сначала смените ключи, потом выберите склады',
    )
  }
  return checkWarehouses(dependencies, clientId, id, warehouses)
}
