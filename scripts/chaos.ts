// Kills and stops the service and its PostgreSQL under load, again and again, and compares what is there afterwards
// with what was acknowledged: "npm run chaos -- --runs N --seed S --faults N --disk DIR --clock". A seed repeats the
// faults and the pauses between them. With --disk, a directory on a small file system of its own, the disk is filled as
// well; with --clock the service's clock is set ahead and back, by Debian's libfaketime.
import { parseArgs } from 'node:util'
import { type ChaosReport, playChaos } from './chaos/run.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now()}` },
    faults: { type: 'string', default: '4' },
    disk: { type: 'string' },
    clock: { type: 'boolean', default: false },
  },
})
const { seed, disk, clock: setsClock } = values
const runs = Number(values.runs)
const totals = { acknowledged: 0, silenceMs: 0, failed: 0 }
const times = new Map<string, number>()

for (let n = 1; n <= runs; n++) {
  // The first run of a seed is the seed itself, so that a failure prints what repeats it.
  const own = n === 1 ? seed : `${seed}-${n}`
  const report = await playChaos({
    seed: own,
    faults: Number(values.faults),
    disk,
    setsClock,
  }).catch(failed)
  totals.acknowledged += report.acknowledged
  totals.silenceMs = Math.max(totals.silenceMs, report.silenceMs)
  for (const name of report.faults) times.set(name, (times.get(name) ?? 0) + 1)
  const outcome = report.problems.length === 0 ? 'nothing lost' : 'FAILED'
  console.log(
    `${n}/${runs} --seed ${own}: ${report.acknowledged} acknowledged, ${outcome}, ` +
      `at most ${report.silenceMs} ms without an answer; ${report.faults.join(', ')}`,
  )
  for (const problem of report.problems) console.log(`  ${problem}`)
  if (report.problems.length > 0) totals.failed += 1
}
console.log(JSON.stringify({ runs, ...totals, faults: Object.fromEntries(times) }, null, 2))
process.exitCode = totals.failed === 0 ? 0 : 1

function failed(error: unknown): ChaosReport {
  return { faults: [], acknowledged: 0, silenceMs: 0, problems: [String(error)] }
}
