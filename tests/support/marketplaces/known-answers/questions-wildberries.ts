import { mustFind } from '../must-find.ts'
import type { KnownCase } from './format.ts'
import { done, listed, ok, type Question, type Questions, refusedAmong } from './outcome.ts'

/** How to ask the WB connector so that it makes each known call. */

const day = 24 * 3_600_000
export const wildberriesNow = Date.parse('2026-11-20T12:00:00Z')
const from = wildberriesNow - 10 * day
const supplyId = 'WB-GI-70034512'
const orders = [{ externalId: '612004481', units: 1 }]

const newOrders = 'GET /api/v3/orders/new'
const orderList = 'GET /api/v3/orders'
const statuses = 'POST /api/v3/orders/status'
const supplies = 'GET /api/v3/supplies'
const supply = 'GET /api/v3/supplies/{id}'
const orderIds = 'GET /api/marketplace/v3/supplies/{id}/order-ids'
const deliver = 'PATCH /api/v3/supplies/{id}/deliver'
const shippingMethod = 'PATCH /api/marketplace/v3/fbs/supplies/shipping-method'

const noOrders = ok({ next: 0, orders: [] })
const noSupplies = ok({ next: 0, supplies: [] })
const openSupply = ok({
  id: supplyId,
  done: false,
  createdAt: '2026-11-20T05:12:40Z',
  closedAt: null,
  scanDt: null,
  name: 'Утро',
  cargoType: 1,
})
const method = { pointId: 50110023, type: 'selfShipping', date: '2026-11-20' }

/** Statuses of all orders of an answer. */
function statusesOf({ answer }: KnownCase) {
  const { orders: rows = [] } = { ...(answer.body as { orders?: { id: number }[] }) }
  return ok({
    orders: rows.map(({ id }) => ({ id, supplierStatus: 'confirm', wbStatus: 'waiting' })),
  })
}

async function* goods() {
  yield [
    { itemId: 30200411, barcode: '4660000000011' },
    { itemId: 30200412, barcode: '4660000000028' },
  ]
}

const listOrders: Question = {
  ask: (connector) => listed(connector.orders(from)),
  beside: (one) => ({ [newOrders]: noOrders, [orderList]: noOrders, [statuses]: statusesOf(one) }),
  afterwards: [noOrders],
}
const listStock: Question = {
  ask: (connector) => listed(connector.stock(goods())),
  beside: {
    'GET /api/v3/warehouses': ok([{ id: 707001, name: 'Склад Клин', deliveryType: 1 }]),
    'POST /api/v3/stocks/{id}': ok({ stocks: [{ chrtId: 30200412, amount: 3 }] }),
  },
}

export const wildberriesQuestions: Questions = {
  any: { call: 'GET /api/v3/warehouses', ask: (connector) => connector.access() },
  'GET /api/v3/warehouses': listStock,
  'POST /api/v3/stocks/{id}': listStock,
  'POST /content/v2/get/cards/list': {
    ask: (connector) => listed(connector.cards(undefined)),
    afterwards: [ok({ cards: [], cursor: { total: 0 } })],
  },
  [newOrders]: listOrders,
  [orderList]: listOrders,
  [statuses]: {
    ask: (connector, { request }) => {
      const { orders: ids = [612004481] } = { ...(request?.body as { orders?: number[] }) }
      return listed(connector.statuses(ids.map(String)))
    },
  },
  'GET /api/v3/supplies/orders/reshipment': {
    ask: (connector) => listed(mustFind(connector.reshipments?.(), 'reshipment list')),
  },
  [supplies]: {
    ask: (connector) => listed(connector.shipments({ from, openFrom: from, known: [] })),
    beside: { [orderIds]: ok({ orderIds: [612004481] }) },
    afterwards: [noSupplies],
  },
  [supply]: {
    ask: (connector) => {
      const known = [{ externalId: supplyId, closed: false }]
      return listed(connector.shipments({ from, openFrom: from, known }))
    },
    beside: { [supplies]: noSupplies, [orderIds]: ok({ orderIds: [612004481] }) },
  },
  [orderIds]: { ask: ({ shipping }) => shipping.ordersOf(supplyId) },
  'POST /api/v3/supplies': {
    ask: ({ shipping }) => shipping.create({ name: 'Утро', reference: 'SK-1' }),
  },
  'DELETE /api/v3/supplies/{id}': {
    ask: (connector) => {
      const abandonedReferences = ['SK-0123456789AB']
      return listed(connector.shipments({ from, openFrom: from, known: [], abandonedReferences }))
    },
    beside: {
      [supplies]: [
        ok({
          next: 1,
          supplies: [{ ...(openSupply.body as object), name: 'SK-0123456789AB Утро' }],
        }),
        noSupplies,
      ],
      [orderIds]: ok({ orderIds: [] }),
    },
  },
  'PATCH /api/marketplace/v3/supplies/{id}/orders': {
    ask: ({ shipping }) => refusedAmong(shipping.addOrders(supplyId, orders)),
    beside: {
      [orderIds]: ok({ orderIds: [] }),
      [statuses]: ok({ orders: [{ id: 612004481, supplierStatus: 'new', wbStatus: 'waiting' }] }),
      [supply]: openSupply,
    },
  },
  [deliver]: {
    ask: ({ shipping }) => shipping.handOver(supplyId),
    beside: { [supply]: openSupply, [supplies]: noSupplies },
  },
  [shippingMethod]: {
    ask: async ({ shipping }) => shipping.destinations?.send(supplyId, method),
  },
  'GET /api/marketplace/v3/fbs/shipping-points': {
    ask: async ({ shipping }) => shipping.destinations?.points('Тверь', 1),
  },
  'POST /api/v3/supplies/{id}/trbx': {
    ask: async ({ shipping }) => shipping.destinations?.addBoxes(supplyId, 1),
  },
  'GET /api/v3/supplies/{id}/barcode': { ask: ({ shipping }) => shipping.pass(supplyId) },
  'POST /api/v3/orders/stickers': { ask: ({ shipping }) => shipping.stickers(['612004481']) },
  'POST /api/marketplace/v3/orders/meta': {
    ask: ({ shipping }) =>
      shipping.attachMarks([
        {
          externalId: '4511057',
          units: [{ itemId: null, markingCode: null, marks: { imei: '490154203237518' } }],
        },
      ]),
    beside: { 'PUT /api/v3/orders/{id}/meta/imei': done },
  },
  'DELETE /api/v3/orders/{id}/meta': {
    ask: ({ shipping }) =>
      shipping.attachMarks([
        {
          externalId: '4511057',
          units: [{ itemId: null, markingCode: null, marks: {} }],
          formerUnits: [{ itemId: null, markingCode: null, marks: { uin: '8000000000000001' } }],
        },
      ]),
    beside: {
      'POST /api/marketplace/v3/orders/meta': ok({
        orders: [{ id: 4511057, metaDetails: [{ key: 'uin', value: '8000000000000001' }] }],
      }),
    },
  },
  'PUT /api/v3/orders/{id}/meta/sgtin': {
    ask: ({ shipping }) =>
      shipping.attachMarks([
        {
          externalId: '612004481',
          units: [{ itemId: null, markingCode: '0104660000000011217abCdEfGhIj', marks: {} }],
        },
      ]),
    beside: {
      [statuses]: ok({
        orders: [{ id: 612004481, supplierStatus: 'complete', wbStatus: 'waiting' }],
      }),
    },
  },
}
