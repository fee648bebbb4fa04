import { parseArgs } from 'node:util'

export interface WebhookOptions {
  readonly rounds: number
  /** Length of one measurement. */
  readonly seconds: number
  /** Deliveries of the last month that the log is filled with, half way. */
  readonly old: number
  /** Subscriptions that are sent to at once, one case each. */
  readonly subscriptions: readonly number[]
  /** So many idle subscriptions are added at the end, then as many that rest. */
  readonly quiet: number
  /** A new data directory; a temporary one unless given. */
  readonly dataDir: string | undefined
  readonly profileDir: string | undefined
  /** Where the results go; undefined: they are only printed. */
  readonly resultsDir: string | undefined
}

const usage = `node bench/webhooks.ts [options]

  --rounds N            rounds of every case (3)
  --seconds N           length of one measurement (5)
  --old N               old deliveries that the log is filled with half way (1000000)
  --subscriptions LIST  how many subscriptions are sent to (1,100,1000)
  --quiet N             idle, then resting subscriptions that are added at the end (10000)
  --data DIR            keep the data there
  --profile DIR         let the service write a CPU profile there
  --out DIR             where the results go (bench/results)
  --no-out              print the results only
  --smoke               everything once, small and short, printed only
`

export function readWebhookOptions(argv: readonly string[]): WebhookOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      old: { type: 'string' },
      subscriptions: { type: 'string' },
      quiet: { type: 'string' },
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
  const subscriptions = values.subscriptions ?? (smoke ? '1,10' : '1,100,1000')
  return {
    rounds: number('rounds', values.rounds, smoke ? 1 : 3, 1),
    seconds: number('seconds', values.seconds, smoke ? 1 : 5, 0.5),
    old: number('old', values.old, smoke ? 1_000 : 1_000_000, 0),
    subscriptions: subscriptions
      .split(',')
      .map((text) => number('subscriptions', text, Number.NaN, 1)),
    quiet: number('quiet', values.quiet, smoke ? 100 : 10_000, 0),
    dataDir: values.data,
    profileDir: values.profile,
    resultsDir: smoke || values['no-out'] ? values.out : (values.out ?? resultsDirectory),
  }
}

const resultsDirectory = new URL('../results', import.meta.url).pathname

function number(name: string, text: string | undefined, fallback: number, least: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (Number.isFinite(value) && value >= least) return value
  console.error(`--${name} must be a number from ${least} on, got "${text}"\n\n${usage}`)
  process.exit(2)
}
