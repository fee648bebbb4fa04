import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planDay, type WaitingOrder } from './day-shipment.ts'

const sets = new Map([['KIT', { parts: [{ barcode: 'CUP', name: 'CUP', qty: 2 }] }]])
const kind = { cargo: null, warehouse: null, border: null, company: 'не компания' }

function order(number: string, goods: Readonly<Record<string, number>>, more = {}): WaitingOrder {
  const lines = Object.entries(goods).map(([barcode, units]) => ({ barcode, name: null, units }))
  return {
    order_id: number,
    external_id: number,
    deadline: null,
    foreign: false,
    lines,
    ...kind,
    ...more,
  }
}

function planned(
  orders: readonly WaitingOrder[],
  free: Readonly<Record<string, number>>,
  marketplace: 'WB' | 'OZON' = 'WB',
) {
  const { leaving, staying } = planDay(
    orders,
    { units: new Map(Object.entries(free)), sets },
    marketplace,
  )
  return [
    leaving.map(({ external_id: number }) => number),
    Object.fromEntries(staying.map(({ external_id: number, reason }) => [number, reason])),
  ]
}

test('goods go to orders in their order; one that lacks some leaves them to the next', () => {
  const orders = [order('1', { A: 1 }), order('2', { A: 1, B: 1 }), order('3', { A: 1 })]
  assert.deepEqual(planned(orders, { A: 2 }), [
    ['1', '3'],
    { 2: 'не хватает: B (нужно 1, свободно 0)' },
  ])
})

test('an order with the same goods in two lines wants both', () => {
  const lines = [1, 2].map((units) => ({ barcode: 'A', name: 'Кружка', units }))
  assert.deepEqual(planned([order('1', {}, { lines })], { A: 2 }), [
    [],
    { 1: 'не хватает: Кружка (нужно 3, свободно 2)' },
  ])
})

test('what nobody here can collect stays, and says why', () => {
  const unknown = { lines: [{ barcode: null, name: null, units: 1 }] }
  const orders = [order('1', { A: 1 }, { foreign: true }), order('2', {}, unknown)]
  assert.deepEqual(planned(orders, { A: 5 }), [
    [],
    { 1: 'едет не с этого склада', 2: 'штрихкод товара не указан' },
  ])
})

test('the first order that leaves decides the kind of the others, by the rules of its marketplace', () => {
  const orders = [
    order('1', { B: 1 }, { cargo: 'СГТ' }),
    order('2', { A: 1 }, { cargo: 'МГТ' }),
    order('3', { A: 1 }),
    order('4', { A: 1 }, { cargo: 'СГТ' }),
    order('5', { A: 1 }, { company: 'компания' }),
  ]
  assert.deepEqual(planned(orders, { A: 9 }), [
    ['2', '3'],
    {
      1: 'не хватает: B (нужно 1, свободно 0)',
      4: 'в другую отгрузку: габаритный тип СГТ, а нужен МГТ',
      5: 'в другую отгрузку: покупатель компания, а нужен не компания',
    },
  ])
  assert.deepEqual(planned(orders, { A: 9, B: 9 }, 'OZON'), [['1', '2', '3', '4', '5'], {}])
})

test('a set takes those that lie ready, then parts, and leaves none for the next order', () => {
  const orders = [order('1', { KIT: 2 }), order('2', { CUP: 1 }), order('3', { KIT: 1 })]
  assert.deepEqual(planned(orders, { KIT: 1, CUP: 4 }), [
    ['1', '2'],
    { 3: 'не хватает: KIT (нужно 1, свободно 0, из частей выйдет 0)' },
  ])
})
