import type { FastifyInstance } from 'fastify'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { otherBarcodesOf } from '../../../../warehouse/catalogue/other-barcodes.ts'
import { findProduct, Product } from '../../../../warehouse/catalogue/products.ts'
import { mergeProducts } from '../../../../warehouse/merging/merge.ts'
import { MergingPlan, planOfMerging } from '../../../../warehouse/merging/plan.ts'
import { findStockItem } from '../../../../warehouse/stock/queries.ts'
import { found } from '../../../route/list.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { type ProductParams, productParams } from './product-params.ts'
import { wholeProduct } from './products.ts'

type MergingParams = { Params: ProductParams['Params'] & { other: string } }
const params = { ...productParams, other: 'Штрихкод другого товара, закодированный для адреса.' }
const path = '/clients/:id/products/:barcode/merged/:other'
const config = { role: 'manager' } as const

export function addMerging(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const planSchema = staffOperation({
    id: 'planMerging',
    tag: 'Клиенты',
    summary: 'Что перейдёт при объединении товаров',
    description: 'Ничего не меняет. Если объединить нельзя, refusal говорит почему и что сделать.',
    params,
    answers: { 200: { description: 'Что перейдёт.', schema: named(MergingPlan) } },
    errors: ['not_found'],
  })
  app.get<MergingParams>(path, { schema: planSchema, config }, async (request) => {
    const { id, barcode: into, other: from } = request.params
    const clientId = await clientInPath(db, id)
    return planOfMerging(db, clientId, { from, into })
  })

  const schema = staffOperation({
    id: 'mergeProducts',
    tag: 'Клиенты',
    summary: 'Объединить товары',
    description:
      'Два товара оказались одним. Остаток другого товара переходит к этому двумя корректировками, его штрихкоды становятся другими ' +
      'штрихкодами этого, незаконченные заказы, приёмки и задания продолжаются под этим товаром. Что закончено, остаётся под прежним ' +
      'штрихкодом. Картинка и размеры переходят, если у этого товара их нет. Обратно не разделить.',
    params,
    answers: { 200: { description: 'Товар с его новыми штрихкодами.', schema: named(Product) } },
    errors: ['not_found', 'conflict'],
  })
  app.put<MergingParams>(path, { schema, config }, async (request) => {
    const { id, barcode: into, other: from } = request.params
    const clientId = await clientInPath(db, id)
    const goods = { clientId, barcode: into }
    const look = async ({ tx }: Work) => ({
      other_barcodes: (await otherBarcodesOf(tx, [goods]))(goods),
      quantity: (await findStockItem(tx, clientId, into))?.quantity,
    })
    return change(dependencies, request, { clientId, objectId: into, look }, async (work) => {
      // A repeat whose answer was lost finds the product merged.
      const changed = (await findProduct(work.tx, clientId, from))?.merged_into !== into
      if (changed) await mergeProducts(work, clientId, { from, into })
      const product = found(await findProduct(work.tx, clientId, into))
      return { answer: await wholeProduct(work.tx, product), changed }
    })
  })
}
