/** What a tier was measured by, as medians of its second half. Shares are between 0 and 1. */
export interface TierFigures {
  /** Cabinets whose run is due since more than an interval. */
  readonly late: number
  readonly cabinets: number
  /** Of the machine's processors, stand-ins and callers included. */
  readonly processorShare: number
  /** Of one processor, for the busiest worker: a process runs on one. */
  readonly busiestWorkerShare: number
  readonly busiestApiShare: number
  /** Connections of the server at work, of those that may be. */
  readonly connectionShare: number
  /** Statements that wait for a connection, over all processes. */
  readonly waiting: number
  readonly readsP99Ms: number
}

/** The slowest read that people still call prompt. */
const readsMsMax = 1_000
const fullShare = 0.85

/** What kept the tier from more, in words; or which part is the fullest where nothing did. */
export function wallOf(figures: TierFigures): string {
  const { late, cabinets, readsP99Ms } = figures
  const isLate = late > cabinets * 0.01
  const isSlow = readsP99Ms > readsMsMax
  if (!isLate && !isSlow) return `No wall was reached. The fullest: ${fullest(figures)}.`
  const signs = [
    ...(isLate ? [`${late} of ${cabinets} cabinets are late`] : []),
    ...(isSlow ? [`reads take ${Math.round(readsP99Ms)} ms (p99)`] : []),
  ]
  return `The wall was ${causeOf(figures)}: ${signs.join(', ')}.`
}

function causeOf(figures: TierFigures): string {
  if (figures.processorShare > fullShare) return "the machine's processors"
  if (figures.waiting >= 1 || figures.connectionShare > fullShare) return 'connections'
  if (figures.busiestWorkerShare > fullShare) return 'the processor of a worker'
  if (figures.busiestApiShare > fullShare) return 'the processor of the API process'
  return 'the turns of sync runs: what marketplaces take and allow, and how many run at once'
}

function fullest(figures: TierFigures): string {
  const parts: readonly (readonly [string, number])[] = [
    ["the machine's processors", figures.processorShare],
    ['connections', figures.connectionShare],
    ['the processor of a worker', figures.busiestWorkerShare],
    ['the processor of the API process', figures.busiestApiShare],
  ]
  const [name, share] = parts.reduce((most, each) => (each[1] > most[1] ? each : most))
  return `${name}, ${Math.round(share * 100)} %`
}
