// Kills and stops the service and its PostgreSQL under load, again and again, and compares what is there afterwards
// with what was acknowledged. The first lines of `usage` say what the options do.
import { parseArgs } from 'node:util'
import { add, openSession, writeSession } from './chaos/results.ts'
import { type ChaosPlan, playChaos } from './chaos/run.ts'

const usage = `npm run chaos -- [options]

  --runs N        how many runs are played (10)
  --seed S        repeats the faults and the pauses between them (the time)
  --faults N      faults in each run (1)
  --each N        runs in one warehouse, before a new one is opened (20)
  --at-once N     warehouses at a time (1)
  --disk DIR      on a small file system of its own, which is filled as well:
                  mount -t tmpfs -o size=700m tmpfs DIR
  --clock         sets clocks ahead and back, by Debian's libfaketime
  --given         on Debian's PostgreSQL 15 instead of the service's own; with --clock, its clock too
  --out DIR       adds the runs to the results of the day there, after each run
`

const options = {
  runs: { type: 'string', default: '10' },
  seed: { type: 'string', default: `${Date.now()}` },
  faults: { type: 'string', default: '1' },
  each: { type: 'string', default: '20' },
  'at-once': { type: 'string', default: '1' },
  disk: { type: 'string' },
  clock: { type: 'boolean', default: false },
  given: { type: 'boolean', default: false },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const

function readArguments() {
  try {
    return parseArgs({ options })
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
}

const { values } = readArguments()
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const { seed, disk, clock: setsClock, given, out } = values
const [runs, faults, each, atOnce] = [
  values.runs,
  values.faults,
  values.each,
  values['at-once'],
].map((text) => Number(text)) as [number, number, number, number]
if (disk !== undefined && atOnce > 1) {
  console.error('--disk: a warehouse that fills the disk needs it for itself, so --at-once is 1')
  process.exit(2)
}
const reach = [
  ...(disk === undefined ? [] : ['--disk DIR']),
  ...(setsClock ? ['--clock'] : []),
  ...(given ? ['--given'] : []),
].join(' ')
const session = openSession(`--seed ${seed} --faults ${faults} ${reach}`.trim())
/** Runs that no warehouse has begun. */
let left = runs
let opened = 0
let ending = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log(`${signal}: the runs under way are the last`)
    ending = true
  })
}
await Promise.all(Array.from({ length: atOnce }, playWarehouses))
console.log(JSON.stringify(session, null, 2))
process.exitCode = session.failed === 0 ? 0 : 1

async function playWarehouses(): Promise<void> {
  while (left > 0 && !ending) {
    const some = Math.min(left, each)
    left -= some
    opened += 1
    // The first warehouse has the seed itself, so that a failure prints what repeats it.
    const own = opened === 1 ? seed : `${seed}-${opened}`
    await playWarehouse({ seed: own, runs: some, faults, disk, setsClock, given })
  }
}

async function playWarehouse(plan: ChaosPlan): Promise<void> {
  let n = 0
  try {
    for await (const report of playChaos(plan)) {
      n += 1
      note(plan, n, report)
      if (ending) break
    }
  } catch (error) {
    n += 1
    note(plan, n, { faults: [], acknowledged: 0, silenceMs: 0, problems: [String(error)] })
  }
  // A failure ends a warehouse: another one plays the rest.
  left += plan.runs - n
}

function note(plan: ChaosPlan, n: number, report: Parameters<typeof add>[1]): void {
  const where = `--seed ${plan.seed} --faults ${faults} ${reach} --runs ${n}`
  add(session, { ...report, problems: report.problems.map((problem) => `${where}: ${problem}`) })
  if (out !== undefined) writeSession(out, session)
  const outcome = report.problems.length === 0 ? 'nothing lost' : 'FAILED'
  console.log(
    `${session.runs}/${runs} ${where}: ${report.acknowledged} acknowledged, ${outcome}, ` +
      `at most ${report.silenceMs} ms without an answer; ${report.faults.join(', ')}`,
  )
  for (const problem of report.problems) console.log(`  ${problem}`)
}
