import { recordSync, recordSyncFailure } from '../clients/verbs.ts'
import { type Database, inTransaction, type Transaction } from '../db/connection.ts'
import { type Work, workAt } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import type { ErrorLog } from '../kernel/log.ts'
import { fromTimestamp, type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { unendedOrders } from '../orders/unended.ts'
import { applyReadings, takeInOrders } from '../orders/verbs.ts'
import { mirrorShipment, noteAcceptance } from '../shipments/mirror.ts'
import { unfinishedShipments } from '../shipments/unfinished.ts'
import { dropStaleFigures, mirrorFigures } from '../stock/marketplace-stock.ts'
import { cardKeys, storeCards, withBarcodes } from './cards.ts'
import type { Connect } from './connect.ts'
import type { Connector, Told } from './connector.ts'
import { MarketplaceError } from './failure.ts'
import { resumeTasks } from './resume.ts'
import {
  endRound,
  holdLease,
  noteProgress,
  type Progress,
  type Round,
  RoundBroken,
} from './rounds.ts'

/**
 * One round of a cabinet: everything that its marketplace has to tell, through the verbs that staff
 * use too. Each page is a transaction of its own under the round's lease, so memory and locks stay
 * small however big the cabinet is, and a round that is killed goes on from the last page's state.
 *
 * - A part that fails does not hold up the others; the first failure is what the cabinet shows.
 * - How far a part has come moves only when the whole part went through, and the next round begins a
 *   little before it: what is told twice changes nothing.
 */
export interface SyncParts {
  readonly db: Database
  readonly clock: Clock
  readonly connect: Connect
  readonly intervalMs: number
  readonly log: ErrorLog
  /** Whether the service stops: a round then ends before its next page. */
  readonly stopping: () => boolean
}

const hour = 3_600_000
const day = 24 * hour

/** A first round looks so far back. */
const firstOrdersMs = 30 * day
/** Later rounds begin so much before the last one: clocks differ, and answers come late. */
const overlapMs = hour
/** Older orders and shipments that never ended are asked for no more: marketplaces forget them. */
const followedMs = 90 * day
const cardsEveryMs = 6 * hour
const stockEveryMs = 5 * 60_000
const accessEveryMs = day
const statusesAtOnce = 1000

/** Throws RoundBroken where the round is not to go on here. */
export async function syncCabinet(parts: SyncParts, round: Round): Promise<void> {
  const startedAt = parts.clock.now()
  const connector = parts.connect({ id: round.cabinetId, credentials: round.credentials })
  const sync: Sync = { ...parts, round, connector, startedAt }
  const failures: unknown[] = []
  for (const part of [
    syncAccess,
    syncTasks,
    syncCards,
    syncOrders,
    syncStatuses,
    syncShipments,
    syncStock,
  ]) {
    try {
      await part(sync)
    } catch (error) {
      if (error instanceof RoundBroken) throw error
      failures.push(error)
      // Without a key nothing else will go either.
      if (isRefused(error)) break
    }
  }
  await finish(sync, failures)
}

interface Sync extends SyncParts {
  readonly round: Round
  readonly connector: Connector
  readonly startedAt: Instant
}

function isRefused(error: unknown): boolean {
  return error instanceof MarketplaceError && error.kind === 'credentials'
}

async function finish(sync: Sync, failures: readonly unknown[]): Promise<void> {
  const { round, intervalMs, log, clock } = sync
  const unknown = failures.find((error) => !(error instanceof MarketplaceError))
  if (unknown !== undefined)
    log.error({ err: unknown }, `sync of cabinet ${round.cabinetId} failed`)
  const [first] = failures
  await write(sync, clock.now(), async (work) => {
    const { clientId, cabinetId } = round
    if (failures.length === 0) await recordSync(work, clientId, cabinetId)
    else await recordSyncFailure(work, clientId, cabinetId, reasonOf(first))
    await endRound(work.tx, round, intervalMs, {
      failed: failures.length > 0,
      credentialsRefused: failures.some(isRefused),
    })
  })
}

/** Russian, fit for a seller. */
function reasonOf(error: unknown): string {
  return error instanceof MarketplaceError
    ? error.message
    : 'Ошибка на стороне сервиса: данные маркетплейса пока не обновлены, мы уже разбираемся'
}

/** Runs verbs as of the moment at which the marketplace was asked, under the lease. */
async function write<T>(
  sync: Sync,
  askedAt: Instant,
  verbs: (work: Work) => Promise<T>,
): Promise<T> {
  const { db, round } = sync
  if (sync.stopping()) throw new RoundBroken('the service stops')
  return inTransaction(db, async (tx) => {
    await holdLease(tx, round)
    return verbs(workAt(tx, askedAt, `marketplace:${round.cabinetId}`))
  })
}

/** Writes page after page. */
async function writePages<Page extends Told<unknown>>(
  sync: Sync,
  pages: AsyncIterable<Page>,
  verbs: (work: Work, page: Page) => Promise<unknown>,
): Promise<void> {
  for await (const page of pages) {
    await write(sync, page.askedAt, (work) => verbs(work, page))
  }
}

function note(sync: Sync, made: Progress): Promise<void> {
  return write(sync, sync.startedAt, ({ tx }: { tx: Transaction }) =>
    noteProgress(tx, sync.round, made),
  )
}

function isDue(sync: Sync, last: Timestamp | null, everyMs: number): boolean {
  return last === null || sync.startedAt - fromTimestamp(last) >= everyMs
}

async function syncAccess(sync: Sync): Promise<void> {
  if (!isDue(sync, sync.round.accessAt, accessEveryMs)) return
  const { expiresAt } = await sync.connector.access()
  await note(sync, {
    access_at: toTimestamp(sync.startedAt),
    credentials_expire_at: expiresAt === undefined ? null : toTimestamp(expiresAt),
  })
}

async function syncTasks({ db, clock, connector, round }: Sync): Promise<void> {
  await resumeTasks({ db, clock, connector }, round.clientId, round.cabinetId)
}

async function syncCards(sync: Sync): Promise<void> {
  const { round, connector } = sync
  if (!isDue(sync, round.cardsAt, cardsEveryMs)) return
  const pages = connector.cards(round.cardsMark ?? undefined)
  await writePages(sync, pages, async (work, { items, mark }) => {
    await storeCards(work, round.clientId, round.cabinetId, items)
    await noteProgress(work.tx, round, { cards_mark: mark })
  })
  await note(sync, { cards_at: toTimestamp(sync.startedAt) })
}

async function syncOrders(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db } = sync
  const from =
    round.ordersFrom === null
      ? startedAt - firstOrdersMs
      : fromTimestamp(round.ordersFrom) - overlapMs
  const { clientId, cabinetId } = round
  for await (const { askedAt, items } of connector.orders(from)) {
    const drafts = await withBarcodes(db, clientId, cabinetId, items)
    await write(sync, askedAt, (work) => takeInOrders(work, clientId, cabinetId, drafts))
  }
  await note(sync, { orders_from: toTimestamp(startedAt) })
}

