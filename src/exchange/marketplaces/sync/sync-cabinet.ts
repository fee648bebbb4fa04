import { recordSync, recordSyncFailure } from '../../../warehouse/clients/cabinets.ts'
import { showHiddenRows } from '../cabinets/hidden-rows.ts'
import { isAccountClosed, isFailure, PartlyMalformed } from '../calls/failure.ts'
import type { Connector } from '../connector.ts'
import { resumeCommands } from '../coordination/resume.ts'
import { type SyncContext, type SyncParts, write } from './context.ts'
import { failureMessage, isOfOneCall } from './failure-message.ts'
import { isPaused, type Lack, lackOf } from './lacks.ts'
import { syncAccess } from './sync-access.ts'
import { syncCards, syncNewCards } from './sync-cards.ts'
import { syncDetails } from './sync-details.ts'
import { syncLabels } from './sync-labels.ts'
import { syncBarcodes, syncOrders, syncStatuses } from './sync-orders.ts'
import { syncReshipments } from './sync-reshipments.ts'
import { syncReturns } from './sync-returns.ts'
import { endSyncRun, type SyncRun, SyncRunAborted } from './sync-runs.ts'
import { syncSeller } from './sync-seller.ts'
import { syncEarlierShipments, syncShipments, syncSplits } from './sync-shipments.ts'
import { syncStock } from './sync-stock.ts'
import { syncWarehouses } from './sync-warehouses.ts'

/**
 * One sync run of a cabinet: reads what its marketplace reports and applies it through the verbs that staff use. Each
 * page is a transaction of its own under the run's lease. So memory and locks stay small whatever the size of the
 * cabinet, and a killed run continues from its last page.
 *
 * - The parts run in a fixed order. A part that fails does not stop the others, except where they would
 *   fail as well; the cabinet shows the first failure.
 * - A refusal of a part that the others can do without is no failure of the run: the cabinet shows what is missing
 *   (lacks.ts).
 * - The progress of a part is recorded when all of it succeeded. The next run begins a little before
 *   that point, because applying a report twice changes nothing.
 *
 * Throws SyncRunAborted where this process must not continue the run.
 */
export async function syncCabinet(parts: SyncParts, run: SyncRun): Promise<void> {
  const begun = performance.now()
  const elapsedMs = () => performance.now() - begun
  const failures: Failures = new Map()
  const lacks: Lacks = new Map(run.lacks.map((lack) => [lack.what, lack]))
  const connector = openConnector(parts, run, failures)
  if (connector !== undefined) {
    const found = { unknownGoods: false, ordersChanged: false, cardsRead: false }
    const startedAt = connector.now()
    const sync: SyncContext = { ...parts, run, connector, startedAt, elapsedMs, found }
    await syncParts(sync, failures, lacks)
  }
  await finish({ ...parts, run }, failures, lacks)
}

type Part = (sync: SyncContext) => Promise<void>
/** In the order in which the parts failed. */
type Failures = Map<Part, unknown>
/** By what is missing. */
type Lacks = Map<string, Lack>

/** Undefined, with a failure, where the cabinet's credentials are unreadable. */
function openConnector(
  { connect, log }: SyncParts,
  run: SyncRun,
  failures: Failures,
): Connector | undefined {
  try {
    return connect({ ...run, id: run.cabinetId })
  } catch (error) {
    log.error({ err: error }, `credentials of cabinet ${run.cabinetId} can't be read`)
    failures.set(syncAccess, error)
    return undefined
  }
}

const resumeOpenCommands: Part = ({ db, locks, clock, connector, run }) =>
  resumeCommands({ db, locks, clock, connector }, run.clientId, run.cabinetId)

/** First: no other part meets rows that are being shown. */
const showHidden: Part = async ({ db, clock, run }) => {
  if (run.hasHiddenRows) await showHiddenRows(db, clock, run.clientId, run.cabinetId)
}

const partsInOrder: readonly Part[] = [
  showHidden,
  syncAccess,
  syncSeller,
  syncWarehouses,
  resumeOpenCommands,
  syncCards,
  syncOrders,
  syncNewCards,
  syncStatuses,
  syncBarcodes,
  syncSplits,
  syncReshipments,
  syncShipments,
  syncDetails,
  syncStock,
  syncReturns,
  syncLabels,
  syncEarlierShipments,
]

/** What a cabinet lacks while a part is refused, in the plural. */
const subjects: ReadonlyMap<Part, string> = new Map([
  [syncWarehouses, 'Склады кабинета'],
  [syncOrders, 'Заказы'],
  [syncStatuses, 'Статусы заказов'],
  [syncShipments, 'Отгрузки'],
])

/** The same for parts that the others can do without. */
const secondary: ReadonlyMap<Part, string> = new Map([
  [syncCards, 'Карточки товаров'],
  [syncNewCards, 'Карточки новых товаров'],
  [syncReshipments, 'Заказы для повторной отгрузки'],
  [syncEarlierShipments, 'Отгрузки прежних дней'],
  [syncDetails, 'Подробности заказов'],
  [syncStock, 'Остатки маркетплейса'],
  [syncReturns, 'Возвраты'],
])

