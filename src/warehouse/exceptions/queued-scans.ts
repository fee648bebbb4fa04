import type { Queryable } from '../../platform/db/connection.ts'
import { conflict, type ErrorCode, ServiceError } from '../../platform/kernel/errors.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { asSentences } from '../../platform/kernel/sentences.ts'
import { type ExceptionScan, findExceptionOfScan } from './queries.ts'
import type { RefusedScan } from './verbs.ts'
import type { ScanException } from './view.ts'

/**
 * Scans that a handheld queued while it had no connection. Whoever works on it sends them later. One that is refused
 * then becomes an exception, so that the handheld takes it off its queue.
 */
export interface QueuedScan<T> extends ExceptionScan {
  /** As the handheld sent it. */
  readonly scan: unknown
  readonly queuedAt: Instant
  /** Login of the user who scanned; undefined where the handheld does not say. */
  readonly queuedBy: string | undefined
  /** Of a worker who has left: not to be done, but to be kept. */
  readonly isHandedOver: boolean
  /** Whether nobody who works here has the login. */
  readonly isFormer: (login: string) => Promise<boolean>
  /** The answer of a scan that was done before; undefined for none. */
  readonly find: () => Promise<T | undefined>
  readonly run: () => Promise<T>
  /** Keeps the scan with `keepRefusedScan`, in a transaction of its own. */
  readonly keep: (refused: RefusedScan) => Promise<ScanException>
}

export type QueuedAnswer<T> = { readonly done: T } | { readonly kept: ScanException }

/** Errors that a repeated scan would get again. */
const lasting: readonly ErrorCode[] = ['conflict', 'validation_error', 'not_found']

/** Does a scan from a queue, or keeps it where it is refused. A scan that was kept before stays so. */
export async function runQueuedScan<T>(
  db: Queryable,
  { isHandedOver, isFormer, find, run, keep, ...scan }: QueuedScan<T>,
): Promise<QueuedAnswer<T>> {
  const known = await findExceptionOfScan(db, scan)
  if (known !== undefined) return { kept: known }
  try {
    const reason = await reasonToKeep(scan.queuedBy, isHandedOver, isFormer)
    if (reason === undefined) return { done: await run() }
    const done = await find()
    if (done !== undefined) return { done }
    throw conflict(reason)
  } catch (error) {
    if (!(error instanceof ServiceError) || !lasting.includes(error.code)) throw error
    return { kept: await keep({ ...scan, reason: reasonOf(error) }) }
  }
}

/** Why a manager must decide on a scan, even where the warehouse could accept it. */
async function reasonToKeep(
  login: string | undefined,
  isHandedOver: boolean,
  isFormer: (login: string) => Promise<boolean>,
): Promise<string | undefined> {
  if (login !== undefined && (await isFormer(login))) return `Сотрудник ${login} отключён`
  if (!isHandedOver) return undefined
  return `${login === undefined ? 'Сотрудник' : `Сотрудник ${login}`} ушёл и не отправил скан сам`
}

/** For people on the floor, who do not know how the fields of the call are named. */
function reasonOf({ message, breaches }: ServiceError): string {
  return asSentences(breaches.map(({ rule }) => rule)) || message
}
