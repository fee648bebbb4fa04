import { parseArgs } from 'node:util'

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
  const { values } = parseArgs({
    args: [...argv],
    options: {
      orders: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      starts: { type: 'string' },
      copies: { type: 'string' },
      only: { type: 'string' },
      data: { type: 'string' },
      profile: { type: 'string' },
      out: { type: 'string' },
      'no-out': { type: 'boolean' },
      smoke: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const smoke = values.smoke ?? false
  return {
    orders: number('orders', values.orders, smoke ? 5_000 : 1_000_000, 5_000),
    rounds: number('rounds', values.rounds, smoke ? 1 : 5, 1),
    seconds: number('seconds', values.seconds, smoke ? 0.15 : 3, 0.1),
    connections: number('connections', values.connections, smoke ? 4 : 32, 1),
    starts: number('starts', values.starts, smoke ? 1 : 5, 1),
    copies: number('copies', values.copies, smoke ? 2 : 15, 1),
    only: values.only,
    dataDir: values.data,
    profileDir: values.profile,
    resultsDir: smoke || values['no-out'] ? values.out : (values.out ?? resultsDirectory),
  }
}

const resultsDirectory = new URL('results', import.meta.url).pathname

function number(name: string, text: string | undefined, fallback: number, least: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (Number.isFinite(value) && value >= least) return value
  console.error(`--${name} must be a number from ${least} on, got "${text}"\n\n${usage}`)
  process.exit(2)
}
