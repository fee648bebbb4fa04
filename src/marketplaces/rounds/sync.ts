import { expiringDays } from '../../clients/cabinets.ts'
import { recordSync, recordSyncFailure } from '../../clients/verbs.ts'
import { day, fromTimestamp, moscowDate } from '../../kernel/moscow-time.ts'
import { isFailure, PartlyMalformed } from '../calls/failure.ts'
import type { Connector } from '../connector.ts'
import {
  syncAccess,
  syncBarcodes,
  syncCards,
  syncNewCards,
  syncOrders,
  syncShipments,
  syncStatuses,
  syncStock,
  syncTasks,
} from './parts.ts'
import { endRound, type Round, RoundBroken } from './rounds.ts'
import { syncSeller } from './seller.ts'
import { type Sync, type SyncParts, write } from './writing.ts'

/**
 * One round of a cabinet: everything that its marketplace has to tell, through the verbs that staff
 * use too. Each page is a transaction of its own under the round's lease, so memory and locks stay
 * small however big the cabinet is, and a round that is killed goes on from the last page's state.
 *
 * - A part that fails does not hold up the others; the first failure is what the cabinet shows.
 * - How far a part has come moves only when the whole part went through, and the next round begins a
 *   little before it: what is told twice changes nothing.
 *
 * Throws RoundBroken where the round is not to go on here.
 */
export async function syncCabinet(parts: SyncParts, round: Round): Promise<void> {
  const startedAt = parts.clock.now()
  const failures: Failures = new Map()
  const connector = connectOrNote(parts, round, failures)
  if (connector !== undefined) {
    const found = { unknownGoods: false, cardsRead: false }
    const sync: Sync = { ...parts, round, connector, startedAt, found }
    await syncParts(sync, failures)
  }
  await finish({ ...parts, round }, failures)
}

type Part = (sync: Sync) => Promise<void>
type Failures = Map<Part, unknown>

/** Undefined where the cabinet's credentials can't be read. */
function connectOrNote(
  { connect, log }: SyncParts,
  round: Round,
  failures: Failures,
): Connector | undefined {
  try {
    return connect({ id: round.cabinetId, credentials: round.credentials })
  } catch (error) {
    log.error({ err: error }, `credentials of cabinet ${round.cabinetId} can't be read`)
    failures.set(syncAccess, error)
    return undefined
  }
}

const parts: readonly Part[] = [
  syncAccess,
  syncSeller,
  syncTasks,
  syncCards,
  syncOrders,
  syncNewCards,
  syncStatuses,
  syncBarcodes,
  syncShipments,
  syncStock,
]

async function syncParts(sync: Sync, failures: Failures): Promise<void> {
  for (const part of parts) {
    // A shipment that leaves without orders of its that are not known yet would leave for good.
    if (part === syncShipments && !areOrdersRead(failures)) continue
    try {
      await part(sync)
    } catch (error) {
      if (error instanceof RoundBroken) throw error
      failures.set(part, error)
      // What comes next may take its time to fail.
      if (failures.size === 1) await noteFailure(sync, failures)
      if (isHopeless(failures)) return
    }
  }
}

/** One that can't be read keeps no others from leaving. */
function areOrdersRead(failures: Failures): boolean {
  const failure = failures.get(syncOrders)
  return failure === undefined || failure instanceof PartlyMalformed
}

function noteFailure(sync: Sync, failures: Failures): Promise<void> {
  const { clientId, cabinetId } = sync.round
  return write(sync, sync.clock.now(), (work) =>
    recordSyncFailure(work, clientId, cabinetId, reasonOf(sync, failures)),
  )
}

/**
 * Without a key nothing else will go either, nor where the marketplace has been silent twice; and
 * the data of one seller do not go to those of another.
 */
function isHopeless(failures: Failures): boolean {
  const silent = [...failures.values()].filter((error) => isFailure(error, 'unreachable'))
  return isKeyRefused(failures) || failures.has(syncSeller) || silent.length > 1
}

/** A key may be good for some calls only: orders are what it must be good for. */
function isKeyRefused(failures: Failures): boolean {
  return [syncAccess, syncOrders].some((part) => isFailure(failures.get(part), 'credentials'))
}

type Failing = SyncParts & { readonly round: Round }

async function finish(sync: Failing, failures: Failures): Promise<void> {
  const { round, intervalMs, log, clock } = sync
  const unknown = [...failures.values()].find((error) => !isFailure(error))
  if (unknown !== undefined)
    log.error({ err: unknown }, `sync of cabinet ${round.cabinetId} failed`)
  // What can't be read is told of, and does not keep what can be waiting for longer.
  const failed = [...failures.values()].some((error) => !(error instanceof PartlyMalformed))
  await write(sync, clock.now(), async (work) => {
    const { clientId, cabinetId } = round
    if (failures.size > 0)
      await recordSyncFailure(work, clientId, cabinetId, reasonOf(sync, failures))
    else await recordSync(work, clientId, cabinetId)
    const credentialsRefused = isKeyRefused(failures)
    await endRound(work.tx, round, intervalMs, { failed, credentialsRefused })
  })
}

/**
 * The first failure in Russian, fit for a seller. A key that runs out soon is told of too, whatever
 * the failure is.
 */
function reasonOf({ round, clock }: Failing, failures: Failures): string {
  const [error] = failures.values()
  const reason = wordsOf(error, isKeyRefused(failures))
  if (round.credentialsExpireAt === null || isFailure(error, 'credentials')) return reason
  const end = fromTimestamp(round.credentialsExpireAt)
  if (end - clock.now() > expiringDays * day) return reason
  const date = moscowDate(end).split('-').toReversed().join('.')
  return `${reason}. Ключ доступа действует до ${date}: выпустите новый и передайте менеджеру`
}

/** A key that is good for the rest lacks rights for this, unless the marketplace says what else it is. */
function wordsOf(error: unknown, isKeyRefused: boolean): string {
  if (!isFailure(error)) {
    return 'Ошибка на стороне сервиса: данные маркетплейса пока не обновлены, мы уже разбираемся'
  }
  const isClear = error.kind !== 'credentials' || error.meaning !== undefined
  if (isClear || isKeyRefused) return error.forSeller
  return 'Ключу доступа не хватает прав на часть данных: выпустите новый со всеми правами и передайте менеджеру'
}
