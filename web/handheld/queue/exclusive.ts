import { newId } from '../../api/new-id.ts'
import { keep, takeLease } from './disk.ts'

/**
 * One tab of the browser at a time sends what is queued. Locks of the browser see to it; pages without HTTPS have
 * none, there a lease on the disk does, which outlives its tab by at most its length.
 */

/** Longer than a call may take. */
const leaseMs = 40_000
const retryMs = 500

export async function exclusively<T>(
  act: (renew: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const { locks } = navigator as { locks?: LockManager }
  if (locks !== undefined) return locks.request('sklad-queue', () => act(async () => {}))
  return underLease(act)
}

let last: Promise<unknown> = Promise.resolve()

function underLease<T>(act: (renew: () => Promise<unknown>) => Promise<T>): Promise<T> {
  const run = async () => {
    while (!(await takeLease(tab, leaseMs))) {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    try {
      return await act(() => takeLease(tab, leaseMs))
    } finally {
      await keep('lease', undefined)
    }
  }
  // Within the tab one after the other, since the lease is the tab's.
  const result = last.then(run, run)
  last = result.catch(() => {})
  return result
}

const tab = newId()
