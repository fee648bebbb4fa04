import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Database, Queryable } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { lotNumberMax, readExpiry } from '../../../../platform/kernel/codes/lot.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import { integerOrNull, named, textOrNull } from '../../../../platform/kernel/schema.ts'
import { takeEntry } from '../../../../warehouse/stock/adjustments.ts'
import { freeRedated, questionExpiredOf } from '../../../../warehouse/stock/expired-lots.ts'
import {
  listLots,
  lotChoices,
  lotsOfGoods,
  lotsOfGoodsMax,
  StockLot,
} from '../../../../warehouse/stock/lot-queries.ts'
import {
  changeLot,
  isExpired,
  keepLots,
  type LotGoods,
  lotSetting,
  warnDaysDefault,
  warnDaysMax,
} from '../../../../warehouse/stock/lots.ts'
import { openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { oneOf, query, shortPages, text } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { warehouseFilter, withinWarehouse } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { lotIn } from './lot-fields.ts'
import { type ProductParams, productInPath, productParams } from './product-params.ts'

/** Expiry dates: which products have them, the lots of these, and corrections of a date. */

export const StockLotPage = pageSchema(StockLot, 'StockLotPage', 'Страница партий.')

const ProductLots = Type.Object(
  {
    warn_days: integerOrNull(
      'Меньше стольких дней — скоро истечёт; null: срок годности у товара не учитывается.',
    ),
    items: Type.Array(named(StockLot), {
      description: `Партии, сначала те, чей срок ближе; не больше ${lotsOfGoodsMax}.`,
    }),
  },
  { $id: 'ProductLots', description: 'Учёт срока годности товара и его партии.' },
)

export const LotSettingDraft = Type.Object(
  {
    warn_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: warnDaysMax,
        default: warnDaysDefault,
        description: 'Предупреждать, когда осталось меньше стольких дней.',
      }),
    ),
  },
  { $id: 'LotSettingDraft', additionalProperties: false, description: 'Учёт срока годности.' },
)

const lotNumber = (description: string) =>
  Type.Optional(Type.String({ maxLength: lotNumberMax, description }))
const date = { maxLength: 20 }

export const LotChangeDraft = Type.Object(
  {
    entry_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Ваш номер записи, один на клиента: такой же ещё раз ничего не меняет.',
    }),
    expires_on: Type.Unsafe<string | null>({
      ...textOrNull('Срок, который записан сейчас; null: неизвестен.'),
      ...date,
    }),
    lot_number: lotNumber('Номер партии, который записан сейчас.'),
    to_expires_on: Type.String({ ...date, description: 'Верный срок: 31.12.2027 или 2027-12-31.' }),
    to_lot_number: lotNumber('Верный номер партии.'),
    qty: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Сколько единиц.' }),
  },
  {
    $id: 'LotChangeDraft',
    additionalProperties: false,
    description: 'Исправление срока годности.',
  },
)

export const stockLotsQuery = query({
  client_id: text({ description: 'Клиент; без него — все действующие.' }),
  warehouse_code: warehouseFilter,
  barcode: text({ description: 'Точный штрихкод.' }),
  state: oneOf(lotChoices, {
    description: 'Только партии в этом состоянии; expiring — срок истёк или скоро истечёт.',
  }),
  ...shortPages,
})
const path = '/clients/:id/products/:barcode/lots'
const config = { role: 'manager' } as const

export function addStockLots(app: FastifyInstance, dependencies: StaffDependencies): void {
  addLotReads(app, dependencies)
  addLotSwitch(app, dependencies)
  addLotChange(app, dependencies)
}

