import { firstNames } from '../../../../platform/kernel/sentences.ts'
import { chunksOf } from '../../calls/chunks.ts'
import {
  followUp,
  isFailure,
  isRejected,
  type MarketplaceError,
  rejection,
  unlessMissing,
} from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { type Fields, textOf } from '../../calls/response-fields.ts'
import type {
  RefusedOrder,
  RemoteShipmentState,
  ShippedOrder,
  Shipping,
  Sticker,
} from '../../connector.ts'
import { parseOrderIds, parseSupply } from '../answers/supplies.ts'
import { type WildberriesClient, wildberriesIdsMax, wildberriesPages } from '../client.ts'
import { hasReference, moveToLeftoverSupply } from '../leftover-supplies.ts'
import { attachMarksAtHandOver } from '../marks/at-hand-over.ts'
import { wildberriesProving } from '../marks/at-pick.ts'
import { markingCodeRefusal } from '../marks/decisions.ts'
import { reworded } from '../refusals.ts'
import {
  ineligibleAmong,
  refuseIneligible,
  refuseOutsideSupplies,
  withoutCancelled,
} from '../supply-eligibility.ts'
import { bisect } from './bisect.ts'
import {
  explainMissingMethod,
  listShippingPoints,
  remoteMethodOf,
  sendMethod,
} from './shipping-method.ts'
import { parseSticker, printStickers, stickerCodes } from './stickers.ts'
import { addBoxes, boxSticker, listSupplyBoxes, removeBoxes } from './supply-boxes.ts'

/**
 * Carries out shipments of the service as WB supplies. The first word of a supply's name is the
 * shipment's reference.
 */

const nameLengthMax = 128
/** WB's words for a pickup point and a sorting centre. */
const pickupPoint = 'pp'
const sortingCentre = 'sc'

export function wildberriesShipping(client: WildberriesClient): Shipping {
  return {
    create: ({ name, reference }) => {
      const fullName = `${reference} ${name}`.trim().slice(0, nameLengthMax).toWellFormed()
      return client.createSupply(fullName)
    },
    findCreated: (reference) => findByReference(client, reference),
    addOrders: (externalId, orders) => addOrders(client, externalId, orders),
    holdsOneKind: true,
    printsDeclaredOnly: true,
    ordersOf: (externalId) => ordersOf(client, externalId),
    removeOrders: (externalId, orders) => removeOrders(client, externalId, orders),
    remoteStateOf: (externalId) => remoteStateOf(client, externalId),
    handOver: (externalId) => handOver(client, externalId),
    cancel: (externalId) => cancelSupply(client, externalId),
    attachMarks: (orders) => attachMarksAtHandOver(client, orders),
    proving: wildberriesProving(client),
    stickers: (externalIds) => stickersOf(client, externalIds),
    document: () => Promise.reject(rejection('WB не печатает таких документов для поставки')),
    destinations: {
      boxedKind: pickupPoint,
      // With a service of its own a sorting centre wants boxes, too; only WB knows of which supplies.
      boxKinds: [pickupPoint, sortingCentre],
      points: (city, cargoType) => listShippingPoints(client, city, cargoType),
      methodOf: (externalId) => remoteMethodOf(client, externalId),
      send: (externalId, method) => sendMethod(client, externalId, method),
      boxesOf: (externalId) => listSupplyBoxes(client, externalId),
      addBoxes: (externalId, count) => addBoxes(client, externalId, count),
      removeBoxes: (externalId, boxes) => removeBoxes(client, externalId, boxes),
      boxSticker: (externalId, box) => boxSticker(client, externalId, box),
    },
    pass: async (externalId) => parseSticker(externalId, await barcodeOf(client, externalId)),
  }
}

/**
 * Adds orders in calls of a hundred. WB refuses a whole call because of one order and does not say which:
 * the call is halved until it is known. What the supply holds in the end decides who joined.
 */
async function addOrders(
  client: WildberriesClient,
  externalId: string,
  orders: readonly ShippedOrder[],
): Promise<readonly RefusedOrder[]> {
  const present = new Set(await ordersOf(client, externalId))
  const requested = new Set(orders.map((order) => order.externalId))
  const unfilled = [...requested.difference(present)]
  // Where an earlier attempt ended half way, an order that was cancelled since keeps no others out.
  const isContinued = unfilled.length < requested.size
  if (!isContinued) await refuseIneligible(client, unfilled)
  const ineligible = isContinued ? await ineligibleAmong(client, unfilled) : []
  const missing = unfilled.filter((id) => !ineligible.some((order) => order.externalId === id))
  const { refused } = await fill(client, externalId, missing)
  if (refused.length === 0) return ineligible
  const inside = new Set(await ordersOf(client, externalId))
  const outside = refused.flatMap(({ numbers, error }) =>
    numbers
      .filter((number) => !inside.has(number))
      .map((number) => ({ number, error, alone: numbers.length === 1 })),
  )
  // Others that joined before, maybe in an attempt that ended half way, keep the request alive.
  if (!requested.isDisjointFrom(inside)) {
    const left = outside.map(({ number, error, alone }) => ({
      externalId: number,
      reason: alone ? error.message : `${error.message}; отдельно этот заказ не проверен`,
    }))
    return [...ineligible, ...left]
  }
  const [first] = outside
  if (first === undefined) return []
  if (missing.length === 1) throw first.error
  const numbers = firstNames(outside.map(({ number }) => number))
  throw reworded(first.error, `${first.error.message}. Ни один не вошёл: ${numbers}`)
}

