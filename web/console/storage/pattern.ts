/** What a pattern of codes makes, as the service expands it: `A-{01..10}-{1..4}`. */

export interface PatternPreview {
  readonly count: number
  readonly first: string
  readonly last: string
}

/** Undefined where the pattern has no range that can be counted; the service says why. */
export function previewOf(pattern: string): PatternPreview | undefined {
  let count = 1
  let [first, last] = ['', '']
  for (const part of pattern
    .trim()
    .toUpperCase()
    .split(/(\{[^{}]*\})/)) {
    const range = /^\{(\w+)\.\.(\w+)\}$/.exec(part)
    if (range === null) {
      if (/[{}]/.test(part)) return undefined
      first += part
      last += part
      continue
    }
    const [, from = '', to = ''] = range
    const steps = stepsBetween(from, to)
    if (steps === undefined) return undefined
    count *= steps
    first += from
    last += to
  }
  return first === '' ? undefined : { count, first, last }
}

function stepsBetween(from: string, to: string): number | undefined {
  const areNumbers = /^\d+$/.test(from) && /^\d+$/.test(to)
  const areLetters = /^[A-Z]$/.test(from) && /^[A-Z]$/.test(to)
  if (!areNumbers && !areLetters) return undefined
  const steps = areNumbers ? Number(to) - Number(from) : to.charCodeAt(0) - from.charCodeAt(0)
  return steps < 0 ? undefined : steps + 1
}
