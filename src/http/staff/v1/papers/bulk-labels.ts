import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { boxLabelPage } from '../../../../documents/labels/box-label.ts'
import { goodsLabelPage } from '../../../../documents/labels/goods-label.ts'
import { locationLabelPage } from '../../../../documents/labels/location-label.ts'
import { type LabelDrawer, labelsPdf } from '../../../../documents/labels/pdf.ts'
import { lotNumberMax } from '../../../../platform/kernel/codes/lot.ts'
import { excerpt, invalidField } from '../../../../platform/kernel/errors.ts'
import { newId } from '../../../../platform/kernel/ids.ts'
import { fromTimestamp } from '../../../../platform/kernel/moscow-time.ts'
import { keepGoodsLabels } from '../../../../warehouse/billing/goods-labels.ts'
import { productsByBarcode } from '../../../../warehouse/catalogue/products.ts'
import { codesOfPattern } from '../../../../warehouse/storage/location-code.ts'
import { locationsToLabel } from '../../../../warehouse/storage/location-queries.ts'
import { labelFactsOf } from '../../../../warehouse/storage/queries.ts'
import { drawingMessages } from '../../../files/paper-answer.ts'
import { clientInBody } from '../../body-ids.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { memberOn, ownScope } from '../../gate.ts'
import { staffOperation } from '../../operation.ts'
import { lotIn } from '../goods/lot-fields.ts'

/** Labels that one document may have. */
const labelsMax = 1_000
const storedMax = 500
const itemsMax = 500

export const LocationLabelsDraft = Type.Object(
  {
    warehouse_code: Type.String({ maxLength: 100, description: 'Склад.', examples: ['MSK1'] }),
    zone: Type.Optional(Type.String({ maxLength: 64, description: 'Места этой зоны.' })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        examples: ['A-{01..10}-{1..4}'],
        description: 'Места с кодами по шаблону, как при заведении мест.',
      }),
    ),
  },
  {
    $id: 'LocationLabelsDraft',
    additionalProperties: false,
    description: `Какие места: все открытые места склада, зоны или шаблона, не больше ${labelsMax}.`,
  },
)
export const BoxLabelsDraft = Type.Object(
  {
    boxes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: storedMax,
      description: 'Короба: id или SSCC; печатаются в этом порядке.',
    }),
  },
  { $id: 'BoxLabelsDraft', additionalProperties: false, description: 'Этикетки каких коробов.' },
)
export const PalletLabelsDraft = Type.Object(
  {
    pallets: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: storedMax,
      description: 'Паллеты: id или SSCC; печатаются в этом порядке.',
    }),
  },
  { $id: 'PalletLabelsDraft', additionalProperties: false, description: 'Этикетки каких паллет.' },
)
export const GoodsLabelsDraft = Type.Object(
  {
    client_id: Type.String({ description: 'Чьи товары: идентификатор клиента.' }),
    items: Type.Array(
      Type.Object(
        {
          barcode: Type.String({ minLength: 1, maxLength: 64, description: 'Штрихкод товара.' }),
          copies: Type.Integer({
            minimum: 1,
            maximum: labelsMax,
            description: 'Сколько этикеток этого товара.',
          }),
          expires_on: Type.Optional(
            Type.String({
              maxLength: 20,
              description: 'Срок годности на этикетке: 31.12.2027 или 2027-12-31.',
            }),
          ),
          lot_number: Type.Optional(
            Type.String({ maxLength: lotNumberMax, description: 'Номер партии на этикетке.' }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: itemsMax, description: `Товары; этикеток вместе до ${labelsMax}.` },
    ),
    charged: Type.Optional(
      Type.Boolean({
        description: 'true — клиент попросил об этикетках: их начислят; без поля — нет.',
      }),
    ),
    print_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Свой номер печати: повтор с ним не начислит этикетки ещё раз.',
      }),
    ),
  },
  { $id: 'GoodsLabelsDraft', additionalProperties: false, description: 'Этикетки каких товаров.' },
)

const refusals = {
  errors: ['bad_request', 'validation_error', 'rate_limited'],
  messages: drawingMessages,
} as const
const answersOf = (size: string) => ({
  200: {
    description: `PDF, этикетка на странице ${size} мм.`,
    media: { 'application/pdf': Type.String({ format: 'binary' }) },
  },
})
const answers = answersOf('58 × 40')

export function addBulkLabels(app: FastifyInstance, dependencies: StaffDependencies): void {
  addLocationLabels(app, dependencies)
  addStoredLabels(app, dependencies)
  addGoodsLabels(app, dependencies)
}

