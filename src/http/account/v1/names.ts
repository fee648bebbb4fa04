import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { named } from '../../../platform/kernel/schema.ts'
import { productNames } from '../../../warehouse/catalogue/product-names.ts'
import { rawQuery } from '../../route/list.ts'
import { query, text } from '../../route/query.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** Names of the client's goods: beside the orders of the public API, which have no field for them. */

export const GoodsNames = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        barcode: Type.String({ description: 'Штрихкод товара.' }),
        name: Type.String({ description: 'Его название.' }),
      }),
      { description: 'Товары, которые есть у клиента.' },
    ),
  },
  { $id: 'GoodsNames', description: 'Названия товаров.' },
)

export function addAccountNames(app: FastifyInstance, { db }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'listAccountNames',
    tag: 'Остатки',
    summary: 'Названия товаров',
    description: 'Как называются товары с этими штрихкодами, например товары заказов.',
    query: askedGoodsQuery,
    answers: { 200: { description: 'Названия.', schema: named(GoodsNames) } },
    errors: ['bad_request'],
  })
  app.get('/names', { schema }, async (request) => {
    const { clientId } = visitorOn(request)
    const asked = askedBarcodes(request)
    const nameOf = await productNames(
      db,
      asked.map((barcode) => ({ client_id: clientId, barcode })),
    )
    const items = asked.flatMap((barcode) => {
      const name = nameOf(clientId, barcode)
      return name === undefined ? [] : [{ barcode, name }]
    })
    return { items }
  })
}

/** Calls that say of many goods what the objects of the public API have no field for. */

const goodsMax = 200

export const askedGoodsQuery = query({
  barcodes: text({
    description: `Штрихкоды через запятую, до ${goodsMax}; остальные не читаются.`,
  }),
})

/** Each barcode once. Throws bad_request. */
export function askedBarcodes(request: FastifyRequest): readonly string[] {
  const { barcodes = '' } = askedGoodsQuery.parse(rawQuery(request))
  return [...new Set(barcodes.split(','))].slice(0, goodsMax)
}
