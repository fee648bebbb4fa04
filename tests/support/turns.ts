/** How often the event loop came round while the work was done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isDone = true
  }
  return turns
}
