import { readArguments } from '../arguments.ts'

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
  const flags = ['rounds', 'seconds', 'old', 'subscriptions', 'quiet', 'data', 'profile'] as const
  const told = readArguments(argv, usage, flags)
  const subscriptions = told.text.subscriptions ?? (told.smoke ? '1,10' : '1,100,1000')
  return {
    rounds: told.number('rounds', { usual: 3, smoke: 1, least: 1 }),
    seconds: told.number('seconds', { usual: 5, smoke: 1, least: 0.5 }),
    old: told.number('old', { usual: 1_000_000, smoke: 1_000, least: 0 }),
    subscriptions: subscriptions
      .split(',')
      .map((text) => told.checked('subscriptions', text, { least: 1 })),
    quiet: told.number('quiet', { usual: 10_000, smoke: 100, least: 0 }),
    dataDir: told.text.data,
    profileDir: told.text.profile,
    resultsDir: told.resultsDir,
  }
}
