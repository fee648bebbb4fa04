import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { hasBadText } from '../../../platform/kernel/json.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { findProductCover, ProductCover } from '../../../warehouse/metrics/goods-to-bring.ts'
import {
  ReceiptOfGoods,
  receiptsOfGoods,
  receiptsOfGoodsMax,
} from '../../../warehouse/receipts/receipts-of-goods.ts'
import { findGoods, GoodsItem } from '../../../warehouse/stock/goods-list.ts'
import { found } from '../../route/list.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** What the page of a product shows beside its stock: how long it lasts, what brings it, and what a set is made of. */

const ReceiptsOfGoods = Type.Object(
  {
    items: Type.Array(named(ReceiptOfGoods), {
      description: `Новые первыми, не больше ${receiptsOfGoodsMax}.`,
    }),
  },
  { $id: 'ReceiptsOfGoods', description: 'Приёмки одного товара.' },
)
const params = { barcode: 'Штрихкод, закодированный для адреса.' }
type Params = { Params: { barcode: string } }

export function addAccountProduct(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const coverSchema = accountOperation({
    id: 'getAccountProductCover',
    tag: 'Остатки',
    summary: 'На сколько хватит товара',
    description: 'И сколько его привезти.',
    params,
    answers: { 200: { description: 'Запас.', schema: named(ProductCover) } },
    errors: ['not_found'],
  })
  app.get<Params>('/stock/:barcode/cover', { schema: coverSchema }, async (request) => {
    const { barcode } = request.params
    if (hasBadText(barcode)) return found(undefined)
    return found(await findProductCover(db, visitorOn(request).clientId, clock.now(), barcode))
  })

  const receiptsSchema = accountOperation({
    id: 'listAccountProductReceipts',
    tag: 'Остатки',
    summary: 'Приёмки товара',
    description: 'Последние приёмки, в которых есть товар, и заявки на него.',
    params,
    answers: { 200: { description: 'Приёмки.', schema: named(ReceiptsOfGoods) } },
    errors: ['not_found'],
  })
  app.get<Params>('/stock/:barcode/receipts', { schema: receiptsSchema }, async (request) => {
    const { barcode } = request.params
    if (hasBadText(barcode)) return found(undefined)
    return { items: found(await receiptsOfGoods(db, visitorOn(request).clientId, barcode)) }
  })

  addComposition(app, db)
}

function addComposition(app: FastifyInstance, db: AccountDependencies['db']): void {
  const schema = accountOperation({
    id: 'getAccountProductParts',
    tag: 'Остатки',
    summary: 'Из чего набор',
    description:
      'Части набора и сколько наборов из них выйдет; у товара, который не набор, частей нет.',
    params,
    answers: { 200: { description: 'Товар с его частями.', schema: named(GoodsItem) } },
    errors: ['not_found'],
  })
  app.get<Params>('/stock/:barcode/parts', { schema }, async (request) => {
    const { barcode } = request.params
    if (hasBadText(barcode)) return found(undefined)
    return found(await findGoods(db, visitorOn(request).clientId, barcode))
  })
}
