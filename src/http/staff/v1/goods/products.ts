import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Queryable } from '../../../../platform/db/connection.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { barcodeProblemOf, plainBarcode } from '../../../../platform/kernel/codes/goods-barcode.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { codePointLength } from '../../../../platform/kernel/json.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { uploadedPicture } from '../../../../warehouse/catalogue/pictures.ts'
import {
  findProduct,
  listProducts,
  Product,
  storedBarcodes,
} from '../../../../warehouse/catalogue/products.ts'
import type { SetPart } from '../../../../warehouse/catalogue/set-fields.ts'
import { putProduct } from '../../../../warehouse/stock/new-products.ts'
import { compositionsOf } from '../../../../warehouse/stock/parts-allow.ts'
import { stockFilters } from '../../../public/v1/stock.ts'
import { found, openList, pageSchema, rawQuery } from '../../../route/list.ts'
import { longPages, oneOf, query } from '../../../route/query.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { withOtherBarcodes } from '../../other-barcodes.ts'
import { withPictures } from '../../pictures.ts'
import { clientInPath } from '../clients/clients.ts'
import { addProductMeasures } from './measures.ts'
import { addMeasuresFile } from './measures-file.ts'
import { type ProductParams, productParams } from './product-params.ts'
import { addSetsFile } from './sets-file.ts'
import { wordsOfGoods } from './stock.ts'

/** The same bounds as in receipts. */
const barcodeLengthMax = 64

export const ProductDraft = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 500, description: 'Название.' }),
    article: Type.Optional(
      Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
        description: 'Артикул продавца; null или без поля — артикула нет.',
      }),
    ),
    honest_mark: Type.Optional(
      Type.Boolean({
        description:
          'Подлежит ли обязательной маркировке; без поля — как было, у нового товара — нет.',
      }),
    ),
  },
  {
    $id: 'ProductDraft',
    additionalProperties: false,
    description: 'Товар, каким он должен стать.',
  },
)
export const ProductPage = pageSchema(Product, 'ProductPage', 'Страница товаров.')

export const productQuery = query({
  barcode: stockFilters.barcode,
  search: wordsOfGoods,
  measured: oneOf(['true', 'false'], {
    description: 'true — только измеренные, false — только без размеров.',
  }),
  ...longPages,
})

const config = { role: 'manager' } as const

export function addProducts(app: FastifyInstance, dependencies: StaffDependencies): void {
  addProductReads(app, dependencies)
  addProductMeasures(app, dependencies)
  addMeasuresFile(app, dependencies)
  addSetsFile(app, dependencies)
  addProductChange(app, dependencies)
}

