import { excerpt } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import { flagOf, textOrNone } from '../answer.ts'
import type { RemoteShipment, ShippedOrder, Shipping, TriedCreation } from '../connector.ts'
import { MarketplaceError } from '../failure.ts'
import type { Time } from '../limits.ts'
import { carriagesBetween, membersOf, remoteShipment } from './carriages.ts'
import { allPages, type File, type OzonClient } from './client.ts'
import { memberOf, type Posting, postingOf, shipmentOf, stickerOf } from './mapper.ts'
import { attachMarks } from './marks.ts'
import { packAll } from './packing.ts'
import { isRejected, refused } from './refusal.ts'
import { withEach } from './waiting.ts'

/**
 * Carriages. A posting may join one when it is packed by OZON's book (awaiting_deliver), so joining
 * begins with that. A carriage holds a list of postings that is only ever replaced as a whole.
 */

const day = 24 * 3_600_000
/** OZON's clock may differ from ours by so much. */
const clocksDifferMs = 5 * 60_000
/** A posting that waits for longer is not looked for. */
const waitingMs = 90 * day

const anyMarks = { marksMayFollow: true }

interface Surroundings {
  readonly client: OzonClient
  readonly time: Time
  readonly now: () => Instant
}

export function shippingOf(at: Surroundings): Shipping {
  const { client, time } = at
  return {
    async create({ orders = [] }) {
      const { packed, waiting } = await packAll(client, time, unique(orders), anyMarks)
      const own = [...packed, ...waiting]
      const methodId = own.length > 0 ? methodOf(own) : await onlyMethod(at)
      const { askedAt, id } = await client.createCarriage(methodId, at.now())
      await holdOnly(client, id, packed)
      return {
        externalId: id,
        name: undefined,
        createdAt: askedAt,
        closedAt: undefined,
        acceptedAt: undefined,
        cancelled: false,
        orders: undefined,
      }
    },

    find: (_mark, tried) =>
      tried === undefined ? Promise.resolve(undefined) : findTried(at, tried),

    async fill(externalId, orders, present = []) {
      const members = await membersOf(client, externalId)
      const inside = new Set(members?.map(({ number }) => number))
      const missing = orders.filter((order) => !inside.has(order.externalId))
      const { packed } = await packAll(client, time, unique(missing), anyMarks)
      if (packed.length === 0) return
      const staying = members ?? (await membersAmong(client, present))
      const numbers = staying.flatMap(({ number, cancelled }) => (cancelled ? [] : number))
      const joining = packed.map(({ number }) => number)
      await setPostings(client, externalId, [...new Set([...numbers, ...joining])])
    },

    async ordersOf(externalId) {
      return (await membersOf(client, externalId))?.map(({ number }) => number)
    },

    takesOutOthers: true,

    async deliver(externalId, orders) {
      if (orders !== undefined) {
        if (await isHandedOver(client, externalId)) return
        await holdForLeaving(at, externalId, unique(orders))
      }
      try {
        await client.approve(externalId)
      } catch (error) {
        if (!isRejected(error) || !(await isHandedOver(client, externalId))) throw error
      }
    },

    attachMarks: (externalId, codes) => attachMarks(client, time, externalId, codes),

    stickers: (externalIds) =>
      withEach(externalIds, async (number) => stickerOf(number, await labelOf(client, number))),

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
  const members = await membersOf(client, id)
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

function unique(orders: readonly ShippedOrder[]): ShippedOrder[] {
  return [...new Map(orders.map((order) => [order.externalId, order])).values()]
}

async function isHandedOver(client: OzonClient, id: string): Promise<boolean> {
  const { askedAt, fields } = await client.carriage(id)
  return shipmentOf(fields, id, askedAt).closedAt !== undefined
}

/**
 * A new carriage has taken in all that is packed, whoever collects it. It is there now, so nothing
 * that fails from here on is a failure: `deliver` takes out what does not belong in it.
 */
async function holdOnly(
  client: OzonClient,
  id: string,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) return
  const numbers = postings.map(({ number }) => number)
  await setPostings(client, id, numbers).catch((error: unknown) => {
    if (!(error instanceof MarketplaceError)) throw error
  })
}

function methodOf(postings: readonly Posting[]): string {
  const methods = new Map(postings.map(({ methodId, methodName }) => [methodId, methodName]))
  const [first] = methods.keys()
  if (methods.size === 1 && first !== undefined) return first
  const names = excerpt([...methods.values()].join(', '))
  throw refused(
    methods.size > 1
      ? `Заказы разных способов доставки OZON в одну отгрузку не войдут: ${names}`
      : 'OZON не назвал способа доставки заказов: создайте отгрузку в кабинете',
  )
}

const awaited = ['awaiting_packaging', 'awaiting_deliver']

/** The one delivery method whose postings wait to be handed over. */
async function onlyMethod({ client, now }: Surroundings): Promise<string> {
  const until = now() + clocksDifferMs
  const filter = {
    since: new Date(until - waitingMs).toISOString(),
    to: new Date(until).toISOString(),
    statuses: awaited,
  }
  const one = new Map<string | undefined, Posting>()
  for await (const { items } of allPages((cursor) => client.postings(filter, cursor))) {
    const waiting = items.map(postingOf).filter(({ status }) => awaited.includes(status))
    for (const posting of waiting) one.set(posting.methodId, posting)
  }
  if (one.size === 0) throw refused('На OZON нет заказов, которые ждут отгрузки')
  return methodOf([...one.values()])
}

/** The list as a whole. Throws where one is refused. */
async function setPostings(
  client: OzonClient,
  id: string,
  numbers: readonly string[],
): Promise<void> {
  const rows = await client.setPostings(id, numbers).catch((error: unknown) => {
    // The key has just been good for reading, so it is the call that is forbidden.
    if (!(error instanceof MarketplaceError) || error.status !== 403) throw error
    throw refused('OZON не даёт этому кабинету менять состав отгрузки: измените его в кабинете')
  })
  const bad = rows.find((row) => !flagOf(row, 'result'))
  if (bad === undefined) return
  const why = textOrNone(bad, 'error')
  const number = textOrNone(bad, 'posting_number') ?? ''
  const message = `OZON не принял в отгрузку заказ ${excerpt(number)}`
  throw refused(why === undefined ? message : `${message}: ${excerpt(why)}`, why)
}

/** Throws where several could be it: the wrong one would be handed over. */
async function findTried(
  at: Surroundings,
  tried: TriedCreation,
): Promise<RemoteShipment | undefined> {
  const { client, now } = at
  const earliest = tried.at - clocksDifferMs
  const known = new Set(tried.known)
  const [first] = tried.orders ?? []
  const method = first && postingOf(await client.posting(first.externalId)).methodId
  const found: RemoteShipment[] = []
  for await (const carriages of carriagesBetween(client, earliest, now())) {
    for (const { id, methodId, status } of carriages) {
      if (status !== 'new' || known.has(id)) continue
      if (method !== undefined && method !== methodId) continue
      const remote = await remoteShipment(client, id, false)
      if (remote !== undefined && remote.shipment.createdAt >= earliest) found.push(remote.shipment)
    }
  }
  if (found.length <= 1) return found[0]
  const ids = found.map(({ externalId }) => externalId).join(', ')
  throw refused(`На OZON несколько новых отгрузок (${excerpt(ids)}): оставьте в кабинете одну`)
}

async function labelOf(client: OzonClient, number: string): Promise<File> {
  try {
    return await client.label(number)
  } catch (error) {
    if (!isRejected(error) || !/aren't ready/i.test(error.message)) throw error
    const message = `OZON ещё готовит этикетку заказа ${number}, повторите через минуту`
    throw new MarketplaceError('unreachable', message, { cause: error })
  }
}

async function unlessRejected<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error)) return undefined
    throw error
  })
}
