// Loaded into every process of the tests: notes the processor time that its file took, without what the database did,
// and ends a process that does not end by itself.
import { appendFileSync } from 'node:fs'

// The longest file takes four minutes; a simulation as many more as it is given.
const minutesMax = 15 + Number(process.env.MINUTES ?? 0)

const { SKLAD_TEST_COSTS: path, NODE_TEST_CONTEXT: context } = process.env
if (path !== undefined && context !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    const seconds = (userCPUTime + systemCPUTime) / 1e6
    appendFileSync(path, `${seconds.toFixed(1)} s ${process.argv[1]}\n`)
  })
  setTimeout(giveUp, minutesMax * 60_000).unref()
}

/** Without it, a test that leaves a timer or a connection open would hold up the whole run. */
function giveUp() {
  const open = process.getActiveResourcesInfo().join(', ')
  console.error(`${process.argv[1]} did not end in ${minutesMax} minutes; still open: ${open}`)
  process.exit(1)
}
