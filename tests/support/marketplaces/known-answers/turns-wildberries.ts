import type { FakeWildberries } from '../wildberries.ts'
import type { Staged, TurnsByCall } from './turns.ts'

/** How the stand-in of WB is asked for each known answer. */

type Stage = Staged<FakeWildberries, 'WB'>

export const wildberriesStageNow = Date.parse('2026-11-20T12:00:00Z')

const page = { limit: 1000, next: 0 }
const warehouse = { id: 707001, name: 'Склад Клин' }
const confirmed = { supplier: 'confirm', buyer: 'waiting' }
const svg = { type: 'svg', width: 58, height: 40 }

function orderIn({ fake, account }: Stage, supplier = 'confirm') {
  return Number(fake.addOrder(account, { status: { supplier, buyer: 'waiting' } }))
}

/** An open supply with one order. */
function filled(stage: Stage): { id: string; order: string } {
  const order = stage.fake.addOrder(stage.account, { status: confirmed })
  return { id: stage.fake.addShipment(stage.account, { orders: [order] }), order }
}

function closed(stage: Stage): string {
  const { fake, account } = stage
  const closedAt = wildberriesStageNow - 3_600_000
  return fake.addShipment(account, { orders: [fake.addOrder(account)], closedAt })
}

const deliver = (id: string) => ({ path: `/api/v3/supplies/${id}/deliver` })
const marks = (order: string | number) => ({
  path: `/api/v3/orders/${order}/meta/sgtin`,
  body: { sgtins: ['0104660000000011217abCdEfGhIj'] },
})
const removedMark = (order: number, key: string) => ({
  path: `/api/v3/orders/${order}/meta`,
  query: { key },
})
const warehouses = { path: '/api/v3/warehouses' }

