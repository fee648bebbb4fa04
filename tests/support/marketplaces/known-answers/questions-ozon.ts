import type { ShipmentDocument } from '../../../../src/exchange/marketplaces/connector.ts'
import type { KnownCase } from './format.ts'
import { listed, ok, type Question, type Questions, refusedAmong } from './outcome.ts'
import type { Answers } from './server.ts'

/** How to ask the OZON connector so that it makes each known call. */

const day = 24 * 3_600_000
export const ozonNow = Date.parse('2026-11-20T12:00:00Z')
const from = ozonNow - day
const number = '33100450-0021-1'
const carriageId = '30711290'
const orders = [{ externalId: number, units: 1 }]
const sku = 771203344
const code = '0104660000000011217abCdEfGhIj'

const products = 'POST /v3/product/list'
const productInfos = 'POST /v3/product/info/list'
const postings = 'POST /v4/posting/fbs/list'
const posting = 'POST /v3/posting/fbs/get'
const ship = 'POST /v4/posting/fbs/ship'
const methods = 'POST /v2/carriage/delivery/list'
const carriage = 'POST /v1/carriage/get'
const create = 'POST /v1/carriage/create'
const setPostings = 'POST /v1/carriage/set-postings'
const carriagePostings = 'POST /v2/posting/fbs/act/get-postings'
const approve = 'POST /v1/carriage/approve'
const labelTasks = 'POST /v3/posting/fbs/package-label/create'
const labelTask = 'POST /v2/posting/fbs/package-label/get'
const file = 'GET /s3/labels/{id}'
const exemplars = 'POST /v6/fbs/posting/product/exemplar/create-or-get'
const setExemplars = 'POST /v6/fbs/posting/product/exemplar/set'
const exemplarsStatus = 'POST /v5/fbs/posting/product/exemplar/status'
const papers = 'POST /v2/posting/fbs/act/get-pdf'
const documentsStatus = 'POST /v2/posting/fbs/act/check-status'
const returns = 'POST /v1/returns/list'
const updateExemplars = 'POST /v1/fbs/posting/product/exemplar/update'
const barcode = 'POST /v2/posting/fbs/act/get-barcode'
const barcodeText = 'POST /v2/posting/fbs/act/get-barcode/text'

const postingIn = (status: string, requirements: object = {}) =>
  ok({
    result: {
      posting_number: number,
      status,
      requirements,
      delivery_method: { id: 2210055, name: 'Тверь' },
      products: [{ sku, quantity: 1 }],
    },
  })
