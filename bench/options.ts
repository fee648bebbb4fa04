import { readArguments } from './arguments.ts'

export interface Options {
  /** Orders in the table; a third of them belong to the client that is asked for. */
  readonly orders: number
  readonly rounds: number
  /** Length of one measurement. */
  readonly seconds: number
  readonly connections: number
  /** How often a start of the service in an empty directory is timed. */
  readonly starts: number
  /** How many sandbox copies are timed. */
  readonly copies: number
  /** Only the cases whose name contains this. */
  readonly only: string | undefined
  /** A data directory to keep, and to take up again as it is; a temporary one unless given. */
  readonly dataDir: string | undefined
  /** Where the service writes its CPU profile, if it is to make one. */
  readonly profileDir: string | undefined
  /** Where the results go; undefined: they are only printed. */
  readonly resultsDir: string | undefined
}

const usage = `node bench/run.ts [options]

  --orders N       orders in the table (1000000); a third of them belong to one client
  --rounds N       rounds of every case, service and baseline in turn (5)
  --seconds N      length of one measurement (3)
  --connections N  calls under way at once (32)
  --starts N       starts of the service that are timed (5)
  --copies N       sandbox copies that are timed (15)
  --only TEXT      only cases whose name contains the text
  --data DIR       keep the data there, and use what is there
  --profile DIR    let the service write a CPU profile there
  --out DIR        where the results go (bench/results)
  --no-out         print the results only
  --smoke          everything once, small and short, printed only
`

export function readOptions(argv: readonly string[]): Options {
  const told = readArguments(argv, usage, [
    ...['orders', 'rounds', 'seconds', 'connections', 'starts', 'copies'],
    ...['only', 'data', 'profile'],
  ] as const)
  return {
    orders: told.number('orders', { usual: 1_000_000, smoke: 5_000, least: 5_000 }),
    rounds: told.number('rounds', { usual: 5, smoke: 1, least: 1 }),
    seconds: told.number('seconds', { usual: 3, smoke: 0.15, least: 0.1 }),
    connections: told.number('connections', { usual: 32, smoke: 4, least: 1 }),
    starts: told.number('starts', { usual: 5, smoke: 1, least: 1 }),
    copies: told.number('copies', { usual: 15, smoke: 2, least: 1 }),
    only: told.text.only,
    dataDir: told.text.data,
    profileDir: told.text.profile,
    resultsDir: told.resultsDir,
  }
}
