import { readArguments } from '../arguments.ts'

export interface WebhookOptions {
  readonly rounds: number
  /** Length of one measurement. */
  readonly seconds: number
  /** Deliveries of the last month, added to the log after the first half. */
  readonly old: number
  /** Concurrent subscriptions, one case each. */
  readonly subscriptions: readonly number[]
  /** Idle subscriptions added at the end, then as many paused ones. */
  readonly quiet: number
  /** A new data directory to keep. Default: a temporary one. */
  readonly dataDir: string | undefined
  readonly profileDir: string | undefined
  /** Directory of the results. Undefined: print only. */
  readonly resultsDir: string | undefined
}

const usage = `node bench/webhooks.ts [options]

  --rounds N            rounds of every case (3)
  --seconds N           length of one measurement (5)
  --old N               old deliveries added to the log after the first half (1000000)
  --subscriptions LIST  numbers of concurrent subscriptions (1,100,1000)
  --quiet N             idle, then paused subscriptions added at the end (10000)
  --data DIR            keep the data there
  --profile DIR         let the service write a CPU profile there
  --out DIR             directory of the results (bench/results)
  --no-out              print the results only
  --smoke               run every case once, small and short; print only
`

export function readWebhookOptions(argv: readonly string[]): WebhookOptions {
  const flags = ['rounds', 'seconds', 'old', 'subscriptions', 'quiet', 'data', 'profile'] as const
  const given = readArguments(argv, usage, flags)
  const subscriptions = given.text.subscriptions ?? (given.smoke ? '1,10' : '1,100,1000')
  return {
    rounds: given.number('rounds', { usual: 3, smoke: 1, least: 1 }),
    seconds: given.number('seconds', { usual: 5, smoke: 1, least: 0.5 }),
    old: given.number('old', { usual: 1_000_000, smoke: 1_000, least: 0 }),
    subscriptions: subscriptions
      .split(',')
      .map((text) => given.checked('subscriptions', text, { least: 1 })),
    quiet: given.number('quiet', { usual: 10_000, smoke: 100, least: 0 }),
    dataDir: given.text.data,
    profileDir: given.text.profile,
    resultsDir: given.resultsDir,
  }
}