/** Orders that have not ended and were not told of in this round. */
async function syncStatuses(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db } = sync
  const { clientId, cabinetId } = round
  const unended = unendedOrders(db, clientId, cabinetId, {
    createdFrom: toTimestamp(startedAt - followedMs),
    unheardSince: toTimestamp(startedAt),
    limit: statusesAtOnce,
  })
  for await (const externalIds of unended) {
    await writePages(sync, connector.statuses(externalIds), (work, { items }) =>
      applyReadings(work, clientId, cabinetId, items),
    )
  }
}

async function syncShipments(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db } = sync
  const { clientId, cabinetId, mirrorsShipments } = round
  const followedFrom = toTimestamp(startedAt - followedMs)
  const known = await unfinishedShipments(db, clientId, cabinetId, followedFrom)
  const from =
    round.shipmentsFrom === null
      ? startedAt - firstOrdersMs
      : fromTimestamp(round.shipmentsFrom) - overlapMs
  for await (const { askedAt, items } of connector.shipments(from, known)) {
    for (const shipment of items) {
      await write(sync, askedAt, (work) =>
        mirrorsShipments
          ? mirrorShipment(work, clientId, cabinetId, shipment, fromTimestamp(round.connectedAt))
          : noteAcceptance(work, clientId, cabinetId, shipment),
      )
    }
  }
  await note(sync, { shipments_from: toTimestamp(startedAt) })
}

async function syncStock(sync: Sync): Promise<void> {
  const { round, connector, startedAt, db } = sync
  if (!isDue(sync, round.stockAt, Math.min(stockEveryMs, sync.intervalMs))) return
  const { clientId, cabinetId } = round
  const pages = connector.stock(cardKeys(db, clientId, cabinetId))
  for await (const { items } of pages) {
    await write(sync, startedAt, (work) => mirrorFigures(work, clientId, cabinetId, items))
  }
  await write(sync, startedAt, async (work) => {
    await dropStaleFigures(work, clientId, cabinetId)
    await noteProgress(work.tx, round, { stock_at: work.at })
  })
}
