import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { Product } from '../../../../warehouse/catalogue/products.ts'
import { partsMax, partUnitsMax } from '../../../../warehouse/catalogue/set-fields.ts'
import { putParts } from '../../../../warehouse/catalogue/sets.ts'
import { compositionsOf } from '../../../../warehouse/stock/parts-allow.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { type ProductParams, productInPath, productParams } from './product-params.ts'
import { wholeProduct } from './products.ts'

export const PartsDraft = Type.Object(
  {
    parts: Type.Array(
      Type.Object(
        {
          barcode: Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'Любой штрихкод части, товара этого же клиента.',
          }),
          qty: Type.Integer({
            minimum: 1,
            maximum: partUnitsMax,
            description: 'Сколько единиц в одном наборе.',
          }),
        },
        { additionalProperties: false },
      ),
      {
        maxItems: partsMax,
        description: 'Все части набора, каждая один раз; пустой список — товар больше не набор.',
      },
    ),
  },
  { $id: 'PartsDraft', additionalProperties: false, description: 'Из чего состоит набор.' },
)

export function addSets(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'putProductParts',
    tag: 'Клиенты',
    summary: 'Сделать товар набором',
    description:
      'Набор составляют из других товаров клиента: заранее или под заказ. Сам он частью другого набора быть не может. ' +
      'Заказы, под которые части уже отложены, остаются с прежним составом.',
    params: productParams,
    body: PartsDraft,
    answers: { 200: { description: 'Товар с этим составом.', schema: named(Product) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.put<ProductParams>(
    '/clients/:id/products/:barcode/parts',
    { schema, config: { role: 'manager' } },
    async (request) => {
      const { parts } = bodyOf(PartsDraft, request)
      const { id, barcode: given } = request.params
      const clientId = await clientInPath(dependencies.db, id)
      const { barcode } = await productInPath(dependencies.db, clientId, given)
      const look = async ({ tx }: Work) => ({
        parts: (await compositionsOf(tx, clientId, [barcode])).get(barcode)?.parts ?? [],
      })
      const subject = { clientId, objectId: barcode, look }
      return change(dependencies, request, subject, async (work) => {
        const product = await productInPath(work.tx, clientId, barcode)
        const changed = await putParts(work, { clientId, barcode: product.barcode }, parts)
        return { answer: await wholeProduct(work.tx, product), changed }
      })
    },
  )
}
