/**
 * Renews a lease every `everyMs` milliseconds until the returned function is called. Renewals never
 * overlap: on a slow database they would pile up and slow it further. A failed renewal is tried again
 * at the next tick; the lease itself bounds how long failures can go unnoticed. It keeps no process alive.
 */
export function renewPeriodically(renew: () => Promise<void>, everyMs: number): () => void {
  let isRenewing = false
  const timer = setInterval(() => {
    if (isRenewing) return
    isRenewing = true
    renew()
      .catch(() => {})
      .finally(() => {
        isRenewing = false
      })
  }, everyMs).unref()
  return () => clearInterval(timer)
}
