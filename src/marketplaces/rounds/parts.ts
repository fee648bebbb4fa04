import { startHistory } from '../../clients/verbs.ts'
import type { Queryable } from '../../db/connection.ts'
import { day, fromTimestamp, hour, type Timestamp, toTimestamp } from '../../kernel/moscow-time.ts'
import { endedOrders } from '../../orders/ended.ts'
import { renameGoods } from '../../orders/goods.ts'
import { unendedOrders } from '../../orders/unended.ts'
import { applyReadings, takeInOrders } from '../../orders/verbs.ts'
import { mirrorShipment } from '../../shipments/mirror.ts'
import { unfinishedShipments } from '../../shipments/unfinished.ts'
import { dropStaleFigures, mirrorFigures } from '../../stock/marketplace-stock.ts'
import { PartlyMalformed } from '../calls/failure.ts'
import { resumeTasks } from '../desk/resume.ts'
import { givenUpMarks, isCreating } from '../desk/tasks.ts'
import { cardKeys, misnamedLines, storeCards, withBarcodes } from './cards.ts'
import { noteProgress } from './rounds.ts'
import { note, type Sync, write, writePages } from './writing.ts'

/** The parts of a round, each of one kind of thing that a marketplace tells. */

/** A first round looks so far back: thirty days, which WB tells at once, less a moment to ask. */
const firstOrdersMs = 30 * day - 60_000
/** Later rounds begin so much before the last one: clocks differ, and answers come late. */
const overlapMs = hour
/** Older orders and shipments that never ended are asked for no more: marketplaces forget them. */
const followedMs = 90 * day
/** Where rounds follow each other fast, cards are read every so many of them. */
const cardsEveryMs = 6 * hour
const cardsRounds = 120
/** With orders of goods that have no card yet. */
const newCardsEveryMs = 10 * 60_000
const newCardsRounds = 3
const stockEveryMs = 5 * 60_000
const accessEveryMs = day
const statusesAtOnce = 1000
/** Orders that ended may still change so long after their creation, */
const endedFollowedMs = 30 * day
/** and are asked about again so often; where rounds follow each other fast, every so many of them. */
const endedEveryMs = hour
const endedRounds = 20
/** Questions about them in a round: it is about what moves first of all. */
const endedPagesMax = 10

function isDue(sync: Sync, last: Timestamp | null, everyMs: number): boolean {
  return last === null || sync.startedAt - fromTimestamp(last) >= everyMs
}

export async function syncAccess(sync: Sync): Promise<void> {
  if (!isDue(sync, sync.round.accessAt, accessEveryMs)) return
  const { expiresAt } = await sync.connector.access()
  await note(sync, {
    access_at: toTimestamp(sync.startedAt),
    credentials_expire_at: expiresAt === undefined ? null : toTimestamp(expiresAt),
  })
}

export async function syncTasks({ db, guards, clock, connector, round }: Sync): Promise<void> {
  await resumeTasks({ db, guards, clock, connector }, round.clientId, round.cabinetId)
}

export async function syncCards(sync: Sync): Promise<void> {
  const everyMs = Math.min(cardsEveryMs, cardsRounds * sync.intervalMs)
  const { cardsAt, cardsFailure } = sync.round
  if (isDue(sync, cardsAt, everyMs)) await readCards(sync)
  // What could not be read is told of until it was read again.
  else if (cardsFailure !== null) throw new PartlyMalformed(cardsFailure)
}

/** Orders have named goods that no card tells of: there are new cards, or the goods have none. */
export async function syncNewCards(sync: Sync): Promise<void> {
  const { round, found } = sync
  const everyMs = Math.min(newCardsEveryMs, newCardsRounds * sync.intervalMs)
  const wanted = found.unknownGoods && !found.cardsRead
  if (wanted && isDue(sync, round.cardsAt, everyMs)) await readCards(sync)
}

async function readCards(sync: Sync): Promise<void> {
  const { round, connector } = sync
  const { clientId, cabinetId } = round
  const pages = connector.cards(round.cardsMark ?? undefined)
  try {
    await writePages(sync, pages, async (work, { items, mark }) => {
      await storeCards(work, clientId, cabinetId, items)
      await noteProgress(work.tx, round, { cards_mark: mark })
    })
  } catch (error) {
    if (error instanceof PartlyMalformed) await endCards(sync, error.message)
    throw error
  }
  await endCards(sync, null)
}

/** All pages were told: cards are due again in the usual time. */
async function endCards(sync: Sync, failure: string | null): Promise<void> {
  sync.found.cardsRead = true
  await note(sync, { cards_at: toTimestamp(sync.startedAt), cards_failure: failure })
}

