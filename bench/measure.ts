import type { Case, Question } from './cases.ts'
import type { Job, Outcome } from './load.ts'
import type { LoadGenerator } from './processes.ts'
import { type ProcessorTime, withProcessorTime } from './processor-time.ts'

/** The figures of one server in one case; each is the median of the rounds. */
export interface Figures {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** One request at a time. */
  readonly aloneP50Ms: number
  readonly aloneP99Ms: number
  readonly bytesPerAnswer: number
  /** Processor time of the server's process per request, under load. */
  readonly processorMsPerRequest: number
  /** Processor time of the database server per request, under load. */
  readonly databaseMsPerRequest: number
}

type Measurement = Outcome & ProcessorTime

export interface CaseResult {
  readonly name: string
  readonly service: Figures
  readonly bare: Figures
  /** Requests per second, service to baseline: the median of the rounds' ratios. */
  readonly ratio: number
  /** Processor time per request, process and database together: service to baseline, the median of the rounds' ratios. */
  readonly processorRatio: number
}

export interface Target {
  readonly url: string
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
}

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** Measures service and baseline in turn and swaps their order in every round. */
export async function measureCase(
  load: LoadGenerator,
  targets: { readonly service: Target; readonly bare: Target; readonly databasePid: number },
  benchCase: Case,
  plan: Plan,
): Promise<CaseResult> {
  const sides = ['service', 'bare'] as const
  const many = { service: [] as Measurement[], bare: [] as Measurement[] }
  const alone = { service: [] as Measurement[], bare: [] as Measurement[] }
  const run = (side: 'service' | 'bare', connections: number) => {
    const pids = { server: targets[side].pid, database: targets.databasePid }
    const plannedRun = { ...plan, connections }
    return withProcessorTime(pids, () =>
      ask(load, targets[side], benchCase[side], benchCase, plannedRun),
    )
  }
  for (const side of sides) await run(side, plan.connections)
  for (let round = 0; round < plan.rounds; round += 1) {
    const order = round % 2 === 0 ? sides : sides.toReversed()
    for (const side of order) many[side].push(await run(side, plan.connections))
    for (const side of order) alone[side].push(await run(side, 1))
  }
  const ratioOf = (figure: (measurement: Measurement) => number) =>
    median(
      many.service.map((service, round) => {
        const bare = many.bare[round]
        return bare === undefined ? Number.NaN : figure(service) / figure(bare)
      }),
    )
  return {
    name: benchCase.name,
    service: figuresOf(many.service, alone.service),
    bare: figuresOf(many.bare, alone.bare),
    ratio: ratioOf(({ requestsPerSecond }) => requestsPerSecond),
    processorRatio: ratioOf(
      ({ processorMsPerRequest, databaseMsPerRequest }) =>
        processorMsPerRequest + databaseMsPerRequest,
    ),
  }
}

/**
 * How long one request of the first case takes beside one of the second, both of the service and in turn: the median of
 * the rounds' ratios. Cases that are measured one after the other differ by what the machine does meanwhile, too.
 */
export async function compareAlone(
  load: LoadGenerator,
  service: Target,
  [first, second]: readonly [Case, Case],
  plan: Plan,
): Promise<number> {
  const alone = { ...plan, connections: 1 }
  const p50 = async (benchCase: Case) =>
    (await ask(load, service, benchCase.service, benchCase, alone)).p50Ms
  const ratios: number[] = []
  for (let round = 0; round < 2 * plan.rounds; round += 1) {
    const earlier = round % 2 === 0 ? await p50(first) : undefined
    const divisor = await p50(second)
    ratios.push((earlier ?? (await p50(first))) / divisor)
  }
  return median(ratios)
}

async function ask(
  load: LoadGenerator,
  target: Target,
  question: Question,
  { name, status }: Case,
  { seconds, connections }: Plan,
): Promise<Outcome> {
  const job = {
    url: target.url,
    headers: { ...target.headers, ...question.headers },
    paths: question.paths,
    body: question.body,
    connections,
  }
  const outcome = await runUntilAnswered(load, { ...job, seconds })
  const expected = outcome.statuses[status] ?? 0
  if (outcome.errors > 0 || expected < outcome.requests || expected === 0) {
    throw new Error(
      `${name}: expected ${status} from ${target.url}, got ${JSON.stringify(outcome)}`,
    )
  }
  return outcome
}

const secondsMax = 60

/** On a busy machine the first answers to many large requests may come after a short run has ended: then a longer one. */
async function runUntilAnswered(load: LoadGenerator, job: Job): Promise<Outcome> {
  for (let seconds = job.seconds; ; seconds *= 4) {
    const outcome = await load.run({ ...job, seconds })
    if (outcome.requests > 0 || outcome.errors > 0 || seconds > secondsMax) return outcome
  }
}

function figuresOf(many: readonly Measurement[], alone: readonly Measurement[]): Figures {
  return {
    requestsPerSecond: median(many.map((outcome) => outcome.requestsPerSecond)),
    p50Ms: median(many.map((outcome) => outcome.p50Ms)),
    p99Ms: median(many.map((outcome) => outcome.p99Ms)),
    aloneP50Ms: median(alone.map((outcome) => outcome.p50Ms)),
    aloneP99Ms: median(alone.map((outcome) => outcome.p99Ms)),
    bytesPerAnswer: median(many.map((outcome) => outcome.bytesPerAnswer)),
    processorMsPerRequest: median(many.map((outcome) => outcome.processorMsPerRequest)),
    databaseMsPerRequest: median(many.map((outcome) => outcome.databaseMsPerRequest)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  return (low + high) / 2
}

/** Of values in ascending order. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
