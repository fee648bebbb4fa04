import { excerpt } from '../../../../platform/kernel/errors.ts'
import { mapInParallel } from '../../calls/chunks.ts'
import {
  followUp,
  isRejected,
  type MarketplaceError,
  rejection,
  unlessMissing,
  unlessRejected,
} from '../../calls/failure.ts'
import { partOf, textOrNone } from '../../calls/response-fields.ts'
import type { ShippedOrder, Shipping } from '../../connector.ts'
import { type CarriagePosting, parseCarriage, parseCarriagePosting } from '../answers/carriages.ts'
import type { OzonClient } from '../client.ts'
import type { OzonContext } from '../context.ts'
import { type OzonFile, stickerFrom } from '../files.ts'
import { attachMarksToPostings } from '../marks/at-hand-over.ts'
import { ozonProving } from '../marks/at-pick.ts'
import { createCarriage, findCarriage } from './carriage-creation.ts'
import { inspect, postingsIn, replacePostings, setPostings } from './carriages.ts'
import { printDocument } from './documents.ts'
import { printLabel } from './labels.ts'
import { postingBoxes, setPostingBoxes } from './order-boxes.ts'
import { packAll } from './packing.ts'
import { partsOfPosting, splitPosting } from './splitting.ts'

/**
 * Carries out shipments of the service as OZON carriages. Only a packed posting (awaiting_deliver)
 * may join a carriage, so adding orders packs them first. The list of a carriage is replaced as a
 * whole.
 */
export function ozonShipping(context: OzonContext): Shipping {
  const { client } = context
  return {
    removesOrdersDirectly: true,
    printsOneByOne: true,
    create: (plan) => createCarriage(context, plan),
    findCreated: (_reference, attempt) =>
      attempt === undefined ? Promise.resolve(undefined) : findCarriage(context, attempt),
    async addOrders(externalId, orders, present = []) {
      await addOrders(context, externalId, orders, present)
      return []
    },
    async pack(orders, marksAttached) {
      await packAll(client, context.time, orders, { marksMayFollow: !marksAttached })
    },
    ordersOf: async (externalId) =>
      (await postingsIn(client, externalId))?.map(({ number }) => number),
    remoteStateOf: async (externalId) => (await inspect(client, externalId)).state,
    removeOrders: (externalId, orders, present = []) =>
      removeOrders(client, externalId, orders, present),
    handOver: (externalId, orders) => handOver(context, externalId, orders),
    cancel: (externalId) => cancelCarriage(client, externalId),
    split: (externalId, packages) => splitPosting(context, externalId, packages),
    partsOf: (externalId) => partsOfPosting(context, externalId),
    setOrderBoxes: (externalId, count) => setPostingBoxes(client, externalId, count),
    orderBoxesOf: (externalId) => postingBoxes(client, externalId),
    attachMarks: (orders) => attachMarksToPostings(context, orders),
    proving: ozonProving(context),
    stickers: (externalIds) =>
      mapInParallel(externalIds, async (number) =>
        stickerFrom(number, await printLabel(context, number)),
      ),
    async pass(externalId) {
      const file = await barcodeOf(client, externalId)
      return stickerFrom(externalId, file, await unlessRejected(client.barcodeText(externalId)))
    },
    document: (externalId, document) => printDocument(context, externalId, document),
  }
}

async function addOrders(
  { client, time }: OzonContext,
  externalId: string,
  orders: readonly ShippedOrder[],
  present: readonly ShippedOrder[],
): Promise<void> {
  const postings = await postingsIn(client, externalId)
  const inside = new Set(postings?.map(({ number }) => number))
  const missing = orders.filter((order) => !inside.has(order.externalId))
  if (missing.length === 0) return
  await refuseIfTerminal(client, externalId)
  const { packed } = await packAll(client, time, missing, { marksMayFollow: true })
  if (packed.length === 0) return
  const staying = shippableNumbers(postings ?? (await packedAmong(client, present)))
  const joining = packed.map(({ number }) => number)
  await replacePostings(client, externalId, staying, [...new Set([...staying, ...joining])])
}

async function removeOrders(
  client: OzonClient,
  externalId: string,
  orders: readonly string[],
  present: readonly ShippedOrder[],
): Promise<void> {
  const postings = await postingsIn(client, externalId)
  const before = shippableNumbers(postings ?? (await packedAmong(client, present)))
  const staying = before.filter((number) => !orders.includes(number))
  if (postings !== undefined && staying.length === before.length) return
  await replacePostings(client, externalId, before, staying)
}

