import {
  count,
  flag,
  integer,
  list,
  midnight,
  moment,
  object,
  oneOf,
  optional,
  orNull,
  russian,
  type Shaped,
  share,
  text,
} from '../support/shape.ts'

/** The shapes of the public resources, as the specification defines them. */

export const marketplaces = ['WB', 'OZON'] as const
export const orderStatuses = [
  'NEW',
  'ASSEMBLING',
  'IN_DELIVERY',
  'COMPLETED',
  'CANCELLED',
  'OTHER',
] as const
export const shipmentStatuses = ['ASSEMBLING', 'HANDED_OVER', 'ACCEPTED'] as const
export const receiptStatuses = [
  'PENDING_CONFIRMATION',
  'EXPECTED',
  'RECEIVING',
  'RECEIVED',
  'RECEIVED_WITH_DISCREPANCY',
] as const
export const eventTypes = [
  'receipt.created',
  'receipt.confirmed',
  'receipt.status_changed',
  'receipt.completed',
  'shipment.status_changed',
  'order.status_changed',
] as const

const marketplace = oneOf(...marketplaces)
const orderStatus = oneOf(...orderStatuses)

export const meShape = object({
  client: object({ id: text, name: text, inn: optional(text) }),
  cabinets: list(
    object({
      id: text,
      marketplace,
      name: text,
      active: flag,
      synced_at: orNull(moment),
      sync_error: optional(russian),
    }),
  ),
  warehouse: object({ code: text, name: text }),
  key: object({
    id: text,
    name: text,
    preview: text,
    created_at: moment,
    last_used_at: orNull(moment),
  }),
})

export const stockShape = object({
  barcode: text,
  article: optional(text),
  name: text,
  quantity: count,
  available: count,
  in_question: count,
  reserved: count,
  boxes: count,
  pallets: count,
  marketplace_stock: list(
    object({
      marketplace,
      quantity: count,
      warehouse_id: optional(integer),
      warehouse_name: optional(text),
      synced_at: orNull(moment),
    }),
  ),
  updated_at: moment,
})

export const orderShape = object({
  id: text,
  marketplace,
  external_id: text,
  status: orderStatus,
  status_label: russian,
  marketplace_status: object({
    supplier: optional(text),
    buyer: optional(text),
    changed_at: optional(moment),
  }),
  article: optional(text),
  barcode: optional(text),
  nm_id: optional(integer),
  is_b2b: flag,
  shipment_id: orNull(text),
  shipment_external_id: orNull(text),
  created_at: moment,
  packed_at: orNull(moment),
  synced_at: orNull(moment),
})
export type Order = Shaped<typeof orderShape>

/** Beyond the specification. */
export const returnShape = object({
  id: text,
  number: text,
  status: oneOf('OPEN', 'FINISHED'),
  status_label: russian,
  qty: count,
  sellable_qty: count,
  in_question_qty: count,
  created_at: moment,
  finished_at: orNull(moment),
})

const shipmentFields = {
  id: text,
  marketplace,
  external_id: text,
  name: optional(text),
  status: oneOf(...shipmentStatuses),
  status_label: russian,
  orders_count: count,
  created_at: moment,
  closed_at: orNull(moment),
  accepted_at: orNull(moment),
}
/** As in the list. */
export const shipmentShape = object(shipmentFields)
export const shipmentWithOrders = object({ ...shipmentFields, orders: list(orderShape) })
export type Shipment = Shaped<typeof shipmentShape>

const receiptFields = {
  id: text,
  number: text,
  status: oneOf(...receiptStatuses),
  status_label: russian,
  expected_qty: count,
  accepted_qty: count,
  discrepancy_qty: count,
  created_at: moment,
  completed_at: orNull(moment),
  source: optional(oneOf('api', 'file', 'manual')),
  external_ref: optional(text),
  comment: optional(text),
  planned_date: orNull(midnight),
  confirmed_at: orNull(moment),
}
/** As in the list. */
export const receiptShape = object(receiptFields)
export const receiptWithItems = object({
  ...receiptFields,
  items: list(
    object({
      barcode: text,
      article: optional(text),
      name: text,
      honest_mark: optional(flag),
      expected_qty: count,
      accepted_qty: count,
      discrepancy_qty: count,
      shortage_reason: optional(russian),
    }),
  ),
})
export type Receipt = Shaped<typeof receiptShape>
export type ReceiptWithItems = Shaped<typeof receiptWithItems>

const reasons = list(object({ reason: text, label: russian, count }))
export const metricsShape = object({
  period: object({ from: moment, to: moment }),
  funnel: object({
    accepted: count,
    in_storage: count,
    shipped: count,
    sorted_by_marketplace: count,
    delivered: count,
    by_current_status: flag,
  }),
  storage: object({
    units: count,
    boxes: count,
    pallets: count,
    sku_count: count,
    in_question: count,
    received: count,
    shipped: count,
  }),
  receiving: object({
    receipts: count,
    expected_units: count,
    accepted_units: count,
    fill_rate: share,
    discrepancy_units: count,
    shortages_by_reason: reasons,
  }),
  shipments: object({
    orders_total: count,
    orders_by_status: list(object({ status: orderStatus, label: russian, count })),
    shipments_closed: count,
    units_shipped: count,
    cancelled: count,
    not_found: count,
    not_found_by_reason: reasons,
  }),
  notes: list(russian),
})
export type Metrics = Shaped<typeof metricsShape>

/** Settings of a service whose tests set the pace, not its limits and its robot. */
export const unhurried = {
  SANDBOX_ROBOT: 'off',
}

/** The same, and attempts of webhooks follow each other at once. */
export const manyWebhooks = {
  ...unhurried,
  WEBHOOK_TIMEOUT: '1s',
  WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 7 }, () => '20ms').join(','),
}
