/**
 * Renews something every so often until it is told to stop. The next renewal waits for the last one:
 * where the database is slow they would pile up otherwise, and make it slower. What fails is tried
 * again with the next tick.
 */
export function keepRenewed(renew: () => Promise<void>, everyMs: number): () => void {
  let underWay = false
  const timer = setInterval(() => {
    if (underWay) return
    underWay = true
    renew()
      .catch(() => {})
      .finally(() => {
        underWay = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}
