import { parseArgs } from 'node:util'

export interface SyncOptions {
  readonly cabinets: number
  readonly orders: number
  readonly goods: number
  readonly latencyMs: number
  readonly rounds: number
  readonly resultsDir: string | undefined
}

const usage = `node bench/sync.ts [options]

  --cabinets N   connected cabinets (100), half of them of each marketplace
  --orders N     open orders of each (1000)
  --goods N      cards of each (100)
  --latency MS   how long the marketplaces take for every answer (200)
  --rounds N     rounds after the first (3)
  --out DIR      where the results go (bench/results)
  --no-out       print the results only
  --smoke        small and short, printed only
`

export function readSyncOptions(argv: readonly string[]): SyncOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      cabinets: { type: 'string' },
      orders: { type: 'string' },
      goods: { type: 'string' },
      latency: { type: 'string' },
      rounds: { type: 'string' },
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
    cabinets: number('cabinets', values.cabinets, smoke ? 4 : 100, 1),
    orders: number('orders', values.orders, smoke ? 50 : 1_000, 1),
    goods: number('goods', values.goods, smoke ? 10 : 100, 1),
    latencyMs: number('latency', values.latency, smoke ? 10 : 200, 0),
    rounds: number('rounds', values.rounds, smoke ? 1 : 3, 1),
    resultsDir: smoke || values['no-out'] ? values.out : (values.out ?? resultsDirectory),
  }
}

const resultsDirectory = new URL('../results', import.meta.url).pathname

function number(name: string, text: string | undefined, fallback: number, least: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (Number.isInteger(value) && value >= least) return value
  console.error(`--${name} must be a whole number from ${least} on, got "${text}"\n\n${usage}`)
  process.exit(2)
}
