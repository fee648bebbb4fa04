import type { Case, Question } from './cases.ts'
import type { Outcome } from './load.ts'
import type { LoadGenerator } from './processes.ts'

/** What one server did in one case, each figure the median of the rounds. */
export interface Figures {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** With one call at a time. */
  readonly aloneP50Ms: number
  readonly aloneP99Ms: number
  readonly bytesPerAnswer: number
}

export interface CaseResult {
  readonly name: string
  readonly service: Figures
  readonly bare: Figures
  /** Requests a second of the service to those of the baseline, the median of the rounds' ratios. */
  readonly ratio: number
}

export interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** The service and the baseline take turns, in every round the other way round. */
export async function measureCase(
  load: LoadGenerator,
  targets: { readonly service: Target; readonly bare: Target },
  asked: Case,
  plan: Plan,
): Promise<CaseResult> {
  const sides = ['service', 'bare'] as const
  const many = { service: [] as Outcome[], bare: [] as Outcome[] }
  const alone = { service: [] as Outcome[], bare: [] as Outcome[] }
  const run = (side: 'service' | 'bare', connections: number) =>
    ask(load, targets[side], asked[side], asked, { ...plan, connections })
  for (const side of sides) await run(side, plan.connections)
  for (let round = 0; round < plan.rounds; round += 1) {
    const order = round % 2 === 0 ? sides : sides.toReversed()
    for (const side of order) many[side].push(await run(side, plan.connections))
    for (const side of order) alone[side].push(await run(side, 1))
  }
  const ratios = many.service.map(
    ({ requestsPerSecond }, round) =>
      requestsPerSecond / (many.bare[round]?.requestsPerSecond ?? Number.NaN),
  )
  return {
    name: asked.name,
    service: figuresOf(many.service, alone.service),
    bare: figuresOf(many.bare, alone.bare),
    ratio: median(ratios),
  }
}

async function ask(
  load: LoadGenerator,
  target: Target,
  question: Question,
  { name, status }: Case,
  { seconds, connections }: Plan,
): Promise<Outcome> {
  const outcome = await load.run({
    url: target.url,
    headers: { ...target.headers, ...question.headers },
    paths: question.paths,
    body: question.body,
    connections,
    seconds,
  })
  const expected = outcome.statuses[status] ?? 0
  if (outcome.errors > 0 || expected < outcome.requests || expected === 0) {
    throw new Error(
      `${name}: expected ${status} from ${target.url}, got ${JSON.stringify(outcome)}`,
    )
  }
  return outcome
}

function figuresOf(many: readonly Outcome[], alone: readonly Outcome[]): Figures {
  return {
    requestsPerSecond: median(many.map((outcome) => outcome.requestsPerSecond)),
    p50Ms: median(many.map((outcome) => outcome.p50Ms)),
    p99Ms: median(many.map((outcome) => outcome.p99Ms)),
    aloneP50Ms: median(alone.map((outcome) => outcome.p50Ms)),
    aloneP99Ms: median(alone.map((outcome) => outcome.p99Ms)),
    bytesPerAnswer: median(many.map((outcome) => outcome.bytesPerAnswer)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  const high = sorted[Math.floor(middle)] ?? Number.NaN
  return (low + high) / 2
}
