/** Every address of the console, once. */
const root = '/staff/app'

export const paths = {
  today: root,
  receipts: `${root}/receipts`,
  receipt: `${root}/receipts/:id`,
  orders: `${root}/orders`,
  order: `${root}/orders/:id`,
  shipments: `${root}/shipments`,
  shipment: `${root}/shipments/:id`,
  picking: `${root}/picking`,
  pickingTask: `${root}/picking/:id`,
  stock: `${root}/stock`,
  movements: `${root}/movements`,
  lots: `${root}/lots`,
  returns: `${root}/returns`,
  return: `${root}/returns/:id`,
  expectedReturns: `${root}/expected-returns`,
  counts: `${root}/counts`,
  count: `${root}/counts/:id`,
  exceptions: `${root}/exceptions`,
  misses: `${root}/misses`,
  start: `${root}/start`,
  tariffs: `${root}/tariffs`,
  clients: `${root}/clients`,
  client: `${root}/clients/:id`,
  cabinets: `${root}/cabinets`,
  cabinet: `${root}/cabinets/:id`,
  locations: `${root}/locations`,
  location: `${root}/locations/:id`,
  map: `${root}/map`,
  boxes: `${root}/boxes`,
  box: `${root}/boxes/:id`,
  pallet: `${root}/pallets/:id`,
  figures: `${root}/figures`,
  notices: `${root}/notices`,
  shifts: `${root}/shifts`,
  users: `${root}/users`,
  devices: `${root}/devices`,
  warehouses: `${root}/warehouses`,
  reasons: `${root}/reasons`,
  printing: `${root}/printing`,
  printJobs: `${root}/print-jobs`,
  webhook: `${root}/webhooks/:id`,
  services: `${root}/services`,
  changes: `${root}/journal/changes`,
  calls: `${root}/journal/calls`,
  receiptRequests: `${root}/journal/receipts`,
  refusedReceipts: `${root}/journal/refused-receipts`,
  letters: `${root}/journal/letters`,
} as const

/** The page beside a printer, a surface of its own. */
export const stationPage = '/staff/print'

type WithId =
  | 'receipt'
  | 'order'
  | 'shipment'
  | 'pickingTask'
  | 'return'
  | 'count'
  | 'client'
  | 'cabinet'
  | 'location'
  | 'box'
  | 'pallet'
  | 'webhook'

/** The address of one object. */
export function pathOf(page: WithId, id: string, tab?: string): string {
  const path = paths[page].replace(':id', encodeURIComponent(id))
  return tab === undefined ? path : `${path}?tab=${tab}`
}

/** The address of a list with its filters. */
export function listOf(path: string, filters: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(filters)}`
}
