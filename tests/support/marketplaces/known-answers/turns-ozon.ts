import type { FakeOzon } from '../ozon.ts'
import { type Carriage, deliveryMethod } from '../ozon-state.ts'
import type { Staged, TurnsByCall } from './turns.ts'

/** How the stand-in of OZON is asked for each known answer. */

type Stage = Staged<FakeOzon, 'OZON'>

export const ozonStageNow = Date.parse('2026-11-20T12:00:00Z')

const packed = { supplier: 'awaiting_deliver', buyer: 'posting_registered' }
const warehouse = { id: 2210055, name: 'Склад Клин' }
const all = { visibility: 'ALL' }
const period = { since: '2026-11-01T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }
const postings = {
  path: '/v4/posting/fbs/list',
  body: { cursor: '', limit: 100, sort_dir: 'ASC', filter: period, with: { analytics_data: true } },
}

const waitingPosting = ({ fake, account }: Stage) => fake.addOrder(account)
const packedPosting = ({ fake, account }: Stage) => fake.addOrder(account, { status: packed })

function shut({ fake, account }: Stage, why: 'offer' | 'blocked' | 'address') {
  fake.shut(account, why)
  return postings
}

/** A carriage with one posting. */
function carriage(stage: Stage, more: Partial<Carriage> = {}) {
  const posting = packedPosting(stage)
  const id = Number(stage.fake.addShipment(stage.account, { orders: [posting], ...more }))
  return { id, posting }
}

function ship({ fake, account }: Stage, posting: string) {
  const { itemId } = fake.addCard(account)
  const number = posting === '' ? fake.addOrder(account, { lines: [lineOf(itemId)] }) : posting
  const packages = [{ products: [{ product_id: itemId, quantity: 1 }] }]
  return { body: { posting_number: number, packages } }
}

const lineOf = (itemId: number) => ({ itemId, article: 'LP-7', barcode: '1', quantity: 1 })

const newCarriage = {
  body: { delivery_method_id: deliveryMethod.id, departure_date: '2026-11-20T12:00:00.000Z' },
}

/** A posting of goods that need a marking code. */
function marked({ fake, account }: Stage): string {
  const { itemId } = fake.addCard(account, { honestMark: true })
  return fake.addOrder(account, { lines: [lineOf(itemId)] })
}

const paths = {
  get: '/v6/fbs/posting/product/exemplar/create-or-get',
  set: '/v6/fbs/posting/product/exemplar/set',
}

async function productsOf(stage: Stage, posting_number: string): Promise<unknown> {
  const answer = await stage.ask(paths.get, { posting_number })
  return (answer as { products: unknown }).products
}

function country({ fake, account }: Stage, country_iso_code: string) {
  const { itemId, nmId } = fake.addCard(account)
  const posting_number = fake.addOrder(account, { lines: [lineOf(itemId)] })
  fake.injectFaults(account, posting_number, { unknownCodes: ['ZZ'] })
  return { body: { posting_number, product_id: nmId, country_iso_code } }
}

function boxes({ fake, account }: Stage, raw: object, status?: typeof packed) {
  const posting_number = fake.addOrder(account, { raw: { ...raw }, ...(status && { status }) })
  return { body: { posting_number, multi_box_qty: 3 } }
}

export const ozonTurns: TurnsByCall<Stage> = {
  any: {
    works: () => postings,
    refusals: {
      'too many calls': ({ fake }) => {
        fake.limitTo({ calls: 0, withinMs: 1000 })
        return postings
      },
      'a role is missing': ({ fake, account }) => {
        fake.refuse(account, 403)
        return postings
      },
      'the offer is not signed': (stage) => shut(stage, 'offer'),
      'the seller is blocked': (stage) => shut(stage, 'blocked'),
      'another address': (stage) => shut(stage, 'address'),
      'the call has ended': ({ fake }) => {
        fake.retire(postings.path)
        return postings
      },
      'the key is not valid': ({ fake, account }) => {
        fake.refuse(account, 401)
        return postings
      },
    },
  },
  'POST /v2/warehouse/list': { works: () => ({ body: { cursor: '', limit: 100 } }) },
  'POST /v1/roles': { works: () => ({ body: {} }) },
  'POST /v3/product/list': {
    works: ({ fake, account }) => {
      fake.addCard(account)
      return { body: { filter: all, last_id: '', limit: 500 } }
    },
  },
  'POST /v3/product/info/list': {
    works: ({ fake, account }) => ({
      body: { product_id: [String(fake.addCard(account).nmId)] },
    }),
  },
  'POST /v4/product/info/stocks': {
    works: ({ fake, account }) => {
      const { itemId } = fake.addCard(account)
      fake.setStock(account, { itemId, warehouse, quantity: 3 })
      return { body: { cursor: '', limit: 500, filter: all } }
    },
  },
  'POST /v2/product/info/stocks-by-warehouse/fbs': {
    works: ({ fake, account }) => {
      const { itemId } = fake.addCard(account)
      fake.setStock(account, { itemId, warehouse, quantity: 3 })
      return { body: { sku: [String(itemId)], limit: 1000, cursor: '' } }
    },
  },
  'POST /v4/posting/fbs/list': {
    works: (stage) => {
      marked(stage)
      packedPosting(stage)
      return postings
    },
  },
  'POST /v3/posting/fbs/get': {
    works: (stage) => ({ body: { posting_number: waitingPosting(stage) } }),
    refusals: { 'no such posting': () => ({ body: { posting_number: '1-1-1' } }) },
  },
  'POST /v4/posting/fbs/ship': {
    works: (stage) => ship(stage, ''),
    refusals: {
      'already packed': (stage) => ship(stage, packedPosting(stage)),
      cancelled: (stage) => {
        const status = { supplier: 'cancelled', buyer: 'posting_canceled' }
        return ship(stage, stage.fake.addOrder(stage.account, { status }))
      },
      'marks are missing': (stage) => {
        const asked = ship(stage, '')
        const faults = { undeclared: true }
        stage.fake.injectFaults(stage.account, asked.body.posting_number, faults)
        return asked
      },
    },
  },
  'POST /v2/carriage/delivery/list': {
    works: (stage) => {
      carriage(stage)
      const filter = { departure_date: '2026-11-20' }
      return { body: { cursor: '', filter, limit: 100 } }
    },
  },
  'POST /v1/carriage/get': {
    works: (stage) => ({ body: { carriage_id: carriage(stage).id } }),
  },
  'POST /v2/posting/fbs/act/get-postings': {
    works: (stage) => ({ body: { id: carriage(stage).id } }),
  },
  'POST /v1/carriage/create': {
    works: (stage) => {
      packedPosting(stage)
      return newCarriage
    },
    refusals: {
      'another one is open': (stage) => {
        stage.fake.restrictCarriages(stage.account)
        carriage(stage)
        packedPosting(stage)
        return newCarriage
      },
      'nothing is packed': (stage) => {
        stage.fake.restrictCarriages(stage.account)
        waitingPosting(stage)
        return newCarriage
      },
    },
  },
  'POST /v1/carriage/set-postings': {
    works: (stage) => {
      const { id, posting } = carriage(stage)
      return { body: { carriage_id: id, posting_numbers: [posting, waitingPosting(stage)] } }
    },
  },
  'POST /v1/carriage/cancel': {
    works: (stage) => ({ body: { carriage_id: carriage(stage).id } }),
  },
  'POST /v1/carriage/approve': {
    works: (stage) => ({ body: { carriage_id: carriage(stage).id } }),
  },
  'POST /v3/posting/fbs/package-label/create': {
    works: (stage) => ({ body: { posting_numbers: [packedPosting(stage)] } }),
  },
  'POST /v2/posting/fbs/package-label/get': {
    works: async (stage) => {
      const body = { posting_numbers: [packedPosting(stage)] }
      const answer = await stage.ask('/v3/posting/fbs/package-label/create', body)
      const { tasks } = answer as { tasks: { task_id: number }[] }
      return { body: { task_id: tasks[0]?.task_id } }
    },
  },
  'POST /v6/fbs/posting/product/exemplar/set': {
    works: async (stage) => {
      const posting_number = marked(stage)
      return { body: { posting_number, products: await productsOf(stage, posting_number) } }
    },
    refusals: {
      'not of a packed posting': async (stage) => {
        const status = { supplier: 'delivering', buyer: 'posting_on_way_to_city' }
        const posting_number = stage.fake.addOrder(stage.account, { status })
        return { body: { posting_number, products: await productsOf(stage, posting_number) } }
      },
    },
  },
  'POST /v6/fbs/posting/product/exemplar/create-or-get': {
    works: (stage) => ({ body: { posting_number: marked(stage) } }),
    refusals: {
      'all data is there': (stage) => {
        const posting_number = marked(stage)
        stage.fake.injectFaults(stage.account, posting_number, { alreadyDefined: true })
        return { body: { posting_number } }
      },
    },
  },
  'POST /v5/fbs/posting/product/exemplar/status': {
    works: async (stage) => {
      const posting_number = marked(stage)
      const products = (await productsOf(stage, posting_number)) as { exemplars: object[] }[]
      const mark = { mark: '0104660000000011217abCdEfGhIj', mark_type: 'mandatory_mark' }
      const filled = products.map(({ exemplars, ...product }) => ({
        ...product,
        exemplars: exemplars.map((exemplar) => ({ ...exemplar, marks: [mark] })),
      }))
      await stage.ask(paths.set, { posting_number, products: filled })
      return { body: { posting_number } }
    },
  },
  'POST /v3/posting/multiboxqty/set': {
    works: (stage) => boxes(stage, { is_multibox: true }),
    refusals: {
      'no goods of several boxes': (stage) => boxes(stage, {}),
      'packed already': (stage) => boxes(stage, { is_multibox: true }, packed),
    },
  },
  'POST /v1/fbs/posting/product/exemplar/update': {
    works: async (stage) => {
      const posting_number = packedPosting(stage)
      await stage.ask(paths.set, {
        posting_number,
        products: await productsOf(stage, posting_number),
      })
      return { body: { posting_number } }
    },
    refusals: { 'not packed': (stage) => ({ body: { posting_number: waitingPosting(stage) } }) },
  },
  'POST /v2/posting/fbs/product/country/set': {
    works: (stage) => country(stage, 'CN'),
    refusals: { 'an unknown country': (stage) => country(stage, 'ZZ') },
  },
  'POST /v2/posting/fbs/act/get-pdf': {
    works: (stage) => ({ body: { id: carriage(stage, { closedAt: ozonStageNow }).id } }),
    refusals: {
      'not made yet': (stage) => {
        const shipment = { closedAt: ozonStageNow, papersPending: true }
        return { body: { id: carriage(stage, shipment).id } }
      },
      'of an open carriage': (stage) => ({ body: { id: carriage(stage).id } }),
    },
  },
  'POST /v2/posting/fbs/act/check-status': {
    works: (stage) => ({ body: { id: carriage(stage, { closedAt: ozonStageNow }).id } }),
  },
  'POST /v2/posting/fbs/act/get-container-labels': {
    works: (stage) => ({ body: { id: carriage(stage, { places: 2 }).id } }),
    refusals: { 'no cargo places': (stage) => ({ body: { id: carriage(stage).id } }) },
  },
  'POST /v1/carriage/act-discrepancy/pdf': {
    works: (stage) => ({ body: { carriage_id: carriage(stage, { acceptedAt: ozonStageNow }).id } }),
    refusals: { 'nothing to say': (stage) => ({ body: { carriage_id: carriage(stage).id } }) },
  },
  'POST /v1/returns/list': {
    works: (stage) => {
      const { fake, account } = stage
      fake.addCard(account)
      const postingNumber = packedPosting(stage)
      for (const [id, state] of [
        [1, 'MovingToSeller'],
        [2, 'ArrivedAtReturnPlace'],
      ] as const) {
        fake.setReturn(account, { id, postingNumber, state, changedAt: ozonStageNow - 1000 })
      }
      return { body: { filter: { return_schema: 'FBS' }, limit: 500, last_id: 0 } }
    },
  },
  'POST /v1/return/giveout/barcode': { works: () => ({ body: {} }) },
  'POST /v2/posting/fbs/act/get-barcode': {
    works: (stage) => ({ body: { id: carriage(stage, { closedAt: ozonStageNow }).id } }),
  },
  'POST /v2/posting/fbs/act/get-barcode/text': {
    works: (stage) => ({ body: { id: carriage(stage, { closedAt: ozonStageNow }).id } }),
  },
}
