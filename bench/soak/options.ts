import { readArguments } from '../arguments.ts'

export interface SoakOptions {
  readonly minutes: number
  /** Seconds between two samples. */
  readonly everySeconds: number
  /** API keys that call at their full rate, one call a second. */
  readonly keys: number
  /** Workers who scan once a second. */
  readonly workers: number
  readonly cabinets: number
  /** Events a second; a fifth of them for receivers that fail. */
  readonly events: number
  readonly resultsDir: string | undefined
  /** Whether the time is long enough to tell what grows. */
  readonly judges: boolean
}

const usage = `node bench/soak.ts [options]

  --minutes N    how long (60)
  --every N      seconds between two samples (30)
  --keys N       API keys at their full rate of one call a second (200)
  --workers N    workers who scan once a second (40)
  --cabinets N   cabinets that sync every three minutes (200)
  --events N     events a second, a fifth of them for receivers that fail (100)
  --out DIR      directory of the results (bench/results)
  --no-out       print the results only
  --smoke        a few seconds, small; print only

The defaults are twice the nominal load: 100 keys, 20 workers, 100 cabinets and 50 events a second.
`

export function readSoakOptions(argv: readonly string[]): SoakOptions {
  const flags = ['minutes', 'every', 'keys', 'workers', 'cabinets', 'events'] as const
  const given = readArguments(argv, usage, flags)
  const whole = true
  return {
    minutes: given.number('minutes', { usual: 60, smoke: 0.2, least: 0.1 }),
    everySeconds: given.number('every', { usual: 30, smoke: 2, least: 1 }),
    keys: given.number('keys', { usual: 200, smoke: 10, least: 1, whole }),
    workers: given.number('workers', { usual: 40, smoke: 4, least: 1, whole }),
    cabinets: given.number('cabinets', { usual: 200, smoke: 4, least: 2, whole }),
    events: given.number('events', { usual: 100, smoke: 10, least: 5, whole }),
    resultsDir: given.resultsDir,
    judges: !given.smoke,
  }
}
