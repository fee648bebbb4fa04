import type { ReportedShipment } from '../../../warehouse/shipments/mirror.ts'
import { chunksOf } from '../calls/chunks.ts'
import { isRejected } from '../calls/failure.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { parseSupply } from './answers/supplies.ts'
import { type WildberriesClient, wildberriesIdsMax, wildberriesPages } from './client.ts'

/**
 * Supplies that hold the orders removed from other supplies: WB removes an order from a supply only
 * by moving it to another one. A leftover supply is no shipment of the service.
 */
const leftover = { reference: 'SK-REST', name: 'SK-REST Остаток' }

export function isLeftoverSupply(supply: ReportedShipment): boolean {
  return hasReference(supply, leftover.reference)
}

/** Whether the supply's name is the reference, or begins with it and a space. */
export function hasReference({ name = '' }: ReportedShipment, reference: string): boolean {
  return name === reference || name.startsWith(`${reference} `)
}

/**
 * Moves orders out of a supply, into the first open leftover supply that takes them, or a new one:
 * a supply holds orders of one warehouse and one kind of cargo.
 */
export async function moveToLeftoverSupply(
  client: WildberriesClient,
  from: string,
  orders: readonly string[],
): Promise<void> {
  for (const id of await openLeftoverSupplies(client, from)) {
    if (await tryMoveInto(client, id, orders)) return
  }
  await moveInto(client, await client.createSupply(leftover.name), orders)
}

async function openLeftoverSupplies(client: WildberriesClient, except: string): Promise<string[]> {
  const found: string[] = []
  for await (const { items } of wildberriesPages((next) => client.supplies(next))) {
    const supplies = openPartialReader().each(items, (supply) => parseSupply(supply))
    for (const supply of supplies) {
      const isOpen = supply.closedAt === undefined && supply.externalId !== except
      if (isOpen && isLeftoverSupply(supply)) found.push(supply.externalId)
    }
  }
  return found
}

/** False if WB refuses the orders in this supply. */
async function tryMoveInto(
  client: WildberriesClient,
  id: string,
  orders: readonly string[],
): Promise<boolean> {
  try {
    await moveInto(client, id, orders)
    return true
  } catch (error) {
    if (isRejected(error)) return false
    throw error
  }
}

/** Moves orders into a supply from any other supply. Orders that are already in it stay. */
async function moveInto(
  client: WildberriesClient,
  id: string,
  orders: readonly string[],
): Promise<void> {
  for (const ids of chunksOf(orders, wildberriesIdsMax.fill)) await client.fillSupply(id, ids)
}
