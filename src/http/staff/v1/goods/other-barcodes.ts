import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  otherBarcodesMax,
  otherBarcodesOf,
  removeOtherBarcode,
} from '../../../../warehouse/catalogue/other-barcodes.ts'
import type { Goods } from '../../../../warehouse/catalogue/pictures.ts'
import { Product } from '../../../../warehouse/catalogue/products.ts'
import { nameGoodsAlso } from '../../../../warehouse/orders/goods.ts'
import { change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { clientInPath } from '../clients/clients.ts'
import { type ProductParams, productInPath, productParams } from './product-params.ts'
import { barcodeInPath, wholeProduct } from './products.ts'

type OtherParams = { Params: ProductParams['Params'] & { other: string } }
const params = { ...productParams, other: 'Другой штрихкод, закодированный для адреса.' }
const path = '/clients/:id/products/:barcode/barcodes/:other'
const config = { role: 'manager' } as const

export function addOtherBarcodes(app: FastifyInstance, dependencies: StaffDependencies): void {
  const addition = staffOperation({
    id: 'addProductBarcode',
    tag: 'Клиенты',
    summary: 'Добавить товару штрихкод',
    description:
      'Например, штрихкод поставщика. Сканы, файлы и заказы под ним относятся к этому товару; остаток и API продавца называют ' +
      `его по-прежнему. У товара до ${otherBarcodesMax} таких штрихкодов. Штрихкод другого товара клиента не добавить.`,
    params,
    answers: { 200: { description: 'Товар с этим штрихкодом.', schema: named(Product) } },
    errors: ['validation_error', 'not_found', 'conflict'],
  })
  app.put<OtherParams>(path, { schema: addition, config }, async (request) => {
    const { other } = request.params
    return changeBarcodes(dependencies, request, (work, goods) =>
      nameGoodsAlso(work, goods, barcodeInPath(other)),
    )
  })

  const removal = staffOperation({
    id: 'removeProductBarcode',
    tag: 'Клиенты',
    summary: 'Убрать у товара другой штрихкод',
    description:
      'Сканы этого штрихкода больше не относятся к товару; что уже принято и собрано, остаётся. Штрихкод объединённого товара не убрать.',
    params,
    answers: { 200: { description: 'Товар без него.', schema: named(Product) } },
    errors: ['not_found', 'conflict'],
  })
  app.delete<OtherParams>(path, { schema: removal, config }, async (request) =>
    changeBarcodes(dependencies, request, (work, goods) =>
      removeOtherBarcode(work, goods, request.params.other),
    ),
  )
}

async function changeBarcodes(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  write: (work: Work, goods: Goods) => Promise<boolean>,
): Promise<Product> {
  const { id, barcode: given } = request.params as ProductParams['Params']
  const clientId = await clientInPath(dependencies.db, id)
  const { barcode } = await productInPath(dependencies.db, clientId, given)
  const goods = { clientId, barcode }
  const look = async ({ tx }: Pick<Work, 'tx'>) => ({
    other_barcodes: (await otherBarcodesOf(tx, [goods]))(goods),
  })
  return change(dependencies, request, { clientId, objectId: barcode, look }, async (work) => {
    const product = await productInPath(work.tx, clientId, barcode)
    const changed = await write(work, { clientId, barcode: product.barcode })
    return { answer: await wholeProduct(work.tx, product), changed }
  })
}
