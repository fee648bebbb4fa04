import { integerOrNone } from '../calls/answer.ts'
import { following, isRejected, unlessMissing, unlessRejected } from '../calls/failure.ts'
import type { ShipmentStanding, ShippedOrder, Shipping } from '../connector.ts'
import { postingsIn, replacePostings, setPostings } from './carriages.ts'
import type { OzonClient } from './client.ts'
import { createCarriage, findTried, type Surroundings } from './creation.ts'
import type { File } from './files.ts'
import { labelOf } from './labels.ts'
import { type Member, memberOf, shipmentOf, stickerOf } from './mapper.ts'
import { attachMarks } from './marks.ts'
import { packAll } from './packing.ts'
import { refused } from './refusal.ts'
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
      if (missing.length === 0) return
      await refuseEnded(client, externalId)
      const { packed } = await packAll(client, time, missing, anyMarks)
      if (packed.length === 0) return
      const staying = numbersOf(members ?? (await membersAmong(client, present)))
      const joining = packed.map(({ number }) => number)
      await replacePostings(client, externalId, staying, [...new Set([...staying, ...joining])])
    },

    async ordersOf(externalId) {
      return (await postingsIn(client, externalId))?.map(({ number }) => number)
    },

    async standingOf(externalId) {
      return (await lookAt(client, externalId)).standing
    },

    async putAside(externalId, orders, present = []) {
      const members = await postingsIn(client, externalId)
      const before = numbersOf(members ?? (await membersAmong(client, present)))
      const staying = before.filter((number) => !orders.includes(number))
      if (members !== undefined && staying.length === before.length) return
      await replacePostings(client, externalId, before, staying)
    },

    takesOutOthers: true,

    async deliver(externalId, orders) {
      const { standing, places } = await lookAt(client, externalId)
      if (standing === 'left') return
      if (orders !== undefined) await holdForLeaving(at, externalId, orders)
      try {
        await client.approve(externalId, places)
      } catch (error) {
        if (!isRejected(error)) throw error
        const { standing } = await following(error, lookAt(client, externalId))
        if (standing !== 'left') throw error
      }
    },

    attachMarks: (externalId, codes) => attachMarks(client, time, externalId, codes),

    stickers: (externalIds) =>
      withEach(externalIds, async (number) =>
        stickerOf(number, await labelOf(client, time, number)),
      ),

    async pass(externalId) {
      const file = await barcodeOf(client, externalId)
      return stickerOf(externalId, file, await unlessRejected(client.barcodeText(externalId)))
    },
  }
}

/** OZON takes no list with a cancelled one in it. */
function numbersOf(members: readonly Member[]): string[] {
  return members.flatMap(({ number, cancelled }) => (cancelled ? [] : number))
}

/** Nothing is packed for a carriage that takes nothing any more. */
async function refuseEnded(client: OzonClient, id: string): Promise<void> {
  const { fields, askedAt } = await client.carriage(id)
  const { cancelled, closedAt } = shipmentOf(fields, id, askedAt)
  if (cancelled) throw refused(`Отгрузка ${id} на OZON отменена: добавьте эти заказы в другую`)
  if (closedAt === undefined) return
  throw refused(
    `Отгрузка ${id} на OZON уже передана: добавьте эти заказы в другую отгрузку, а эту закройте`,
  )
}

async function barcodeOf(client: OzonClient, id: string): Promise<File> {
  try {
    return await client.barcode(id)
  } catch (error) {
    if (!isRejected(error)) throw error
    const look = await unlessRejected(lookAt(client, id))
    if (look?.standing === 'open') {
      throw refused('OZON даёт штрихкод отгрузки, когда она передана: сначала закройте отгрузку')
    }
    throw look?.standing === 'gone' ? refused(`Отгрузки ${id} на OZON больше нет`) : error
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

interface Look {
  readonly standing: ShipmentStanding
  /** Cargo places, if it goes in them: people say how many in the cabinet. */
  readonly places: number | undefined
}

async function lookAt(client: OzonClient, id: string): Promise<Look> {
  const found = await unlessMissing(client.carriage(id))
  if (found === undefined) return { standing: 'gone', places: undefined }
  const { cancelled, closedAt } = shipmentOf(found.fields, id, found.askedAt)
  const standing = closedAt === undefined ? 'open' : 'left'
  const places = integerOrNone(found.fields, 'containers_count') || undefined
  return { standing: cancelled ? 'gone' : standing, places }
}
