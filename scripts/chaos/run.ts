import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError } from '../../src/platform/db/connections/errors.ts'
import { type Random, seededRandom } from '../../src/platform/kernel/random.ts'
import { check } from './check.ts'
import { pickFault } from './faults.ts'
import { countOf, startLoad } from './load.ts'
import { checkMoney } from './money.ts'
import { openShift } from './scene.ts'
import { endWith, openWarehouse, type Warehouse, type WarehousePlan } from './warehouse.ts'

/**
 * Plays in one warehouse, one after the other: in each a new shift works while processes are killed and stopped.
 * Then everything that was acknowledged since the warehouse was opened is looked for, and the audit runs.
 */
export interface ChaosPlan extends WarehousePlan {
  /** Repeats the faults and the pauses between them. */
  readonly seed: string
  readonly runs: number
  /** How many faults follow one another in a run. */
  readonly faults: number
}

export interface ChaosReport {
  readonly faults: readonly string[]
  /** How many things the service acknowledged. */
  readonly acknowledged: number
  /** The longest time in which it acknowledged nothing to anybody. */
  readonly silenceMs: number
  /** Empty: nothing was lost. */
  readonly problems: readonly string[]
}

/** Ends with the first run that has a problem: what follows would have it too. */
export async function* playChaos(plan: ChaosPlan): AsyncGenerator<ChaosReport> {
  const random = seededRandom(plan.seed)
  await using warehouse = await openWarehouse(plan)
  for (let n = 1; n <= plan.runs; n++) {
    const report = await playShift(warehouse, plan, random, n)
    yield report
    if (report.problems.length > 0) return
  }
}

const shiftSize = { toPick: 80, setsToPick: 20, toAssemble: 20, away: 20 }

async function playShift(
  warehouse: Warehouse,
  plan: ChaosPlan,
  random: Random,
  n: number,
): Promise<ChaosReport> {
  const { scene, silence, acknowledged } = warehouse
  const before = countOf(acknowledged)
  const happened: string[] = []
  const problems: string[] = []
  try {
    const shift = await openShift(scene, `shift ${n}`, shiftSize)
    silence.longestMs = 0
    const load = startLoad(scene, shift, acknowledged)
    for (let fault = 0; fault < plan.faults; fault++) {
      happened.push(await breakSomething(warehouse, plan, random))
    }
    await sleep(random.int(100, 1_000))
    // Somebody sets the clocks right in the end.
    warehouse.clock?.set(0)
    warehouse.databaseClock?.set(0)
    await load.stop()
    problems.push(...(await check(scene, acknowledged, warehouse.received)))
    if (problems.length > 0) problems.push(...(await warehouse.database.syncStates()))
    await patiently(() => warehouse.database.charge(scene.client))
    problems.push(...(await checkMoney(scene, acknowledged)))
    problems.push(...(await patiently(() => warehouse.database.audit())))
    if (n === plan.runs) problems.push(...(await endOrderly(warehouse)))
  } catch (error) {
    problems.push(String(error))
  }
  return {
    faults: happened,
    acknowledged: countOf(acknowledged) - before,
    silenceMs: Math.round(silence.longestMs),
    problems,
  }
}

async function breakSomething(warehouse: Warehouse, plan: ChaosPlan, random: Random) {
  await sleep(random.int(100, 2_000))
  const fault = pickFault(random, {
    mayFillDisk: plan.disk !== undefined,
    maySetClock: plan.setsClock,
    maySetDatabaseClock: warehouse.databaseClock !== undefined,
  })
  await fault.happen(warehouse)
  return fault.name
}

const patienceMs = 180_000

/** As an operator does: the command is repeated where it lost its connection to a server that recovers or is overloaded. */
async function patiently<T>(command: () => Promise<T>): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      return await command()
    } catch (error) {
      if (!(error instanceof ConnectionError) || performance.now() > end) throw error
    }
  }
}

async function endOrderly({ service }: Warehouse): Promise<string[]> {
  const code = await endWith(service(), 'SIGTERM')
  return code === 0 ? [] : [`the service ended with ${code}`]
}
