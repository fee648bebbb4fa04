/** Every address of the account, once. */
const root = '/account'

export const paths = {
  overview: root,
  stock: `${root}/stock`,
  stockItem: (barcode: string) => `${root}/stock/${encodeURIComponent(barcode)}`,
  movements: `${root}/movements`,
  /** Of one product. */
  movementsOf: (barcode: string) => `${root}/movements?barcode=${encodeURIComponent(barcode)}`,
  sales: `${root}/sales`,
  cover: `${root}/cover`,
  lots: `${root}/lots`,
  lotsOf: (barcode: string) => `${root}/lots?barcode=${encodeURIComponent(barcode)}`,
  orders: `${root}/orders`,
  order: (id: string) => `${root}/orders/${id}`,
  receipts: `${root}/receipts`,
  receipt: (id: string) => `${root}/receipts/${id}`,
  changedReceipt: (id: string) => `${root}/receipts/${id}/change`,
  newReceipt: `${root}/receipts/new`,
  /** With so many units of the product. */
  broughtGoods: (barcode: string, qty: number) =>
    `${root}/receipts/new?goods=${encodeURIComponent(barcode)}&qty=${qty}`,
  ordersOf: (barcode: string) => `${root}/orders?barcode=${encodeURIComponent(barcode)}`,
  shipments: `${root}/shipments`,
  shipment: (id: string) => `${root}/shipments/${id}`,
  returns: `${root}/returns`,
  returnBatch: (id: string) => `${root}/returns/${id}`,
  metrics: `${root}/metrics`,
  /** Of the days from the first to the last. */
  metricsOf: (from: string, to: string) => `${root}/metrics?from=${from}&to=${to}`,
  money: `${root}/money`,
  moneyOf: (month: string) => `${root}/money?month=${month}`,
  keys: `${root}/keys`,
  webhooks: `${root}/webhooks`,
  /** With the address filled in. */
  webhookTo: (url: string) => `${root}/webhooks?url=${encodeURIComponent(url)}`,
  webhook: (id: string) => `${root}/webhooks/${id}`,
  events: `${root}/events`,
  calls: `${root}/calls`,
  users: `${root}/users`,
  notices: `${root}/notices`,
  /** Where letters lead. */
  open: `${root}/open`,
  security: `${root}/security`,
  sandbox: `${root}/sandbox`,
  receiver: (id: string) => `${root}/sandbox?receiver=${id}`,
  invitation: `${root}/invitation`,
  password: `${root}/password`,
} as const
