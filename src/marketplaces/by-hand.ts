import type { Marketplace } from '../clients/marketplace.ts'
import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { lockOrderBook, lockOrders } from '../orders/change.ts'
import type { RawStatus } from '../orders/state.ts'
import { applyReadings, type Intake, type OrderDraft, takeInOrders } from '../orders/verbs.ts'
import { readStatus } from './status.ts'

/**
 * What managers tell in a marketplace's place, by hand or from an export: it ends in the same verbs
 * as a sync. A half of the raw pair that they do not tell stays what it was.
 */
export interface OrderByHand extends Omit<OrderDraft, 'reading'> {
  readonly cabinetId: string
  /** Undefined where only the order is told, and not how it stands. */
  readonly told: RawStatus | undefined
}

/**
 * Takes orders in, of one or several cabinets of a client: all of them or none. Throws
 * validation_error for a cabinet that is not the client's.
 */
export async function takeInByHand(
  work: Work,
  clientId: string,
  orders: readonly OrderByHand[],
): Promise<Intake> {
  await lockOrderBook(work, clientId)
  const cabinets = await marketplacesOf(work, clientId, orders)
  let added = 0
  let changed = 0
  for (const [cabinetId, marketplace] of cabinets) {
    const own = orders.filter((order) => order.cabinetId === cabinetId)
    const pairs = await knownPairs(work, clientId, cabinetId, own)
    const drafts = own.map(({ told, nmId, ...order }) => ({
      ...order,
      ...(nmId === undefined || marketplace !== 'WB' ? {} : { nmId }),
      reading: told && readStatus(marketplace, { ...pairs.get(order.externalId), ...told }),
    }))
    const intake = await takeInOrders(work, clientId, cabinetId, drafts)
    added += intake.added
    changed += intake.changed
  }
  return { added, changed }
}

/** Tells how one order stands. Returns whether its status or raw pair became another. */
export async function tellByHand(
  work: Work,
  clientId: string,
  orderId: string,
  told: RawStatus,
): Promise<boolean> {
  await lockOrderBook(work, clientId)
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order === undefined) return false
  const { cabinet_id: cabinetId, marketplace, external_id: externalId } = order
  const pair = pairOf(order.supplier_status, order.buyer_status)
  const reading = readStatus(marketplace, { ...pair, ...told })
  return (await applyReadings(work, clientId, cabinetId, [{ externalId, reading }])) > 0
}

async function marketplacesOf(
  work: Work,
  clientId: string,
  orders: readonly OrderByHand[],
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
  orders: readonly OrderByHand[],
): Promise<ReadonlyMap<string, RawStatus>> {
  const numbers = orders.flatMap(({ externalId, told }) => (told === undefined ? [] : [externalId]))
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
