import { openPoller, type Polling } from '../../platform/concurrency/poller.ts'
import type { Database } from '../../platform/db/connection.ts'
import { inTransaction } from '../../platform/db/connection.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { WarningLog } from '../../platform/kernel/log.ts'
import { clearLeftover, moveWaitingPhoto } from '../../warehouse/photos/stored-bytes.ts'
import type { BlobStore } from './blob-store.ts'

export interface PhotoMoverParts {
  readonly db: Database
  readonly clock: Clock
  readonly store: BlobStore
  readonly log: WarningLog
}

const pollMs = 2_000
/** After a failure: the photos wait in the database meanwhile. */
const pauseMs = 30_000

/**
 * Brings photos from the database to the store, one after the other, and removes there what was removed here. Any number of processes may
 * run it: the row of a photo, or of what is left over, is locked while the store is asked. A stop between the store's answer and the
 * commit repeats the request, which changes nothing.
 */
export function openPhotoMover({ db, clock, store, log }: PhotoMoverParts): Polling {
  let pausedUntil = 0
  const poller = openPoller<'photos'>({
    everyMs: pollMs,
    look,
    onError: (error) => log.error({ err: error }, 'moving photos failed'),
  })

  async function look(): Promise<void> {
    if (poller.running.length > 0 || clock.now() < pausedUntil) return
    poller.begin('photos', moveAll())
  }

  async function moveAll(): Promise<void> {
    try {
      while (await inTransaction(db, (tx) => moveWaitingPhoto(tx, store)));
      while (await inTransaction(db, (tx) => clearLeftover(tx, store)));
    } catch (error) {
      pausedUntil = clock.now() + pauseMs
      log.warn({ err: error }, 'the store of photos did not answer: photos wait in the database')
    }
  }

  return poller
}
