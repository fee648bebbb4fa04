import type { Work } from '../../../platform/db/work.ts'
import { invalidField } from '../../../platform/kernel/errors.ts'
import { type StoredBarcode, storedBarcodes } from '../../../warehouse/catalogue/products.ts'
import type { Marketplace } from '../../../warehouse/clients/marketplace.ts'
import type { OrderDraft, OrderLineDraft } from '../../../warehouse/orders/draft.ts'
import { type Intake, takeInOrders } from '../../../warehouse/orders/intake.ts'
import { lockOrderBook, lockOrders } from '../../../warehouse/orders/lock.ts'
import { applyReadings } from '../../../warehouse/orders/readings.ts'
import type { RawStatus } from '../../../warehouse/orders/state.ts'
import { readStatus } from './read-status.ts'

/**
 * An order that a manager enters or imports instead of a marketplace's report. It goes through the same
 * verbs as a sync. Of the raw status pair, a half that the manager leaves out keeps its value.
 */
export interface ManualOrder extends Omit<OrderDraft, 'reading'> {
  readonly cabinetId: string
  /** Undefined where the manager gives the order without a status. */
  readonly reported: RawStatus | undefined
}

/**
 * Takes in orders of one or several cabinets of a client, all or none. Throws validation_error for a
 * cabinet of another client.
 */
export async function takeInManualOrders(
  work: Work,
  clientId: string,
  orders: readonly ManualOrder[],
): Promise<Intake> {
  await lockOrderBook(work, clientId)
  const cabinets = await marketplacesOf(work, clientId, orders)
  const written = orders.flatMap(({ lines }) => lines.flatMap(({ barcode }) => barcode ?? []))
  const storedAs = await storedBarcodes(work.tx, clientId, written)
  let added = 0
  let changed = 0
  for (const [cabinetId, marketplace] of cabinets) {
    const own = orders.filter((order) => order.cabinetId === cabinetId)
    const pairs = await knownPairs(work, clientId, cabinetId, own)
    const drafts = own.map(({ reported, nmId, ...order }) => ({
      ...order,
      lines: order.lines.map((line) => withStoredBarcode(line, storedAs)),
      ...(nmId === undefined || marketplace !== 'WB' ? {} : { nmId }),
      reading: reported && readStatus(marketplace, { ...pairs.get(order.externalId), ...reported }),
    }))
    const intake = await takeInOrders(work, clientId, cabinetId, drafts)
    added += intake.added
    changed += intake.changed
  }
  return { added, changed }
}

/** The line with its product's barcode. */
function withStoredBarcode(line: OrderLineDraft, storedAs: StoredBarcode): OrderLineDraft {
  return line.barcode === undefined ? line : { ...line, barcode: storedAs(line.barcode) }
}

/** Sets the status of one order. Returns whether the status or the raw pair changed. */
export async function setStatusManually(
  work: Work,
  clientId: string,
  orderId: string,
  reported: RawStatus,
): Promise<boolean> {
  await lockOrderBook(work, clientId)
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order === undefined) return false
  const { cabinet_id: cabinetId, marketplace, external_id: externalId } = order
  const pair = pairOf(order.supplier_status, order.buyer_status)
  const reading = readStatus(marketplace, { ...pair, ...reported })
  const changed = await applyReadings(work, clientId, cabinetId, [{ externalId, reading }])
  return changed.length > 0
}

async function marketplacesOf(
  work: Work,
  clientId: string,
  orders: readonly ManualOrder[],
): Promise<ReadonlyMap<string, Marketplace>> {
  const ids = [...new Set(orders.map(({ cabinetId }) => cabinetId))]
  const rows = await work.tx<{ id: string; marketplace: Marketplace }[]>`
    select id, marketplace from cabinets
    where client_id = ${clientId} and id::text = any(${ids}) order by id`
  const known = new Map(rows.map(({ id, marketplace }) => [id, marketplace]))
  const unknown = orders.findIndex(({ cabinetId }) => !known.has(cabinetId))
  if (unknown >= 0) {
    throw invalidField(`[${unknown}].cabinet_id`, 'идентификатор кабинета этого клиента')
  }
  return known
}

async function knownPairs(
  work: Work,
  clientId: string,
  cabinetId: string,
  orders: readonly ManualOrder[],
): Promise<ReadonlyMap<string, RawStatus>> {
  const numbers = orders.flatMap(({ externalId, reported }) =>
    reported === undefined ? [] : [externalId],
  )
  const rows = await work.tx<{ number: string; supplier: string | null; buyer: string | null }[]>`
    select external_id as number, supplier_status as supplier, buyer_status as buyer from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id = any(${numbers})`
  return new Map(rows.map(({ number, supplier, buyer }) => [number, pairOf(supplier, buyer)]))
}

function pairOf(supplier: string | null, buyer: string | null): RawStatus {
  return {
    ...(supplier === null ? {} : { supplier }),
    ...(buyer === null ? {} : { buyer }),
  }
}
