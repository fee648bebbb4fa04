import { readArguments } from './arguments.ts'

export interface Options {
  /** Orders in the table. A third of them belong to the measured client. */
  readonly orders: number
  readonly rounds: number
  /** Duration of one measurement. */
  readonly seconds: number
  readonly connections: number
  /** Number of timed starts in an empty directory. */
  readonly starts: number
  /** Number of timed sandbox copies. */
  readonly copies: number
  /** Run only the cases whose name contains this text. */
  readonly only: string | undefined
  /** A data directory to keep and reuse. Default: a temporary one. */
  readonly dataDir: string | undefined
  /** Directory of the service's CPU profile. Undefined: no profile. */
  readonly profileDir: string | undefined
  /** Directory of the results. Undefined: print only. */
  readonly resultsDir: string | undefined
  /** A short run, which is compared with short runs. */
  readonly isQuick: boolean
}

const usage = `node bench/run.ts [options]

  --orders N       orders in the table (1000000); a third of them belong to one client
  --rounds N       rounds of every case, service and baseline in turn (5)
  --seconds N      duration of one measurement (3)
  --connections N  concurrent connections (32)
  --starts N       timed starts of the service (5)
  --copies N       timed sandbox copies (15)
  --only TEXT      only cases whose name contains the text
  --data DIR       keep the data there and reuse it
  --profile DIR    let the service write a CPU profile there
  --out DIR        directory of the results (bench/results)
  --no-out         print the results only
  --quick          two minutes, before a commit; print only, unless --out is given
  --smoke          run every case once, small and short; print only
`

export function readOptions(argv: readonly string[]): Options {
  const given = readArguments(argv, usage, [
    ...['orders', 'rounds', 'seconds', 'connections', 'starts', 'copies'],
    ...['only', 'data', 'profile'],
  ] as const)
  return {
    orders: given.number('orders', { usual: 1_000_000, smoke: 5_000, quick: 50_000, least: 5_000 }),
    rounds: given.number('rounds', { usual: 5, smoke: 1, quick: 2, least: 1 }),
    seconds: given.number('seconds', { usual: 3, smoke: 0.15, quick: 0.6, least: 0.1 }),
    connections: given.number('connections', { usual: 32, smoke: 4, least: 1 }),
    starts: given.number('starts', { usual: 5, smoke: 1, quick: 1, least: 1 }),
    copies: given.number('copies', { usual: 15, smoke: 2, quick: 3, least: 1 }),
    only: given.text.only,
    dataDir: given.text.data,
    profileDir: given.text.profile,
    resultsDir: given.resultsDir,
    isQuick: given.quick,
  }
}
