import type { FastifyRequest } from 'fastify'
import { rawQuery } from '../route/list.ts'
import { query, text } from '../route/query.ts'

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