/** A carriage that is handed over already is no error. */
async function handOver(
  context: OzonContext,
  externalId: string,
  orders: readonly ShippedOrder[] | undefined,
): Promise<void> {
  const { client } = context
  const { state, places } = await inspect(client, externalId)
  if (state === 'handedOver') return
  if (orders !== undefined) await holdExactly(context, externalId, orders)
  try {
    await client.approve(externalId, places)
  } catch (error) {
    if (!isRejected(error)) throw error
    const { state } = await followUp(error, inspect(client, externalId))
    if (state !== 'handedOver') throw error
  }
}

async function cancelCarriage(client: OzonClient, id: string): Promise<void> {
  const found = await unlessMissing(client.carriage(id))
  if (found === undefined) return
  const { cancelled, closedAt } = parseCarriage(found.fields, id, found.requestedAt)
  if (cancelled) return
  const availability = partOf(found.fields, 'cancel_availability')
  if (closedAt !== undefined || availability.is_cancel_available === false) {
    throw cannotCancel(id, textOrNone(availability, 'reason'))
  }
  try {
    const error = await client.cancelCarriage(id)
    if (error !== undefined) throw cannotCancel(id, error)
  } catch (error) {
    if (!isRejected(error)) throw error
    // An earlier attempt may have cancelled it, though its response was lost.
    const { state } = await followUp(error, inspect(client, id))
    if (state !== 'gone') throw error
  }
}

function cannotCancel(id: string, reason: string | undefined): MarketplaceError {
  const message = `OZON не даёт отменить отгрузку ${id}`
  const advice = 'если она уже передана, закройте её здесь, иначе отмените в кабинете OZON'
  const why = reason === undefined ? '' : ` (${excerpt(reason)})`
  return rejection(`${message}${why}: ${advice}`, reason)
}

/** OZON refuses a list that names a cancelled posting. */
function shippableNumbers(postings: readonly CarriagePosting[]): string[] {
  return postings.flatMap(({ number, cancelled }) => (cancelled ? [] : number))
}

/** Keeps postings from being packed for a carriage that takes no more. */
async function refuseIfTerminal(client: OzonClient, id: string): Promise<void> {
  const { fields, requestedAt } = await client.carriage(id)
  const { cancelled, closedAt } = parseCarriage(fields, id, requestedAt)
  if (cancelled) throw rejection(`Отгрузка ${id} на OZON отменена: добавьте эти заказы в другую`)
  if (closedAt === undefined) return
  throw rejection(
    `Отгрузка ${id} на OZON уже передана: добавьте эти заказы в другую отгрузку, а эту закройте`,
  )
}

async function barcodeOf(client: OzonClient, id: string): Promise<OzonFile> {
  try {
    return await client.barcode(id)
  } catch (error) {
    if (!isRejected(error)) throw error
    const carriage = await unlessRejected(inspect(client, id))
    if (carriage?.state === 'open') {
      throw rejection('OZON даёт штрихкод отгрузки, когда она передана: сначала закройте отгрузку')
    }
    throw carriage?.state === 'gone' ? rejection(`Отгрузки ${id} на OZON больше нет`) : error
  }
}

/** Makes the carriage hold exactly these orders. Orders that are packed and inside cost no call. */
async function holdExactly(
  { client, time }: OzonContext,
  id: string,
  orders: readonly ShippedOrder[],
): Promise<void> {
  const postings = await postingsIn(client, id)
  const ready = new Set(postings?.flatMap(({ number, packed }) => (packed ? number : [])))
  const due = orders.filter(({ externalId }) => !ready.has(externalId))
  await packAll(client, time, due, { marksMayFollow: false })
  const leaving = new Set(orders.map(({ externalId }) => externalId))
  const inside = new Set(postings?.map(({ number }) => number))
  if (postings !== undefined && inside.symmetricDifference(leaving).size === 0) return
  await setPostings(client, id, [...leaving])
}

/**
 * Those of the given orders that are packed: stands in for the content of a carriage that OZON does not report.
 */
async function packedAmong(
  client: OzonClient,
  orders: readonly ShippedOrder[],
): Promise<readonly CarriagePosting[]> {
  const rows = await mapInParallel(orders, ({ externalId }) => client.posting(externalId))
  return rows.map(parseCarriagePosting).filter(({ packed }) => packed)
}
