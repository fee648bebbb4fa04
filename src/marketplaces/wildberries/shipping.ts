import { textOf } from '../answer.ts'
import type { Shipping } from '../connector.ts'
import { MarketplaceError } from '../failure.ts'
import { allPages, idsMax, inPieces, type WildberriesClient } from './client.ts'
import { shipmentOf, stickerOf } from './mapper.ts'

/** Our shipments as supplies of WB: the mark is the first word of a supply's name. */

const nameLengthMax = 128

export function shippingOf(client: WildberriesClient): Shipping {
  return {
    async create({ name, mark }) {
      const full = `${mark} ${name}`.trim().slice(0, nameLengthMax).toWellFormed()
      const { askedAt, id } = await client.createSupply(full)
      const open = { closedAt: undefined, acceptedAt: undefined, cancelled: false, orders: [] }
      return { externalId: id, name: full, createdAt: askedAt, ...open }
    },

    async find(mark) {
      for await (const { items } of allPages((next) => client.supplies(next))) {
        const found = items
          .map((supply) => shipmentOf(supply))
          .find(({ name = '' }) => name === mark || name.startsWith(`${mark} `))
        if (found !== undefined) return found
      }
      return undefined
    },

    async fill(externalId, orders) {
      const inside = new Set(await client.ordersOf(externalId))
      const missing = orders.map((order) => order.externalId).filter((id) => !inside.has(id))
      for (const ids of inPieces([...new Set(missing)], idsMax.fill)) {
        await client.fillSupply(externalId, ids)
      }
    },

    ordersOf: (externalId) => client.ordersOf(externalId),

    async deliver(externalId) {
      try {
        await client.deliverSupply(externalId)
      } catch (error) {
        if (!(error instanceof MarketplaceError) || error.kind !== 'rejected') throw error
        const { fields } = await client.supply(externalId)
        if (shipmentOf(fields).closedAt === undefined) throw error
      }
    },

    attachMarks: (externalId, codes) => client.attachMarks(externalId, codes),

    async stickers(externalIds) {
      const found = []
      for (const ids of inPieces(externalIds, idsMax.stickers)) {
        const stickers = await client.stickers(ids)
        found.push(...stickers.map((sticker) => stickerOf(textOf(sticker, 'orderId'), sticker)))
      }
      return found
    },

    async pass(externalId) {
      return stickerOf(externalId, await client.barcodeOf(externalId))
    },
  }
}