export const wildberriesTurns: TurnsByCall<Stage> = {
  any: {
    works: () => warehouses,
    refusals: {
      'the token is not valid': ({ fake, account }) => {
        fake.refuse(account, 401)
        return warehouses
      },
      'a service has to be paid': ({ fake }) => {
        fake.failNext(1, { status: 402 })
        return warehouses
      },
      'a category is missing': ({ fake, account }) => {
        fake.refuse(account, 403)
        return warehouses
      },
      '403, a base token': ({ fake, account }) => {
        fake.refusePath(account, warehouses.path, 'type')
        return warehouses
      },
      'the call is not there any more': ({ fake, account }) => {
        fake.refusePath(account, warehouses.path, 'withdrawn')
        return warehouses
      },
      'too many calls': ({ fake }) => {
        fake.limitTo({ burst: 0, intervalMs: 60_000 })
        return warehouses
      },
    },
  },
  'GET /api/v3/warehouses': {
    works: ({ fake, account }) => {
      fake.setStock(account, { itemId: 1, warehouse, quantity: 1 })
      return {}
    },
  },
  'POST /api/v3/stocks/{id}': {
    works: ({ fake, account }) => {
      fake.setStock(account, { itemId: 30200411, warehouse, quantity: 7 })
      return { path: '/api/v3/stocks/707001', body: { chrtIds: [30200411] } }
    },
  },
  'POST /content/v2/get/cards/list': {
    works: ({ fake, account }) => {
      fake.addCard(account)
      const sort = { ascending: true }
      return { body: { settings: { sort, filter: { withPhoto: -1 }, cursor: { limit: 100 } } } }
    },
  },
  'GET /api/v3/supplies/orders/reshipment': {
    works: (stage) => {
      const { id, order } = filled(stage)
      stage.fake.acceptWithout(stage.account, id, [order])
      return {}
    },
  },
  'GET /api/v3/orders/new': {
    works: (stage) => {
      orderIn(stage, 'new')
      return {}
    },
  },
  'GET /api/v3/orders': {
    works: (stage) => {
      orderIn(stage)
      filled(stage)
      const now = wildberriesStageNow / 1000
      return { query: { ...page, dateFrom: now - 86_400, dateTo: now } }
    },
    refusals: { 'a parameter is missing or wrong': () => ({ query: { next: 0 } }) },
  },
  'POST /api/v3/orders/status': {
    works: (stage) => ({ body: { orders: [orderIn(stage)] } }),
    refusals: { 'a wrong body': () => ({ body: { orders: [] } }) },
  },
  'POST /api/v3/orders/stickers': {
    works: (stage) => ({ query: svg, body: { orders: [orderIn(stage)] } }),
    refusals: {
      'one order has no customs declaration': (stage) => {
        const order = orderIn(stage)
        stage.fake.requireDeclaration(stage.account, String(order))
        return { query: svg, body: { orders: [order, orderIn(stage)] } }
      },
    },
  },
  'POST /api/marketplace/v3/orders/meta': {
    works: ({ fake, account }) => {
      const raw = { requiredMeta: ['uin'], optionalMeta: ['sgtin'] }
      return { body: { orders: [Number(fake.addOrder(account, { raw, status: confirmed }))] } }
    },
  },
  'DELETE /api/v3/orders/{id}/meta': {
    works: (stage) => removedMark(orderIn(stage), 'uin'),
    refusals: {
      'the order keeps it': (stage) => removedMark(orderIn(stage, 'complete'), 'uin'),
      'a key that is never removed': (stage) => removedMark(orderIn(stage), 'expiration'),
    },
  },
  'PUT /api/v3/orders/{id}/meta/sgtin': {
    works: (stage) => marks(orderIn(stage)),
    refusals: {
      'the order takes none now': (stage) => marks(orderIn(stage, 'complete')),
      'the goods need none': (stage) => {
        const order = orderIn(stage)
        stage.fake.refuseMarkingCodes(stage.account, String(order))
        return marks(order)
      },
    },
  },
  'GET /api/v3/supplies': {
    works: (stage) => {
      closed(stage)
      stage.fake.setShippingMethod(stage.account, filled(stage).id)
      stage.fake.addShipment(stage.account)
      return { query: page }
    },
  },
  'POST /api/v3/supplies': { works: () => ({ body: { name: 'Утро' } }) },
  'GET /api/v3/supplies/{id}': {
    works: (stage) => ({ path: `/api/v3/supplies/${filled(stage).id}` }),
    refusals: { 'no such supply': () => ({ path: '/api/v3/supplies/WB-GI-1' }) },
  },
  'DELETE /api/v3/supplies/{id}': {
    works: ({ fake, account }) => ({ path: `/api/v3/supplies/${fake.addShipment(account)}` }),
    refusals: {
      'the supply is busy': ({ fake, account }) => {
        const id = fake.addShipment(account)
        fake.keepBusy(account, id, 1)
        return { path: `/api/v3/supplies/${id}` }
      },
    },
  },
  'GET /api/marketplace/v3/supplies/{id}/order-ids': {
    works: (stage) => ({ path: `/api/marketplace/v3/supplies/${filled(stage).id}/order-ids` }),
  },
  'PATCH /api/marketplace/v3/supplies/{id}/orders': {
    works: (stage) => fill(stage, orderIn(stage, 'new')),
    refusals: {
      refused: (stage) => fill(stage, orderIn(stage, 'complete')),
      'the supply is busy': (stage) => {
        const asked = fill(stage, orderIn(stage, 'new'))
        stage.fake.keepBusy(stage.account, asked.id, 1)
        return asked
      },
    },
  },
  'PATCH /api/v3/supplies/{id}/deliver': {
    works: (stage) => deliver(filled(stage).id),
    refusals: {
      empty: ({ fake, account }) => deliver(fake.addShipment(account)),
      'a mark is wrong': (stage) => decided(stage, 'uinBadStatus'),
      'a mark is being checked': (stage) => decided(stage, 'pending'),
      'no box': (stage) => {
        const { id } = filled(stage)
        stage.fake.fulfil(stage.account, id)
        return deliver(id)
      },
      'no customs declaration': ({ fake, account }) => {
        const raw = { requiredMeta: ['customsDeclaration'] }
        const orders = [fake.addOrder(account, { raw, status: confirmed })]
        return deliver(fake.addShipment(account, { orders }))
      },
      'no shipping method': (stage) => {
        stage.fake.requireShippingMethod(stage.account)
        return deliver(filled(stage).id)
      },
    },
  },
  'PATCH /api/marketplace/v3/fbs/supplies/shipping-method': {
    works: (stage) => {
      const ids = [filled(stage).id, filled(stage).id]
      const data = ids.map((supplyId, at) => ({
        supplyId,
        shippingDt: at === 0 ? '2026-11-20' : '2026-11-01',
        shippingPointId: 100,
        shippingType: 'selfShipping',
      }))
      return { body: { data } }
    },
  },
  'GET /api/marketplace/v3/fbs/shipping-points': {
    works: () => ({ query: { city: 'Москва', cargoType: 1 } }),
    refusals: { 'without a city': () => ({ query: { cargoType: 1 } }) },
  },
  'POST /api/v3/supplies/{id}/trbx': {
    works: (stage) => boxes(stage, 1),
    refusals: { 'too many': (stage) => boxes(stage, 2) },
  },
  'GET /api/v3/supplies/{id}/barcode': {
    works: (stage) => ({
      path: `/api/v3/supplies/${closed(stage)}/barcode`,
      query: { type: 'svg' },
    }),
  },
}

function fill({ fake, account }: Stage, order: number) {
  const id = fake.addShipment(account)
  return { id, path: `/api/marketplace/v3/supplies/${id}/orders`, body: { orders: [order] } }
}

function boxes(stage: Stage, amount: number) {
  const { id } = filled(stage)
  stage.fake.setShippingMethod(stage.account, id, { shippingPointId: 200 })
  return { path: `/api/v3/supplies/${id}/trbx`, body: { amount } }
}

function decided(stage: Stage, decision: string) {
  const { id, order } = filled(stage)
  stage.fake.setCodeDecision(stage.account, order, decision)
  return deliver(id)
}