/** A failure after the first success does not prove that nothing has changed. */
async function fill(client: WildberriesClient, externalId: string, numbers: readonly string[]) {
  let isChanged = false
  let isChecked = false
  try {
    return await bisect(
      [...chunksOf(numbers, wildberriesIdsMax.fill)],
      async (ids) => {
        await client.fillSupply(externalId, ids)
        isChanged = true
      },
      async (error) => {
        if (error.status !== 409) return false
        // A supply that has left refuses all orders.
        const explained = isChecked ? undefined : await explainHandedOver(client, externalId, error)
        isChecked = true
        if (explained !== undefined) throw explained
        return true
      },
    )
  } catch (error) {
    if (isFailure(error) && isChanged) error.outcomeUnknown = true
    throw error
  }
}

async function removeOrders(
  client: WildberriesClient,
  externalId: string,
  orders: readonly string[],
): Promise<void> {
  const present = new Set(await ordersOf(client, externalId))
  const moving = await withoutCancelled(client, [...new Set(orders).intersection(present)])
  if (moving.length > 0) await moveToLeftoverSupply(client, externalId, moving)
}

/** Moves the orders into a leftover supply first. WB keeps cancelled ones, and then the supply. */
async function cancelSupply(client: WildberriesClient, id: string): Promise<void> {
  const state = await remoteStateOf(client, id)
  if (state === 'gone') return
  if (state === 'handedOver') {
    throw rejection(`Поставка ${id} на WB уже передана: отменить её нельзя, закройте отгрузку`)
  }
  await removeOrders(client, id, await ordersOf(client, id))
  try {
    await client.deleteSupply(id)
  } catch (error) {
    if (!isRejected(error)) throw error
    if ((await followUp(error, remoteStateOf(client, id))) === 'gone') return
    if ((await ordersOf(client, id)).length === 0) throw error
    throw reworded(
      error,
      `WB не удаляет поставку ${id}, пока в ней отменённые заказы: повторите, когда WB их уберёт, или удалите её в кабинете`,
    )
  }
}

/**
 * Returns the readable stickers; if there are none, throws why. An order without a customs declaration
 * costs only its own sticker, though WB refuses the whole call.
 */
async function stickersOf(
  client: WildberriesClient,
  externalIds: readonly string[],
): Promise<readonly Sticker[]> {
  const reader = openPartialReader()
  const parse = (sticker: Fields) => ({
    ...parseSticker(textOf(sticker, 'orderId'), sticker),
    codes: stickerCodes(sticker),
  })
  const { results, refused } = await printStickers(client, externalIds)
  const stickers = reader.each(results.flat(), parse)
  if (stickers.length === 0) {
    reader.finish()
    for (const { error } of refused) throw error
    await refuseOutsideSupplies(client, externalIds)
  }
  return stickers
}

async function ordersOf(client: WildberriesClient, id: string): Promise<readonly string[]> {
  return parseOrderIds(await client.orderIds(id))
}

async function remoteStateOf(client: WildberriesClient, id: string): Promise<RemoteShipmentState> {
  const found = await unlessMissing(client.supply(id))
  if (found === undefined) return 'gone'
  return parseSupply(found.fields).closedAt === undefined ? 'open' : 'handedOver'
}

/** A supply that is handed over already is no error. */
async function handOver(client: WildberriesClient, id: string): Promise<void> {
  try {
    await client.handOverSupply(id, markingCodeRefusal)
  } catch (error) {
    if (!isRejected(error)) throw error
    const { fields } = await followUp(error, client.supply(id))
    if (parseSupply(fields).closedAt !== undefined) return
    throw explainMissingMethod(id, error)
  }
}

/** The failure to show if WB refused orders because the supply is handed over already. */
async function explainHandedOver(
  client: WildberriesClient,
  id: string,
  error: unknown,
): Promise<MarketplaceError | undefined> {
  if (!isRejected(error)) return undefined
  if ((await followUp(error, remoteStateOf(client, id))) !== 'handedOver') return undefined
  const message = `Поставка ${id} на WB уже передана: добавьте эти заказы в другую отгрузку, а эту закройте`
  return reworded(error, message)
}

async function barcodeOf(client: WildberriesClient, id: string): Promise<Fields> {
  try {
    return await client.supplyBarcode(id)
  } catch (error) {
    if (!isRejected(error)) throw error
    const state = await remoteStateOf(client, id)
    if (state === 'handedOver') throw error
    throw reworded(error, state === 'open' ? notHandedOver : `Поставки ${id} на WB больше нет`)
  }
}

const notHandedOver = 'WB даёт штрихкод поставки, когда она передана: сначала закройте отгрузку'

/** Throws if no supply has the reference but some are unreadable: one of these may have it. */
async function findByReference(
  client: WildberriesClient,
  reference: string,
): Promise<string | undefined> {
  const reader = openPartialReader()
  for await (const { items } of wildberriesPages((next) => client.supplies(next))) {
    const found = reader
      .each(items, (supply) => parseSupply(supply))
      .find((supply) => hasReference(supply, reference))
    if (found !== undefined) return found.externalId
  }
  reader.finish()
  return undefined
}
