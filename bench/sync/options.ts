import { readArguments } from '../arguments.ts'

export interface SyncOptions {
  readonly cabinets: number
  readonly orders: number
  readonly goods: number
  readonly latencyMs: number
  readonly rounds: number
  readonly backlog: number
  readonly resultsDir: string | undefined
}

const usage = `node bench/sync.ts [options]

  --cabinets N   connected cabinets (100), half of them of each marketplace
  --orders N     open orders of each (1000)
  --goods N      cards of each (100)
  --latency MS   how long the marketplaces take for every answer (200)
  --rounds N     rounds after the first (3)
  --backlog N    open orders of one more cabinet (20000), with another one whose answers take 12 seconds
                 and one that answers 429 to everything; 0: none of the three
  --out DIR      directory of the results (bench/results)
  --no-out       print the results only
  --smoke        small and short; print only
`

export function readSyncOptions(argv: readonly string[]): SyncOptions {
  const flags = ['cabinets', 'orders', 'goods', 'latency', 'rounds', 'backlog'] as const
  const given = readArguments(argv, usage, flags)
  const whole = true
  return {
    cabinets: given.number('cabinets', { usual: 100, smoke: 4, least: 1, whole }),
    orders: given.number('orders', { usual: 1_000, smoke: 50, least: 1, whole }),
    goods: given.number('goods', { usual: 100, smoke: 10, least: 1, whole }),
    latencyMs: given.number('latency', { usual: 200, smoke: 10, least: 0, whole }),
    rounds: given.number('rounds', { usual: 3, smoke: 1, least: 1, whole }),
    backlog: given.number('backlog', { usual: 20_000, smoke: 300, least: 0, whole }),
    resultsDir: given.resultsDir,
  }
}