const needsOrders: ReadonlySet<Part> = new Set([syncShipments, syncEarlierShipments])

async function syncParts(sync: SyncContext, failures: Failures, lacks: Lacks): Promise<void> {
  for (const part of partsInOrder) {
    // A shipment that is closed while orders of it are unknown could never take them in.
    if (needsOrders.has(part) && !areOrdersRead(failures)) continue
    const what = secondary.get(part) ?? ''
    if (!hasNewKey(sync) && isPaused(lacks.get(what), sync.clock.now(), sync.intervalMs)) continue
    try {
      await part(sync)
      lacks.delete(what)
    } catch (error) {
      if (error instanceof SyncRunAborted) throw error
      if (what !== '' && isOfOneCall(error, false)) {
        lacks.set(what, noteLack(sync, what, error, lacks.get(what)))
        continue
      }
      failures.set(part, error)
      // The cabinet shows the failure at once: later parts may be slow.
      if (failures.size === 1) await showFailure(sync, failures)
      if (isHopeless(failures)) return
    }
  }
}

/** A new key may reach what the former one lacked. */
const hasNewKey = ({ run }: SyncContext) => run.accessAt === null

function noteLack(
  { run, clock, withdrawnCalls }: SyncContext,
  what: string,
  error: unknown,
  before: Lack | undefined,
): Lack {
  const lack = lackOf(what, error, before, clock.now())
  withdrawnCalls.look({ cabinetId: run.cabinetId, since: lack.since }, error, clock.now())
  return lack
}

/** Also true where single orders were unreadable: they do not delay the shipments of the others. */
function areOrdersRead(failures: Failures): boolean {
  const failure = failures.get(syncOrders)
  return failure === undefined || failure instanceof PartlyMalformed
}

function showFailure(sync: SyncContext, failures: Failures): Promise<void> {
  const { clientId, cabinetId } = sync.run
  return write(sync, sync.clock.now(), (work) =>
    recordSyncFailure(work, clientId, cabinetId, messageOf(sync, failures)),
  )
}

/**
 * Whether the other parts would fail as well: the key is refused, the account is closed to us, or the
 * marketplace was unreachable twice. Also where the seller is not settled: one seller's data must not enter another's cabinet.
 */
function isHopeless(failures: Failures): boolean {
  const unreachable = [...failures.values()].filter((error) => isFailure(error, 'unreachable'))
  return (
    failures.has(showHidden) ||
    isKeyRefused(failures) ||
    [...failures.values()].some(isAccountClosed) ||
    failures.has(syncSeller) ||
    unreachable.length > 1
  )
}

/** A key without the right to orders counts as refused; without other rights it does not. */
function isKeyRefused(failures: Failures): boolean {
  return [syncAccess, syncOrders].some((part) => {
    const failure = failures.get(part)
    return isFailure(failure, 'credentials') && !isAccountClosed(failure)
  })
}

type Finishing = SyncParts & { readonly run: SyncRun }

async function finish(sync: Finishing, failures: Failures, lacks: Lacks): Promise<void> {
  const { run, intervalMs, log, clock, withdrawnCalls } = sync
  const unexpected = [...failures.values()].find((error) => !isFailure(error))
  if (unexpected !== undefined) {
    log.error({ err: unexpected }, `sync of cabinet ${run.cabinetId} failed`)
  }
  logFailure(sync, failures)
  for (const error of failures.values()) {
    const { cabinetId, syncedAt, connectedAt } = run
    withdrawnCalls.look({ cabinetId, since: syncedAt ?? connectedAt }, error, clock.now())
  }
  // Unreadable items do not slow down the cabinet: everything else was read.
  const failed = [...failures.values()].some((error) => !(error instanceof PartlyMalformed))
  await write(sync, clock.now(), async (work) => {
    const { clientId, cabinetId } = run
    if (failures.size > 0) {
      await recordSyncFailure(work, clientId, cabinetId, messageOf(sync, failures))
    } else {
      await recordSync(work, clientId, cabinetId)
    }
    const credentialsRefused = isKeyRefused(failures)
    const known = credentialsRefused ? run.lacks : [...lacks.values()]
    await endSyncRun(work.tx, run, intervalMs, { failed, credentialsRefused, lacks: known })
  })
}

/** The first failure is the one that the cabinet shows. What is unexpected has its own line. */
function logFailure({ run, log }: Finishing, failures: Failures): void {
  const [error] = failures.values()
  if (!isFailure(error)) return
  const { kind, status, call, message } = error
  log.warn({ cabinet: run.cabinetId, kind, status, call, reason: message }, 'a sync run failed')
}

function messageOf({ run, clock }: Finishing, failures: Failures): string {
  const [[part, error] = []] = failures
  return failureMessage(error, {
    subject: part && subjects.get(part),
    syncedAt: run.syncedAt,
    // Without orders there are no shipments either.
    restIsRead: failures.size === 1 && part !== syncOrders && part !== syncWarehouses,
    isKeyRefused: isKeyRefused(failures),
    credentialsExpireAt: run.credentialsExpireAt,
    now: clock.now(),
  })
}