function addLocationLabels(app: FastifyInstance, { db, clock }: StaffDependencies): void {
  const schema = staffOperation({
    id: 'printLocationLabels',
    tag: 'Хранение',
    summary: 'Этикетки мест',
    description:
      'Одним документом, в порядке обхода. Ничего не меняет. Масштаб при печати — 100 %.',
    body: LocationLabelsDraft,
    answers,
    ...refusals,
  })
  app.post('/labels/locations', { schema }, async (request, reply) => {
    const { warehouse_code, zone, pattern } = bodyOf(LocationLabelsDraft, request)
    const own = memberOn(request).warehouses
    const codes = pattern === undefined ? undefined : codesOfPattern(pattern)
    const places =
      own.length > 0 && !own.includes(warehouse_code)
        ? []
        : await locationsToLabel(db, { warehouse: warehouse_code, zone, codes }, labelsMax + 1)
    if (places.length === 0) throw invalidField('warehouse_code', 'таких открытых мест нет')
    refuseTooMany(places.length, 'zone')
    const labels = places.map(
      ({ code, zone }) =>
        () =>
          locationLabelPage({ code, zone, warehouse: warehouse_code }),
    )
    return sendLabels(reply, 'Этикетки мест', labels, clock.now())
  })
}

function addStoredLabels(app: FastifyInstance, dependencies: StaffDependencies): void {
  const boxSchema = staffOperation({
    id: 'printBoxLabels',
    tag: 'Хранение',
    summary: 'Этикетки коробов',
    description: 'Одним документом. Ничего не меняет. Масштаб при печати — 100 %.',
    body: BoxLabelsDraft,
    answers,
    ...refusals,
  })
  app.post('/labels/boxes', { schema: boxSchema }, async (request, reply) => {
    const { boxes } = bodyOf(BoxLabelsDraft, request)
    return sendStoredLabels(dependencies, request, reply, { kind: 'box', codes: boxes })
  })
  const palletSchema = staffOperation({
    id: 'printPalletLabels',
    tag: 'Хранение',
    summary: 'Этикетки паллет',
    description: 'Одним документом. Ничего не меняет. Масштаб при печати — 100 %.',
    body: PalletLabelsDraft,
    answers: answersOf('100 × 150'),
    ...refusals,
  })
  app.post('/labels/pallets', { schema: palletSchema }, async (request, reply) => {
    const { pallets } = bodyOf(PalletLabelsDraft, request)
    return sendStoredLabels(dependencies, request, reply, { kind: 'pallet', codes: pallets })
  })
}

const stored = {
  box: { field: 'boxes', unknown: 'короба', title: 'Этикетки коробов' },
  pallet: { field: 'pallets', unknown: 'паллеты', title: 'Этикетки паллет' },
} as const

async function sendStoredLabels(
  { db, clock }: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, codes }: { readonly kind: 'box' | 'pallet'; readonly codes: readonly string[] },
): Promise<FastifyReply> {
  const { field, unknown, title } = stored[kind]
  const found = await labelFactsOf(db, kind, codes, ownScope(request).warehouses)
  const labels = found.map((facts, at) => {
    if (facts?.sscc == null) {
      throw invalidField(`${field}[${at}]`, `${unknown} ${excerpt(codes[at] ?? '')} нет`)
    }
    const { sscc, client, created_at } = facts
    return () => boxLabelPage({ kind, sscc, client, createdAt: fromTimestamp(created_at) })
  })
  return sendLabels(reply, title, labels, clock.now())
}

function addGoodsLabels(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, clock } = dependencies
  const schema = staffOperation({
    id: 'printGoodsLabels',
    tag: 'Хранение',
    summary: 'Этикетки товаров',
    description:
      'Название, артикул, срок годности и штрихкод: EAN или Code 128, а если не помещается — QR. Одним документом. Без charged ' +
      'ничего не меняет. Масштаб при печати — 100 %.',
    body: GoodsLabelsDraft,
    answers,
    ...refusals,
  })
  app.post('/labels/goods', { schema }, async (request, reply) => {
    const { client_id, items, charged, print_id } = bodyOf(GoodsLabelsDraft, request)
    const clientId = await clientInBody(db, request, client_id)
    refuseTooMany(
      items.reduce((sum, { copies }) => sum + copies, 0),
      'items',
    )
    const barcodes = items.map(({ barcode }) => barcode)
    const products = await productsByBarcode(db, clientId, barcodes)
    const labels = items.flatMap(({ barcode, copies, ...dated }, at) => {
      const lot = lotIn(dated, `items[${at}].`)
      const product = products.get(barcode)
      if (product === undefined) {
        const rule = `у клиента нет товара ${excerpt(barcode)}: заведите его`
        throw invalidField(`items[${at}].barcode`, rule)
      }
      return Array<LabelDrawer>(copies).fill(() => goodsLabelPage({ ...product, lot }))
    })
    const pdf = await labelsPdf(labels, 'Этикетки товаров', new Date(clock.now()))
    if (charged === true) {
      await change(dependencies, request, { clientId }, async (work) => {
        const print = { clientId, printId: print_id ?? newId() }
        const changed = await keepGoodsLabels(work, print, items)
        return { answer: undefined, changed, made: { after: { items } } }
      })
    }
    return reply.type('application/pdf').send(pdf)
  })
}

function refuseTooMany(labels: number, field: string): void {
  if (labels <= labelsMax) return
  throw invalidField(field, `этикеток больше ${labelsMax}: разделите на несколько документов`)
}

async function sendLabels(
  reply: FastifyReply,
  title: string,
  labels: readonly LabelDrawer[],
  now: number,
): Promise<FastifyReply> {
  return reply.type('application/pdf').send(await labelsPdf(labels, title, new Date(now)))
}
