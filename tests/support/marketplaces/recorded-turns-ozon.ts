import type { FakeOzon } from './ozon.ts'
import { deliveryMethod } from './ozon-state.ts'
import type { Staged, TurnsByCall } from './recorded-turns.ts'

/** How the stand-in of OZON is asked for each recorded answer. */

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

/** A carriage with one posting. */
function carriage(stage: Stage, closedAt?: number) {
  const posting = packedPosting(stage)
  const id = Number(stage.fake.addShipment(stage.account, { orders: [posting], closedAt }))
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
        carriage(stage)
        packedPosting(stage)
        return newCarriage
      },
      'nothing is packed': (stage) => {
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
  'POST /v2/posting/fbs/package-label': {
    works: (stage) => ({ body: { posting_number: [packedPosting(stage)] } }),
    refusals: {
      'not ready yet': (stage) => {
        const posting = packedPosting(stage)
        stage.fake.injectFaults(stage.account, posting, { labelPending: true })
        return { body: { posting_number: [posting] } }
      },
      withdrawn: (stage) => {
        stage.fake.retire('/v2/posting/fbs/package-label')
        return { body: { posting_number: [packedPosting(stage)] } }
      },
    },
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
      const path = '/v6/fbs/posting/product/exemplar/create-or-get'
      const { products } = (await stage.ask(path, { posting_number })) as { products: unknown }
      return { body: { posting_number, products } }
    },
  },
  'POST /v6/fbs/posting/product/exemplar/create-or-get': {
    works: (stage) => ({ body: { posting_number: marked(stage) } }),
  },
  'POST /v5/fbs/posting/product/exemplar/status': {
    works: (stage) => ({ body: { posting_number: marked(stage) } }),
  },
  'POST /v2/posting/fbs/act/get-barcode': {
    works: (stage) => ({ body: { id: carriage(stage, ozonStageNow).id } }),
  },
  'POST /v2/posting/fbs/act/get-barcode/text': {
    works: (stage) => ({ body: { id: carriage(stage, ozonStageNow).id } }),
  },
}
