/**
 * States of a count.
 *
 *   DRAFT --start--> COUNTING --review--> REVIEW --close--> CLOSED
 *                       ^                   |
 *                       +------recount------+
 *   DRAFT, COUNTING, REVIEW --cancel--> CANCELLED
 *
 * `scan` needs COUNTING and `decide` needs REVIEW; neither changes the state. Nor do `finish` and `resume`, by which a
 * worker says that nothing is left to count, or that something is: whether a count is counted follows from its workers.
 */
export const countStatuses = ['DRAFT', 'COUNTING', 'REVIEW', 'CLOSED', 'CANCELLED'] as const
export type CountStatus = (typeof countStatuses)[number]

export const countStatusLabels: Readonly<Record<CountStatus, string>> = {
  DRAFT: 'Подготовлен',
  COUNTING: 'Идёт пересчёт',
  REVIEW: 'На проверке',
  CLOSED: 'Закрыт',
  CANCELLED: 'Отменён',
}

export const countVerbs = [
  'start',
  'scan',
  'finish',
  'resume',
  'review',
  'recount',
  'decide',
  'close',
  'cancel',
] as const
export type CountVerb = (typeof countVerbs)[number]

const transitions: Readonly<
  Record<CountVerb, { readonly from: readonly CountStatus[]; readonly to?: CountStatus }>
> = {
  start: { from: ['DRAFT'], to: 'COUNTING' },
  scan: { from: ['COUNTING'] },
  finish: { from: ['COUNTING'] },
  resume: { from: ['COUNTING'] },
  review: { from: ['COUNTING'], to: 'REVIEW' },
  recount: { from: ['REVIEW'], to: 'COUNTING' },
  decide: { from: ['REVIEW'] },
  close: { from: ['REVIEW'], to: 'CLOSED' },
  cancel: { from: ['DRAFT', 'COUNTING', 'REVIEW'], to: 'CANCELLED' },
}

/** The state after a verb; undefined where the state does not allow it. */
export function afterCountVerb(status: CountStatus, verb: CountVerb): CountStatus | undefined {
  const { from, to } = transitions[verb]
  return from.includes(status) ? (to ?? status) : undefined
}

interface WorkerOfCount {
  readonly finished_at: string | null
  readonly last_at: string
}

/** Whether a worker counts in the round that runs: a scan since the last review, and no word that nothing is left. */
export function isAtWork(worker: WorkerOfCount, reviewedAt: string | null): boolean {
  return worker.finished_at === null && (reviewedAt === null || worker.last_at > reviewedAt)
}

/** What to do with a count in a state that does not allow a verb, in Russian. */
const countAdvice: Readonly<Record<CountStatus, string>> = {
  DRAFT: 'сначала его начинает менеджер',
  COUNTING: 'сначала посчитайте всё и отдайте его на проверку',
  REVIEW: 'посчитанное проверяет менеджер, он может отдать товары на новый счёт',
  CLOSED: 'он закончен, начните новый',
  CANCELLED: 'его отменили, начните новый',
}

const refusals: Readonly<Record<CountVerb, string>> = {
  start: 'Начать нельзя',
  scan: 'Считать нельзя',
  finish: 'Закончить счёт нельзя',
  resume: 'Считать дальше нельзя',
  review: 'Отдать на проверку нельзя',
  recount: 'Пересчитать заново нельзя',
  decide: 'Решить по строке нельзя',
  close: 'Закрыть нельзя',
  cancel: 'Отменить нельзя',
}

/** Why a count of that status does not take the verb, and what to do, in Russian. */
export function refusalOfCount(status: CountStatus, verb: CountVerb): string {
  const state = `пересчёт в состоянии «${countStatusLabels[status]}»`
  return `${refusals[verb]}: ${state}, ${countAdvice[status]}`
}

/** Why a count can't be cancelled once this was decided on, in Russian. */
export function refusalOfDecided(barcode: string): string {
  return `Отменить нельзя: по товару ${barcode} уже решено, закройте пересчёт`
}

export const countOutcomes = ['correct', 'in_question', 'ignore'] as const
export type CountOutcome = (typeof countOutcomes)[number]

interface CountedLine {
  readonly counted: number
  readonly expected_min: number
  readonly expected_max: number
}

/** Units that are too many (+) or missing (−): those outside of all that was expected while goods were counted. */
export function differenceOf({ counted, expected_min, expected_max }: CountedLine): number {
  if (counted > expected_max) return counted - expected_max
  return counted < expected_min ? counted - expected_min : 0
}
