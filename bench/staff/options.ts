import { readArguments } from '../arguments.ts'

export interface StaffOptions {
  readonly rounds: number
  /** Length of one measurement of scans. */
  readonly seconds: number
  /** In one call, and in one shipment. */
  readonly orders: number
  readonly only: string | undefined
  /** A new data directory to keep. Default: a temporary one. */
  readonly dataDir: string | undefined
  readonly profileDir: string | undefined
  /** Directory of the results. Undefined: print only. */
  readonly resultsDir: string | undefined
}

const usage = `node bench/staff.ts [options]

  --rounds N     rounds of every case (3)
  --seconds N    length of one measurement of scans (3)
  --orders N     orders in one call and in one shipment, at most 1000 (1000)
  --only TEXT    only cases whose name contains the text
  --data DIR     keep the data there
  --profile DIR  let the service write a CPU profile there
  --out DIR      directory of the results (bench/results)
  --no-out       print the results only
  --smoke        run every case once, small and short; print only
`

export function readStaffOptions(argv: readonly string[]): StaffOptions {
  const flags = ['rounds', 'seconds', 'orders', 'only', 'data', 'profile'] as const
  const given = readArguments(argv, usage, flags)
  return {
    rounds: given.number('rounds', { usual: 3, smoke: 1, least: 1, most: 1_000 }),
    seconds: given.number('seconds', { usual: 3, smoke: 0.3, least: 0.1, most: 600 }),
    orders: given.number('orders', { usual: 1_000, smoke: 50, least: 1, most: 1_000 }),
    only: given.text.only,
    dataDir: given.text.data,
    profileDir: given.text.profile,
    resultsDir: given.resultsDir,
  }
}
