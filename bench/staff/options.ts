import { parseArgs } from 'node:util'

export interface StaffOptions {
  readonly rounds: number
  /** Length of one measurement of scans. */
  readonly seconds: number
  /** In one call, and in one shipment. */
  readonly orders: number
  readonly only: string | undefined
  /** A new data directory; a temporary one unless given. */
  readonly dataDir: string | undefined
  readonly profileDir: string | undefined
  /** Where the results go; undefined: they are only printed. */
  readonly resultsDir: string | undefined
}

const usage = `node bench/staff.ts [options]

  --rounds N     rounds of every case (3)
  --seconds N    length of one measurement of scans (3)
  --orders N     orders in one call and in one shipment, at most 1000 (1000)
  --only TEXT    only cases whose name contains the text
  --data DIR     keep the data there
  --profile DIR  let the service write a CPU profile there
  --out DIR      where the results go (bench/results)
  --no-out       print the results only
  --smoke        everything once, small and short, printed only
`

export function readStaffOptions(argv: readonly string[]): StaffOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      orders: { type: 'string' },
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
    rounds: number('rounds', values.rounds, smoke ? 1 : 3, [1, 1_000]),
    seconds: number('seconds', values.seconds, smoke ? 0.3 : 3, [0.1, 600]),
    orders: number('orders', values.orders, smoke ? 50 : 1_000, [1, 1_000]),
    only: values.only,
    dataDir: values.data,
    profileDir: values.profile,
    resultsDir: smoke || values['no-out'] ? values.out : (values.out ?? resultsDirectory),
  }
}

const resultsDirectory = new URL('../results', import.meta.url).pathname

function number(
  name: string,
  text: string | undefined,
  fallback: number,
  [least, most]: readonly [number, number],
): number {
  const value = text === undefined ? fallback : Number(text)
  if (Number.isFinite(value) && value >= least && value <= most) return value
  console.error(`--${name} must be a number from ${least} to ${most}, got "${text}"\n\n${usage}`)
  process.exit(2)
}