function addLotReads(app: FastifyInstance, { db, cursors, clock }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listStockLots',
    tag: 'Клиенты',
    summary: 'Сроки годности',
    description: 'Партии товаров, у которых учитывается срок годности: сначала те, чей срок ближе.',
    query: stockLotsQuery,
    answers: { 200: { description: 'Страница.', schema: named(StockLotPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/lots', { schema: listSchema }, async (request) => {
    const { limit, cursor, ...filter } = stockLotsQuery.parse(rawQuery(request))
    const list = openList(cursors, 'staff', 'lots', { limit, cursor }, filter)
    const today = moscowDate(clock.now())
    return list.answer(await listLots(db, withinWarehouse(request, filter), list.request, today))
  })

  const productSchema = staffOperation({
    id: 'getProductLots',
    tag: 'Клиенты',
    summary: 'Партии товара',
    description: 'Учитывается ли у товара срок годности, и его партии.',
    params: productParams,
    answers: { 200: { description: 'Партии.', schema: named(ProductLots) } },
    errors: ['not_found'],
  })
  app.get<ProductParams>(path, { schema: productSchema }, async (request) => {
    const goods = await goodsInPath(db, request.params)
    return shownLots(db, goods, moscowDate(clock.now()))
  })
}

function addLotSwitch(app: FastifyInstance, dependencies: StaffDependencies): void {
  const answers = { 200: { description: 'Партии товара.', schema: named(ProductLots) } }
  const keepSchema = staffOperation({
    id: 'keepProductLots',
    tag: 'Клиенты',
    summary: 'Учитывать срок годности',
    description:
      'С этой минуты приёмка спрашивает срок, сборка берёт сначала то, что истечёт раньше, а просроченное ' +
      'встаёт под вопрос. У того, что уже лежит, срок неизвестен.',
    params: productParams,
    body: LotSettingDraft,
    answers,
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.put<ProductParams>(path, { schema: keepSchema, config }, (request) => {
    const { warn_days: warnDays = warnDaysDefault } = bodyOf(LotSettingDraft, request)
    return switchLots(dependencies, request, warnDays)
  })

  const endSchema = staffOperation({
    id: 'forgetProductLots',
    tag: 'Клиенты',
    summary: 'Больше не учитывать срок годности',
    description: 'Записанные сроки товара стираются; остаток, короба и места прежние.',
    params: productParams,
    answers,
    errors: ['not_found'],
  })
  app.delete<ProductParams>(path, { schema: endSchema, config }, (request) =>
    switchLots(dependencies, request, undefined),
  )
}

async function switchLots(
  dependencies: StaffDependencies,
  request: Parameters<typeof change>[1],
  warnDays: number | undefined,
) {
  const goods = await goodsInPath(dependencies.db, request.params as ProductParams['Params'])
  const look = async (work: Work) => ({
    warn_days: (await lotSetting(work, goods))?.warn_days ?? null,
  })
  const subject = { clientId: goods.clientId, objectId: goods.barcode, look }
  await change(dependencies, request, subject, async (work) => {
    return { answer: undefined, changed: await keepLots(work, goods, warnDays) }
  })
  return shownLots(dependencies.db, goods, moscowDate(dependencies.clock.now()))
}

function addLotChange(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'changeProductLot',
    tag: 'Клиенты',
    summary: 'Исправить срок годности',
    description:
      'Единицы одной партии оказались с другим сроком: его не знали или ввели с ошибкой. Собранное в заказы не меняется.',
    params: productParams,
    body: LotChangeDraft,
    answers: { 200: { description: 'Партии товара.', schema: named(ProductLots) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ProductParams>(`${path}/changes`, { schema }, async (request) => {
    const draft = bodyOf(LotChangeDraft, request)
    const goods = await goodsInPath(dependencies.db, request.params)
    const entry = { expiresOn: storedDate(draft.expires_on), number: draft.lot_number ?? '' }
    const to = lotIn({ expires_on: draft.to_expires_on, lot_number: draft.to_lot_number }, 'to_')
    if (to === undefined) throw invalidField('to_expires_on', 'не заполнен')
    const { clientId, barcode } = goods
    await change(dependencies, request, { clientId, objectId: barcode }, async (work) => {
      if (!(await takeEntry(work, clientId, draft.entry_id))) {
        return { answer: undefined, changed: false }
      }
      await changeLot(work, goods, { entry, to, units: draft.qty })
      if (isExpired(work, to)) await questionExpiredOf(work, clientId, [barcode])
      else if (isExpired(work, entry)) await freeRedated(work, clientId, barcode, draft.qty)
      const after = { qty: draft.qty, expires_on: to.expiresOn, lot_number: to.number }
      return {
        answer: undefined,
        made: { before: { expires_on: entry.expiresOn, lot_number: entry.number }, after },
      }
    })
    return shownLots(dependencies.db, goods, moscowDate(dependencies.clock.now()))
  })
}

function storedDate(text: string | null): string | null {
  if (text === null) return null
  const date = readExpiry(text)
  if (date === undefined) throw invalidField('expires_on', 'дата, которая записана, или null')
  return date
}

async function goodsInPath(db: Database, params: ProductParams['Params']): Promise<LotGoods> {
  const clientId = await clientInPath(db, params.id)
  const { barcode } = await productInPath(db, clientId, params.barcode)
  return { clientId, barcode }
}

async function shownLots(db: Queryable, goods: LotGoods, today: string) {
  const setting = await lotSetting({ tx: db }, goods)
  const items = await lotsOfGoods(db, goods.clientId, goods.barcode, today)
  return { warn_days: setting?.warn_days ?? null, items }
}
