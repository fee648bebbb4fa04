import type { ToldShipment } from '../../shipments/mirror.ts'
import { type Fields, openReading, textOf } from '../calls/answer.ts'
import { following, isRejected, unlessMissing } from '../calls/failure.ts'
import { inPieces } from '../calls/pages.ts'
import type { ShipmentStanding, Shipping } from '../connector.ts'
import { allPages, idsMax, type WildberriesClient } from './client.ts'
import { refuseBarred, refuseInNone, withoutCancelled } from './joining.ts'
import { orderIdsOf, shipmentOf, stickerOf } from './mapper.ts'
import { attachMarks } from './marks.ts'
import { retold } from './refusals.ts'
import { carryMethodOn, methodRequired, methodUnnamed } from './shipping-method.ts'

/** Our shipments as supplies of WB: the mark is the first word of a supply's name. */

const nameLengthMax = 128

/** The supply for what was taken out of others: WB takes an order out by moving it, in no other way. */
const rest = { mark: 'SK-REST', name: 'SK-REST Остаток' }

export function shippingOf(client: WildberriesClient): Shipping {
  return {
    async create({ name, mark }) {
      const full = `${mark} ${name}`.trim().slice(0, nameLengthMax).toWellFormed()
      return client.createSupply(full)
    },

    find: (mark) => findMarked(client, mark),

    async fill(externalId, orders) {
      const inside = new Set(await ordersOf(client, externalId))
      const named = new Set(orders.map((order) => order.externalId))
      const missing = [...named.difference(inside)]
      await refuseBarred(client, missing)
      try {
        await moveInto(client, externalId, missing)
      } catch (error) {
        throw (await leftBefore(client, externalId, error)) ?? error
      }
    },

    ordersOf: (externalId) => ordersOf(client, externalId),

    async putAside(externalId, orders) {
      const inside = new Set(await ordersOf(client, externalId))
      const moving = await withoutCancelled(client, [...new Set(orders).intersection(inside)])
      if (moving.length === 0) return
      for (const id of await openRests(client, externalId)) {
        if (await movesInto(client, id, moving)) return
      }
      await moveInto(client, await client.createSupply(rest.name), moving)
    },

    standingOf: (externalId) => standingOf(client, externalId),

    deliver: (externalId) => deliver(client, externalId),

    attachMarks: (externalId, codes) => attachMarks(client, externalId, codes),

    async stickers(externalIds) {
      const reading = openReading()
      const read = (sticker: Fields) => stickerOf(textOf(sticker, 'orderId'), sticker)
      const found = []
      for (const ids of inPieces(externalIds, idsMax.stickers)) {
        found.push(...reading.of(await client.stickers(ids), read))
      }
      // Those that are good can be printed; without any it shows why.
      if (found.length === 0) {
        reading.end()
        await refuseInNone(client, externalIds)
      }
      return found
    },

    async pass(externalId) {
      return stickerOf(externalId, await barcodeOf(client, externalId))
    },
  }
}

async function ordersOf(client: WildberriesClient, id: string): Promise<readonly string[]> {
  return orderIdsOf(await client.orderIds(id))
}

async function standingOf(client: WildberriesClient, id: string): Promise<ShipmentStanding> {
  const found = await unlessMissing(client.supply(id))
  if (found === undefined) return 'gone'
  return shipmentOf(found.fields).closedAt === undefined ? 'open' : 'left'
}

async function deliver(client: WildberriesClient, id: string, methodNamed = false): Promise<void> {
  try {
    await client.deliverSupply(id)
  } catch (error) {
    if (!isRejected(error)) throw error
    const { fields } = await following(error, client.supply(id))
    if (shipmentOf(fields).closedAt !== undefined) return
    if (error.code !== methodRequired) throw error
    if (methodNamed) throw methodUnnamed(id)
    await carryMethodOn(client, fields)
    await deliver(client, id, true)
  }
}

/** Why a supply takes nothing any more, if that is why. */
async function leftBefore(client: WildberriesClient, id: string, error: unknown) {
  if (!isRejected(error) || (await following(error, standingOf(client, id))) !== 'left') {
    return undefined
  }
  const message = `Поставка ${id} на WB уже передана: добавьте эти заказы в другую отгрузку, а эту закройте`
  return retold(error, message)
}

async function barcodeOf(client: WildberriesClient, id: string): Promise<Fields> {
  try {
    return await client.barcodeOf(id)
  } catch (error) {
    if (!isRejected(error)) throw error
    const standing = await standingOf(client, id)
    if (standing === 'left') throw error
    throw retold(error, standing === 'open' ? notClosed : `Поставки ${id} на WB больше нет`)
  }
}

const notClosed = 'WB даёт штрихкод поставки, когда она передана: сначала закройте отгрузку'

/** What can't be read may be the one. */
async function findMarked(client: WildberriesClient, mark: string): Promise<string | undefined> {
  const reading = openReading()
  for await (const { items } of allPages((next) => client.supplies(next))) {
    const found = reading
      .of(items, (supply) => shipmentOf(supply))
      .find((supply) => isMarked(supply, mark))
    if (found !== undefined) return found.externalId
  }
  reading.end()
  return undefined
}

/** What stays behind there is nobody's shipment. */
export function isRest(supply: ToldShipment): boolean {
  return isMarked(supply, rest.mark)
}

function isMarked({ name = '' }: ToldShipment, mark: string): boolean {
  return name === mark || name.startsWith(`${mark} `)
}

/** Supplies for what stays behind: each is of one warehouse and kind of cargo. */
async function openRests(client: WildberriesClient, except: string): Promise<string[]> {
  const found: string[] = []
  for await (const { items } of allPages((next) => client.supplies(next))) {
    const supplies = openReading().of(items, (supply) => shipmentOf(supply))
    for (const supply of supplies) {
      const isOpen = supply.closedAt === undefined && supply.externalId !== except
      if (isOpen && isRest(supply)) found.push(supply.externalId)
    }
  }
  return found
}

/** False where WB refuses them there. */
async function movesInto(
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

/** From wherever they are; those that are in it already stay. */
async function moveInto(
  client: WildberriesClient,
  id: string,
  orders: readonly string[],
): Promise<void> {
  for (const ids of inPieces(orders, idsMax.fill)) await client.fillSupply(id, ids)
}