function addProductReads(app: FastifyInstance, { db, cursors }: StaffDependencies): void {
  const listSchema = staffOperation({
    id: 'listProducts',
    tag: 'Клиенты',
    summary: 'Товары клиента',
    description: 'Все товары, известные складу, по возрастанию штрихкода.',
    params: { id: productParams.id },
    query: productQuery,
    answers: { 200: { description: 'Страница.', schema: named(ProductPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found'],
  })
  app.get<{ Params: { id: string } }>(
    '/clients/:id/products',
    { schema: listSchema, config },
    async (request) => {
      const parameters = productQuery.parse(rawQuery(request))
      const client = await clientInPath(db, request.params.id)
      const filter = {
        barcode: parameters.barcode,
        search: undefined,
        words: parameters.search || undefined,
        measured: parameters.measured,
      }
      const list = openList(cursors, 'staff', `products ${client}`, parameters, filter)
      const page = await listProducts(db, client, filter, list.request)
      return list.answer({ ...page, items: await wholeProducts(db, client, page.items) })
    },
  )

  const productSchema = staffOperation({
    id: 'getProduct',
    tag: 'Клиенты',
    summary: 'Один товар',
    description: 'Товар клиента по точному штрихкоду.',
    params: productParams,
    answers: { 200: { description: 'Товар.', schema: named(Product) } },
    errors: ['not_found'],
  })
  app.get<ProductParams>(
    '/clients/:id/products/:barcode',
    { schema: productSchema, config },
    async (request) => {
      const { id, barcode } = request.params
      const client = await clientInPath(db, id)
      return wholeProduct(db, found(await findProduct(db, client, barcode)))
    },
  )
}

function addProductChange(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'putProduct',
    tag: 'Клиенты',
    summary: 'Завести или изменить товар',
    description: 'Товар становится таким, как в запросе: без article у него не будет артикула.',
    params: productParams,
    body: ProductDraft,
    answers: {
      200: { description: 'Товар изменён или уже был таким.', schema: named(Product) },
      201: { description: 'Товар заведён.', schema: named(Product) },
    },
    errors: ['bad_request', 'validation_error', 'not_found'],
  })
  app.put<ProductParams>(
    '/clients/:id/products/:barcode',
    { schema, config },
    async (request, reply) => {
      const { honest_mark, article, ...draft } = bodyOf(ProductDraft, request)
      const client = await clientInPath(dependencies.db, request.params.id)
      const given = request.params.barcode
      if (!isBarcode(given)) throw invalidField('barcode', `от 1 до ${barcodeLengthMax} символов`)
      const known = await findProduct(dependencies.db, client, given)
      const written = known?.barcode ?? newBarcode(given)
      const barcode = (await storedBarcodes(dependencies.db, client, [written]))(written)
      const look = ({ tx }: Work) => findProduct(tx, client, barcode)
      const subject = { clientId: client, objectId: barcode, look }
      const { product, outcome } = await change(dependencies, request, subject, async (work) => {
        const { outcome, barcode: stored } = await putProduct(work, client, {
          ...draft,
          article: article || null,
          barcode,
          honestMark: honest_mark,
        })
        const product = found(await findProduct(work.tx, client, stored))
        return { answer: { product, outcome }, changed: outcome !== 'unchanged' }
      })
      const shown = await wholeProduct(dependencies.db, product)
      return reply.code(outcome === 'created' ? 201 : 200).send(shown)
    },
  )
}

/** With its picture, its other barcodes, and its parts where it is a set. */
export async function wholeProduct(db: Queryable, product: Product): Promise<Product> {
  const { client_id: clientId, barcode } = product
  const uploaded = await uploadedPicture(db, { clientId, barcode })
  const [shown = product] = await wholeProducts(db, clientId, [product])
  return uploaded === undefined ? shown : { ...shown, picture_uploaded: true }
}

async function wholeProducts(
  db: Queryable,
  clientId: string,
  products: readonly Product[],
): Promise<Product[]> {
  const pictured = await withPictures(db, clientId, products)
  const named = await withOtherBarcodes(db, clientId, pictured)
  return withCompositions(db, clientId, named)
}

/** A barcode that a path gives to goods. Throws validation_error. */
export function barcodeInPath(given: string): string {
  if (!isBarcode(given)) throw invalidField('barcode', `от 1 до ${barcodeLengthMax} символов`)
  return newBarcode(given)
}

/** Of goods that the client does not have yet. Throws validation_error. */
function newBarcode(given: string): string {
  const barcode = plainBarcode(given)
  const problem = barcode === '' ? 'не заполнен' : barcodeProblemOf(barcode)
  if (problem !== undefined) throw invalidField('barcode', problem)
  return barcode
}

function isBarcode(text: string): boolean {
  return text !== '' && codePointLength(text) <= barcodeLengthMax
}

/** Adds to goods of one client, in answers of staff, what the sets among them are made of. */
export async function withCompositions<Item extends { readonly barcode: string }>(
  db: Queryable,
  clientId: string,
  items: readonly Item[],
): Promise<(Item & { parts?: SetPart[]; parts_allow?: number })[]> {
  if (items.length === 0) return []
  const barcodes = items.map(({ barcode }) => barcode)
  const compositions = await compositionsOf(db, clientId, barcodes)
  return items.map((item) => {
    const composition = compositions.get(item.barcode)
    if (composition === undefined) return item
    return { ...item, parts: [...composition.parts], parts_allow: composition.parts_allow }
  })
}