export async function syncOrders(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db, clock, found, unknownStatuses } = sync
  const from =
    round.ordersFrom === null
      ? clock.now() - firstOrdersMs
      : fromTimestamp(round.ordersFrom) - overlapMs
  const { clientId, cabinetId } = round
  for await (const { askedAt, items, statuses = [] } of connector.orders(from)) {
    const { drafts, unknown } = await withBarcodes(db, clientId, cabinetId, items)
    found.unknownGoods ||= unknown
    unknownStatuses.look(connector.marketplace, drafts)
    await write(sync, askedAt, async (work) => {
      await takeInOrders(work, clientId, cabinetId, drafts, true)
      await applyReadings(work, clientId, cabinetId, statuses)
    })
  }
  await write(sync, startedAt, async (work) => {
    // Of a cabinet that has no orders yet, too.
    await startHistory(work, clientId, cabinetId)
    await noteProgress(work.tx, round, { orders_from: toTimestamp(startedAt) })
  })
}

/** Orders that have not ended and were not told of in this round, and now and then those that have. */
export async function syncStatuses(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db, intervalMs } = sync
  if (connector.tellsChanges) return
  const { clientId, cabinetId } = round
  const limit = statusesAtOnce
  const unended = unendedOrders(db, clientId, cabinetId, {
    createdFrom: toTimestamp(startedAt - followedMs),
    unheardSince: toTimestamp(startedAt),
    limit,
  })
  for await (const externalIds of unended) await askStatuses(sync, externalIds)
  const everyMs = Math.min(endedEveryMs, endedRounds * intervalMs)
  if (!isDue(sync, round.endedAt, everyMs)) return
  const ended = endedOrders(db, clientId, cabinetId, {
    createdFrom: toTimestamp(startedAt - endedFollowedMs),
    unheardSince: toTimestamp(startedAt),
    limit,
    pagesMax: endedPagesMax,
    after: round.endedAfter,
  })
  let stopped: string | null = null
  for await (const { externalIds, after } of ended) {
    await askStatuses(sync, externalIds)
    stopped = after
  }
  await note(sync, { ended_at: toTimestamp(startedAt), ended_after: stopped })
}

function askStatuses(sync: Sync, externalIds: readonly string[]): Promise<void> {
  const { connector, round, unknownStatuses } = sync
  return writePages(sync, connector.statuses(externalIds), (work, { items }) => {
    unknownStatuses.look(connector.marketplace, items)
    return applyReadings(work, round.clientId, round.cabinetId, items)
  })
}

/** Goods may have come since under another barcode of theirs; what leaves next leaves under the right one. */
export async function syncBarcodes(sync: Sync): Promise<void> {
  const { startedAt, db, round } = sync
  for await (const lines of misnamedLines(db, round.clientId, round.cabinetId)) {
    await write(sync, startedAt, (work) => renameGoods(work, round.clientId, lines))
  }
}

/**
 * Whether shipments of the cabinet that nobody knows are its own: it may be told since that they are
 * made here, and one that was asked for here, and that nobody has answered for yet, is not.
 */
async function areMirrored(db: Queryable, clientId: string, cabinetId: string): Promise<boolean> {
  const mirrored = await db`
    select from cabinets
    where client_id = ${clientId} and id = ${cabinetId} and shipments = 'mirrored'`
  return mirrored.length > 0 && !(await isCreating(db, clientId, cabinetId))
}

export async function syncShipments(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db } = sync
  const { clientId, cabinetId } = round
  const connectedAt = fromTimestamp(round.connectedAt)
  const followedFrom = toTimestamp(startedAt - followedMs)
  const known = await unfinishedShipments(db, clientId, cabinetId, followedFrom)
  const last = round.shipmentsFrom === null ? undefined : fromTimestamp(round.shipmentsFrom)
  const asked = {
    from: last === undefined ? startedAt - firstOrdersMs : last - overlapMs,
    openFrom: last === undefined ? startedAt - followedMs : last - overlapMs,
    known,
    givenUp: await givenUpMarks(db, clientId, cabinetId, toTimestamp(startedAt - day)),
  }
  for await (const { askedAt, items } of connector.shipments(asked)) {
    for (const shipment of items) {
      await write(sync, askedAt, async (work) => {
        const adds = round.mirrorsShipments && (await areMirrored(work.tx, clientId, cabinetId))
        const mirroring = { connectedAt, adds, ordersAsOf: startedAt }
        return mirrorShipment(work, clientId, cabinetId, shipment, mirroring)
      })
    }
  }
  await note(sync, { shipments_from: toTimestamp(startedAt) })
}

export async function syncStock(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db } = sync
  if (!isDue(sync, round.stockAt, Math.min(stockEveryMs, sync.intervalMs))) return
  const { clientId, cabinetId } = round
  const pages = connector.stock(cardKeys(db, clientId, cabinetId))
  await writePages(sync, pages, (work, { items }) =>
    mirrorFigures(work, clientId, cabinetId, items),
  )
  // Each page was asked for after the round began.
  await write(sync, startedAt, async (work) => {
    await dropStaleFigures(work, clientId, cabinetId)
    await noteProgress(work.tx, round, { stock_at: work.at })
  })
}