const waiting = postingIn('awaiting_packaging')
const packed = postingIn('awaiting_deliver')
const openCarriage = ok({ carriage_id: Number(carriageId), status: 'new' })
const holding = ok({ result: [{ posting_number: number, status: 'awaiting_deliver' }] })
const allTaken = ok({ result: [{ posting_number: number, result: true, error: '' }] })
const oneProduct = ok({ result: { items: [{ product_id: 440210077 }], last_id: 'a' } })
const noProducts = ok({ result: { items: [], last_id: '' } })
const noMethods = ok({ methods: [], has_next: false, cursor: '' })
/** What OZON lists of the day where a carriage may be made. */
const offered = ok({
  methods: [{ delivery_method_id: 2210055, carriages: [{ id: 0, available_actions: ['create'] }] }],
  has_next: false,
  cursor: '',
})
const obsolete = { status: 400, body: { code: 9, message: 'obsolete method cannot be used' } }
const pdf = { status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4' }
const oneUnit = ok({
  posting_number: number,
  products: [
    {
      product_id: sku,
      quantity: 1,
      is_mandatory_mark_needed: true,
      exemplars: [{ exemplar_id: 91, marks: [] }],
    },
  ],
})

const undeclaredUnit = ok({
  posting_number: number,
  products: [
    {
      product_id: sku,
      quantity: 1,
      is_gtd_needed: true,
      exemplars: [{ exemplar_id: 91, gtd: '', is_gtd_absent: false, marks: [] }],
    },
  ],
})

async function* noPages(): AsyncGenerator<{ items: readonly unknown[] }> {}

async function* goods() {
  yield [{ itemId: sku, barcode: '4660000000011' }]
}

const listCards: Question = {
  ask: (connector) => listed(connector.cards(undefined)),
  beside: {
    [products]: [oneProduct, noProducts],
    [productInfos]: ok({ items: [{ id: 440210077, sku, offer_id: 'LP-7', barcodes: [] }] }),
  },
}
const createCarriage: Question = {
  ask: ({ shipping }) => shipping.create({ name: 'Утро', reference: 'SK-1', orders }),
  beside: {
    [posting]: [waiting, packed],
    [ship]: ok({ result: [number] }),
    [methods]: offered,
    [create]: ok({ carriage_id: Number(carriageId) }),
    [setPostings]: allTaken,
  },
}
/** What the posting shows after OZON refused to pack it. */
function afterShip({ answer }: KnownCase) {
  const { message = '' } = { ...(answer.body as { message?: string }) }
  if (message === '' || message.includes('SHIPPED')) return packed
  return message.includes('CANCELLED') ? postingIn('cancelled') : waiting
}

const listCarriages: Question = {
  ask: (connector) => {
    const known = [{ externalId: carriageId, closed: false }]
    return listed(connector.shipments({ from, openFrom: from, known }))
  },
  beside: { [methods]: noMethods, [carriage]: openCarriage, [carriagePostings]: holding },
}
/** A unit with all marks. */
const unit = {
  itemId: sku,
  markingCode: code,
  marks: {
    uin: '8000000000000001',
    imei: '490154203237518',
    customs_declaration: '10704010/010624/0000302',
    rnpt: null,
    weight: '250',
  },
}
const second = { ...unit, markingCode: '0104660000000011217zZzZzZzZz' }
const passed = (mark: string, mark_type: string) => ({
  mark,
  mark_type,
  check_status: 'passed',
  error_codes: [],
})
/** What OZON shows once all that is sent has passed. */
const allPassed = (status: string) =>
  ok({
    posting_number: number,
    status,
    products: [
      {
        product_id: sku,
        exemplars: [
          {
            exemplar_id: 91,
            marks: [
              passed(code, 'mandatory_mark'),
              passed(unit.marks.uin, 'jw_uin'),
              passed(unit.marks.imei, 'imei'),
            ],
          },
          { exemplar_id: 92, marks: [passed(second.markingCode, 'mandatory_mark')] },
        ],
      },
    ],
  })
function unitsFor(name: string) {
  if (name.startsWith('two units')) return [unit, second]
  return [name.startsWith('the seller') ? { ...unit, marks: {} } : unit]
}

const attachMarks: Question = {
  ask: ({ shipping }, { name }) =>
    shipping.attachMarks([{ externalId: number, units: unitsFor(name) }]),
  beside: {
    [exemplars]: oneUnit,
    [setExemplars]: ok({}),
    [exemplarsStatus]: allPassed('ship_available'),
    [posting]: waiting,
  },
}
const setCountry: Question = {
  ask: ({ shipping }) => {
    const made = { ...unit, marks: { country: 'CN' } }
    return shipping.attachMarks([{ externalId: number, units: [made] }])
  },
  beside: {
    ...attachMarks.beside,
    [posting]: postingIn('awaiting_packaging', { products_requiring_country: [String(sku)] }),
    [productInfos]: ok({ items: [{ id: 440210077, sku, offer_id: 'LP-7', barcodes: [] }] }),
  },
}
const updatePacked: Question = {
  ...attachMarks,
  beside: {
    ...attachMarks.beside,
    [posting]: packed,
    [exemplarsStatus]: allPassed('update_available'),
  },
}
const printLabel: Question = {
  ask: ({ shipping }) => shipping.stickers([number]),
  beside: {
    [labelTasks]: ok({ tasks: [{ task_id: 6100440017, task_type: 'big_label' }] }),
    [labelTask]: ok({
      status: { code: 'completed', unprinted_postings: [] },
      file_url: 'https://cdn1.ozone.ru/s3/labels/1.pdf',
    }),
    [posting]: packed,
    [file]: pdf,
  },
}
const pass: Question = {
  ask: ({ shipping }) => shipping.pass(carriageId),
  beside: {
    [barcode]: { status: 200, headers: { 'content-type': 'image/png' }, body: '\x89PNG' },
    [barcodeText]: ok({ result: '%303%1' }),
  },
}

const closedCarriage = ok({
  carriage_id: Number(carriageId),
  status: 'sended',
  containers_count: 2,
})
const documentsReady = ok({ result: { status: 'ready' } })
const notMade = { status: 404, body: { code: 5, message: 'DOCUMENTS_NOT_FOUND' } }
const document = (kind: ShipmentDocument, beside: Answers = {}): Question => ({
  ask: ({ shipping }) => shipping.document(carriageId, kind),
  beside: { [carriage]: closedCarriage, [documentsStatus]: documentsReady, ...beside },
})
const noReturns = ok({ returns: [], has_next: false })

export const ozonQuestions: Questions = {
  any: { call: postings, ask: (connector) => listed(connector.orders(from)) },
  'POST /v2/warehouse/list': { ask: (connector) => connector.warehouses() },
  'POST /v1/roles': { ask: (connector) => connector.access() },
  [products]: { ...listCards, afterwards: [noProducts] },
  [productInfos]: listCards,
  'POST /v4/product/info/stocks': {
    ...listCards,
    beside: { ...listCards.beside, [products]: obsolete },
    afterwards: [ok({ items: [], cursor: 'bGFzdA==' })],
  },
  'POST /v2/product/info/stocks-by-warehouse/fbs': {
    ask: (connector) => listed(connector.stock(goods())),
  },
  [postings]: {
    ask: (connector, { name }) =>
      name.startsWith('parts of')
        ? (connector.shipping.partsOf?.(number) ?? Promise.resolve())
        : listed(connector.orders(from)),
    beside: { [posting]: postingIn('cancelled_from_split_pending') },
  },
  [posting]: { ...createCarriage, afterwards: [packed] },
  [ship]: {
    ...createCarriage,
    beside: (one) => ({
      ...createCarriage.beside,
      [posting]: [waiting, afterShip(one)],
      [exemplars]: undeclaredUnit,
      [exemplarsStatus]: ok({ posting_number: number, status: 'ship_not_available', products: [] }),
    }),
  },
  [methods]: {
    ...listCarriages,
    ask: (connector, one) =>
      one.name.startsWith('a carriage')
        ? createCarriage.ask(connector, one)
        : listCarriages.ask(connector, one),
    beside: { ...createCarriage.beside, ...listCarriages.beside },
    afterwards: [noMethods],
  },
  [carriage]: listCarriages,
  [carriagePostings]: { ask: ({ shipping }) => shipping.ordersOf(carriageId) },
  [create]: createCarriage,
  [setPostings]: {
    ask: ({ shipping }) => refusedAmong(shipping.addOrders(carriageId, orders)),
    beside: {
      [carriagePostings]: ok({ result: [] }),
      [carriage]: openCarriage,
      [posting]: packed,
    },
  },
  'POST /v1/carriage/cancel': {
    ask: ({ shipping }) => shipping.cancel(carriageId),
    beside: { [carriage]: openCarriage },
  },
  [approve]: {
    ask: ({ shipping }) => shipping.handOver(carriageId, orders),
    beside: { [carriage]: openCarriage, [carriagePostings]: holding },
  },
  [labelTasks]: printLabel,
  [labelTask]: printLabel,
  [exemplars]: attachMarks,
  [setExemplars]: attachMarks,
  [exemplarsStatus]: {
    ...attachMarks,
    beside: { ...attachMarks.beside, [updateExemplars]: ok({}) },
  },
  [updateExemplars]: updatePacked,
  'POST /v2/posting/fbs/product/country/set': setCountry,
  [papers]: document('papers'),
  [documentsStatus]: document('papers', { [papers]: notMade }),
  'POST /v2/posting/fbs/act/get-container-labels': document('containers', {
    [carriage]: ok({ carriage_id: Number(carriageId), status: 'sended', containers_count: 0 }),
  }),
  'POST /v1/carriage/act-discrepancy/pdf': document('discrepancy'),
  [returns]: {
    ask: (connector) => listed(connector.returns?.(undefined) ?? noPages()),
    afterwards: [noReturns],
  },
  'POST /v1/return/giveout/barcode': {
    ask: (connector) => connector.giveoutCode?.() ?? Promise.resolve(),
  },
  'POST /v3/posting/multiboxqty/set': {
    ask: async ({ shipping }) => shipping.setOrderBoxes?.(number, 3),
    beside: { [posting]: packed },
  },
  [barcode]: pass,
  [barcodeText]: pass,
}
