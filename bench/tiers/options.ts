import { readArguments } from '../arguments.ts'

export interface TierOptions {
  /** Each has one cabinet of either marketplace, and a key that reads. */
  readonly sellers: number
  readonly orders: number
  readonly goods: number
  readonly latencyMs: number
  readonly workers: number
  readonly minutes: number
  readonly changeSeconds: number
  readonly speed: number
  /** Connections of the pooler to the server; 0: no pooler. */
  readonly pooler: number
  readonly resultsDir: string | undefined
}

const usage = `node bench/tiers.ts [options]

  --sellers N    sellers, each with a cabinet of WB and one of OZON (50; a tier: 1000)
  --orders N     open orders of each cabinet (50)
  --goods N      cards of each cabinet (50)
  --latency MS   how long the marketplaces take for every answer (200)
  --change N     seconds after which something changes in a cabinet, by its clock (300: five times what 10,000 orders
                 of a seller in a year make on the mean)
  --workers N    processes that do the background work (3)
  --minutes N    how long it plays after the first sync runs (2; a tier: 60)
  --speed N      how much faster than the clock everything comes: intervals, reads, changes, limits (6);
                 cabinets are synced every 3 minutes by that clock, so play for more of them
  --pooler N     connections of pgbouncer to the server (40); 0: none
  --out DIR      directory of the results (bench/results)
  --no-out       print the results only
  --smoke        small and short; print only
`

export function readTierOptions(argv: readonly string[]): TierOptions {
  const flags = [
    ...(['sellers', 'orders', 'goods', 'latency', 'change', 'workers', 'minutes'] as const),
    ...(['speed', 'pooler'] as const),
  ]
  const given = readArguments(argv, usage, flags)
  const whole = true
  return {
    sellers: given.number('sellers', { usual: 50, smoke: 3, least: 1, whole }),
    orders: given.number('orders', { usual: 50, smoke: 10, least: 1, whole }),
    goods: given.number('goods', { usual: 50, smoke: 5, least: 1, whole }),
    latencyMs: given.number('latency', { usual: 200, smoke: 10, least: 0, whole }),
    changeSeconds: given.number('change', { usual: 300, smoke: 10, least: 0.1 }),
    workers: given.number('workers', { usual: 3, smoke: 2, least: 1, whole }),
    minutes: given.number('minutes', { usual: 2, smoke: 0.2, least: 0.05 }),
    speed: given.number('speed', { usual: 6, smoke: 20, least: 1 }),
    pooler: given.number('pooler', { usual: 40, smoke: 10, least: 0, whole }),
    resultsDir: given.resultsDir,
  }
}
