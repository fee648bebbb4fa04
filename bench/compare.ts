import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Results, table } from './report.ts'

/**
 * Compares results with the last ones that were committed, by processor time per request relative to the baseline of
 * the same run. No other figure stays nearly the same on another machine, or on a busy one.
 */

/** Less is noise. */
const worseFrom = 1.2

type Compared = Pick<Results, 'orders' | 'date' | 'commit'> & {
  readonly cases: readonly { readonly name: string; readonly processorRatio?: number }[]
}

/** The newest results of as many orders in the directory, before `results`. */
export function lastResults(directory: string, results: Compared): Compared | undefined {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Partial<Compared>)
    .filter((each): each is Compared => isComparable(each, results))
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .at(-1)
}

function isComparable({ orders, cases, date = '' }: Partial<Compared>, results: Compared): boolean {
  return (
    orders === results.orders &&
    date < results.date &&
    cases?.some(({ processorRatio }) => processorRatio !== undefined) === true
  )
}

export interface Change {
  readonly name: string
  readonly before: number
  readonly now: number
  readonly isWorse: boolean
}

/** The cases that both have, the one that became worst first. */
export function changes(before: Compared, now: Compared): Change[] {
  const ratios = new Map(before.cases.map(({ name, processorRatio }) => [name, processorRatio]))
  return now.cases
    .flatMap(({ name, processorRatio: ratio }) => {
      const last = ratios.get(name)
      if (last === undefined || ratio === undefined) return []
      return [{ name, before: last, now: ratio, isWorse: ratio / last >= worseFrom }]
    })
    .toSorted((a, b) => b.now / b.before - a.now / a.before)
}

export function describeChanges(before: Compared, now: Compared): string {
  const all = changes(before, now)
  const worse = all.filter(({ isWorse }) => isWorse)
  const verdict =
    worse.length === 0
      ? 'Nothing became worse.'
      : `Worse: ${worse.map(({ name }) => name).join('; ')}.`
  const rows = all
    .map(({ name, before, now }) => ({ name, before, now, change: now / before }))
    .filter(({ change }) => change >= worseFrom || change <= 1 / worseFrom)
    .map(({ name, ...figures }) => [name, ...Object.values(figures).map((n) => n.toFixed(2))])
  return `"cpu ratio" in the last results (commit ${before.commit}, ${before.date.slice(0, 10)}) and now, where it changed by more than noise.
${verdict}

${table(['Case', 'before', 'now', 'change'], rows)}
`
}
