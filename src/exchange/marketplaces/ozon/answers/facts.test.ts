import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePostingOrder } from './postings.ts'

const posting = {
  posting_number: '33920143-0018-1',
  status: 'awaiting_packaging',
  in_process_at: '2026-11-20T07:00:00Z',
  products: [
    { sku: 100, offer_id: 'A-1', quantity: 2 },
    { sku: '200', offer_id: '', quantity: 1 },
  ],
}
const full = {
  ...posting,
  shipment_date: '2026-11-21T09:00:00Z',
  shipment_date_without_delay: '2026-11-21T16:59:00Z',
  delivery_method: { id: 7, warehouse_id: '20605650762000', warehouse: 'Склад' },
  delivery_schema: 'fbs',
  tpl_integration_type: 'ozon',
  integration_type_flow: 'ozon',
  cancellation: { cancel_reason: 'Передумал', cancellation_initiator: 'Покупатель' },
  available_actions: ['ship', 'cancel'],
  scanit: 'ii30525117479',
  barcodes: { upper_barcode: '%101%1', lower_barcode: '1' },
  parent_posting_number: '33920143-0018',
  related_postings: { related_posting_numbers: ['33920143-0018-2'] },
  multi_box_qty: 2,
  requirements: {
    products_requiring_mandatory_mark: ['100'],
    products_requiring_jw_uin: [],
    products_requiring_gtd: [200],
    products_requiring_change_country: ['200'],
    products_requiring_blessing: ['100', '200'],
  },
  optional: { products_with_possible_mandatory_mark: ['200'] },
}

test('facts are read as OZON documents them', () => {
  assert.deepEqual(parsePostingOrder(full).facts, {
    deadline: Date.parse('2026-11-21T16:59:00Z'),
    deadlineWithoutDelay: Date.parse('2026-11-21T16:59:00Z'),
    latenessCosts: undefined,
    warehouseId: '20605650762000',
    warehouseName: 'Склад',
    scheme: 'fbs',
    cancelReason: 'Передумал',
    cancelledBy: 'Покупатель',
    cancellable: true,
    labelCodes: ['ii30525117479', '%101%1', '1'],
    parentNumber: '33920143-0018',
    relatedNumbers: ['33920143-0018-2'],
    boxes: 2,
    // Only the single posting says it.
    needsBoxes: undefined,
  })
})

test('facts include the marks of each product; an unknown kind keeps its name', () => {
  const [tea, other] = parsePostingOrder(full).lines
  assert.deepEqual([tea?.requiredMarks, tea?.optionalMarks], [['marking_code', 'blessing'], []])
  assert.deepEqual(other?.requiredMarks, ['customs_declaration', 'country', 'blessing'])
  assert.deepEqual(other?.optionalMarks, ['marking_code'])
  const vague = { requirements: { products_requiring_imei: ['300'] } }
  const marks = parsePostingOrder({ ...posting, ...vague }).lines.map((line) => line.requiredMarks)
  assert.deepEqual(marks, [['imei'], ['imei']])
  assert.equal(parsePostingOrder(posting).lines[0]?.requiredMarks, undefined)
})

test('facts name the scheme of an order that the seller ships', () => {
  const schemeOf = (change: object) => parsePostingOrder({ ...posting, ...change }).facts?.scheme
  assert.equal(schemeOf({}), undefined)
  assert.equal(schemeOf({ tpl_integration_type: 'ozon' }), undefined)
  assert.equal(schemeOf({ integration_type_flow: 'ozon', tpl_integration_type: 'ozon' }), 'fbs')
  assert.equal(schemeOf({ delivery_schema: 'FBS' }), 'fbs')
  assert.equal(schemeOf({ tpl_integration_type: '3pl_tracking' }), '3pl_tracking')
  const mixed = { tpl_integration_type: 'hybrid', integration_type_flow: 'hybrid_non_integrated' }
  assert.equal(schemeOf({ ...mixed, delivery_schema: 'fbs' }), 'hybrid_non_integrated')
  assert.equal(schemeOf({ delivery_schema: 'rFBS' }), 'rfbs')
  for (const flow of ['hybrid', 'hybrid_3pl_tracking', 'click_and_collect', 'by_drone']) {
    assert.equal(schemeOf({ delivery_schema: 'fbs', integration_type_flow: flow }), flow)
  }
})

test('facts in a broken shape count as not reported, and empty ones as none', () => {
  const broken = Object.fromEntries(Object.keys(full).map((name) => [name, 7]))
  const { facts } = parsePostingOrder({ ...broken, ...posting })
  assert.deepEqual(
    Object.entries(facts ?? {}).filter(([, value]) => value !== undefined),
    [
      ['scheme', '7'],
      ['labelCodes', ['7']],
      ['parentNumber', '7'],
      ['boxes', 7],
    ],
  )
  const empty = parsePostingOrder({
    ...full,
    shipment_date: null,
    shipment_date_without_delay: null,
    tariffication: null,
    tariffication_steps: [],
    cancellation: { cancel_reason: '', cancellation_initiator: '', cancellation_type: '' },
    available_actions: null,
    parent_posting_number: '',
    related_postings: null,
  }).facts
  assert.deepEqual([empty?.deadline, empty?.cancelReason, empty?.cancelledBy], [null, null, null])
  assert.equal(empty?.latenessCosts, null)
  assert.equal(
    parsePostingOrder({ ...full, shipment_date_without_delay: null }).facts?.deadline,
    Date.parse('2026-11-21T09:00:00Z'),
  )
  assert.deepEqual([empty?.cancellable, empty?.parentNumber], [false, null])
  assert.deepEqual(empty?.relatedNumbers, [])
})
