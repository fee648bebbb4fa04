import { isRejected, unlessRejected } from '../calls/failure.ts'
import type { ShipmentStanding, ShippedOrder, Shipping } from '../connector.ts'
import { postingsIn, remoteShipment, replacePostings, setPostings } from './carriages.ts'
import type { OzonClient } from './client.ts'
import { createCarriage, findTried, type Surroundings } from './creation.ts'
import { labelOf } from './labels.ts'
import { memberOf, stickerOf } from './mapper.ts'
import { attachMarks } from './marks.ts'
import { packAll } from './packing.ts'
import { withEach } from './waiting.ts'

/**
 * Carriages. A posting may join one when it is packed by OZON's book (awaiting_deliver), so joining
 * begins with that. A carriage holds a list of postings that is only ever replaced as a whole.
 */

const anyMarks = { marksMayFollow: true }

export function shippingOf(at: Surroundings): Shipping {
  const { client, time } = at
  return {
    create: (plan) => createCarriage(at, plan),

    find: (_mark, tried) =>
      tried === undefined ? Promise.resolve(undefined) : findTried(at, tried),

    async fill(externalId, orders, present = []) {
      const members = await postingsIn(client, externalId)
      const inside = new Set(members?.map(({ number }) => number))
      const missing = orders.filter((order) => !inside.has(order.externalId))
      const { packed } = await packAll(client, time, missing, anyMarks)
      if (packed.length === 0) return
      const before = members ?? (await membersAmong(client, present))
      const staying = before.flatMap(({ number, cancelled }) => (cancelled ? [] : number))
      const joining = packed.map(({ number }) => number)
      await replacePostings(client, externalId, staying, [...new Set([...staying, ...joining])])
    },

    async ordersOf(externalId) {
      return (await postingsIn(client, externalId))?.map(({ number }) => number)
    },

    standingOf: (externalId) => standingOf(client, externalId),

    async putAside(externalId, orders, present = []) {
      const members = await postingsIn(client, externalId)
      const before = members ?? (await membersAmong(client, present))
      const staying = before.flatMap(({ number }) => (orders.includes(number) ? [] : number))
      if (members !== undefined && staying.length === members.length) return
      await setPostings(client, externalId, staying)
    },

    takesOutOthers: true,

    async deliver(externalId, orders) {
      if (orders !== undefined) {
        if ((await standingOf(client, externalId)) === 'left') return
        await holdForLeaving(at, externalId, orders)
      }
      try {
        await client.approve(externalId)
      } catch (error) {
        if (!isRejected(error) || (await standingOf(client, externalId)) !== 'left') throw error
      }
    },

    attachMarks: (externalId, codes) => attachMarks(client, time, externalId, codes),

    stickers: (externalIds) =>
      withEach(externalIds, async (number) =>
        stickerOf(number, await labelOf(client, time, number)),
      ),

    async pass(externalId) {
      const file = await client.barcode(externalId)
      return stickerOf(externalId, file, await unlessRejected(client.barcodeText(externalId)))
    },
  }
}

/** The carriage has these orders and no others; those that are in it and packed cost no call. */
async function holdForLeaving(
  { client, time }: Surroundings,
  id: string,
  orders: readonly ShippedOrder[],
): Promise<void> {
  const members = await postingsIn(client, id)
  const ready = new Set(members?.flatMap(({ number, packed }) => (packed ? number : [])))
  const due = orders.filter(({ externalId }) => !ready.has(externalId))
  await packAll(client, time, due, { marksMayFollow: false })
  const leaving = new Set(orders.map(({ externalId }) => externalId))
  const inside = new Set(members?.map(({ number }) => number))
  if (members !== undefined && inside.symmetricDifference(leaving).size === 0) return
  await setPostings(client, id, [...leaving])
}

/** Where OZON does not tell what is in a carriage: of our orders those that may be. */
async function membersAmong(client: OzonClient, orders: readonly ShippedOrder[]) {
  const rows = await withEach(orders, ({ externalId }) => client.posting(externalId))
  return rows.map(memberOf).filter(({ packed }) => packed)
}

async function standingOf(client: OzonClient, id: string): Promise<ShipmentStanding> {
  const found = await remoteShipment(client, id, false)
  if (found === undefined || found.shipment.cancelled) return 'gone'
  return found.shipment.closedAt === undefined ? 'open' : 'left'
}
