import { parseArgs } from 'node:util'
import { Sklad } from './client.ts'
import { newSecret } from './delivery.ts'
import { SkladError } from './errors.ts'
import { listen } from './listen.ts'
import { realTiming, type Timing } from './time.ts'

/** The commands for integrators, of the package and of the service's own command line. */

export interface CommandContext {
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
  /** Ctrl-C. */
  readonly signal: AbortSignal
  /** A test hands in its own. */
  readonly timing?: Partial<Timing> | undefined
}

const usage = `Usage:
  sklad-client listen --key <key> --base-url <url> --forward-to <url>
      Sends the events of the feed to your receiver, with the headers and the signature of a webhook. Ctrl-C ends it.
      --types <type,type>   only these types of events
      --secret <whsec_…>    signing secret; a new one by default
      --after <position>    begin after this position; "oldest": with the oldest event; by default only new ones

  sklad-client trigger <name> --key <key> --base-url <url>
      Brings about a situation in a sandbox and shows what it touched. The API reference lists the names.

  --base-url is the address of the service, such as https://api.example.ru; --key is svc_test_… or svc_live_….`

const commands = ['listen', 'trigger']

const options = {
  key: { type: 'string' },
  'base-url': { type: 'string' },
  'forward-to': { type: 'string' },
  types: { type: 'string' },
  secret: { type: 'string' },
  after: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Given = ReturnType<typeof readArguments>['values']

/** Runs `listen …` or `trigger …` and resolves with the exit code. */
export async function runClientCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(args)
    const [command, ...rest] = positionals
    if (values.help === true || command === undefined || command === 'help') context.print(usage)
    else await runCommand(command, rest, values, context)
    return 0
  } catch (error) {
    if (context.signal.aborted) return 0
    context.printError(describe(error))
    return 1
  }
}

async function runCommand(
  command: string,
  rest: readonly string[],
  values: Given,
  context: CommandContext,
): Promise<void> {
  if (!commands.includes(command)) {
    throw new Error(`unknown command "${command}"${suggestion(command, commands)}\n\n${usage}`)
  }
  const [name, ...more] = command === 'trigger' ? rest : ['', ...rest]
  if (name === undefined || (command === 'trigger' && name.trim() === '')) {
    throw new Error('name the situation, for example: sklad-client trigger receipt_completed')
  }
  if (more.length > 0) {
    throw new Error(`unexpected argument "${more[0]}": options begin with --`)
  }
  if (command === 'listen') await runListen(values, context)
  else await runTrigger(name, values, context)
}

/** The service's own messages are quoted as they come; the client's are put in the language of the commands. */
function describe(error: unknown): string {
  if (!(error instanceof SkladError)) return error instanceof Error ? error.message : String(error)
  return `${error.code}: ${clientMessages[error.code] ?? error.message}`
}

const clientMessages: Readonly<Record<string, string>> = {
  connection_lost: 'no connection to the service; check --base-url, and that the service runs',
  timeout: 'the service did not answer in time',
  unexpected_answer: 'what answers at --base-url is not this service',
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const message = (error as Error).message
    const unknown = /^Unknown option '(-{1,2}[^']*)'/.exec(message)?.[1]
    if (unknown === undefined) throw new Error(`${message}\n\n${usage}`)
    const known = Object.keys(options).map((name) => `--${name}`)
    throw new Error(`unknown option "${unknown}"${suggestion(unknown, known)}\n\n${usage}`)
  }
}

function suggestion(given: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name) }))
    .filter(({ name, distance }) => distance <= 2 || name.startsWith(given))
    .sort((a, b) => a.distance - b.distance)
  return nearest === undefined ? '' : `, did you mean "${nearest.name}"?`
}

/** Levenshtein's. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

async function runListen(values: Given, { print, signal, timing }: CommandContext): Promise<void> {
  const forwardTo = addressOf(values, 'forward-to')
  const { types, after, secret = newSecret() } = values
  if (secret === '') throw new Error('--secret is empty: leave it out to get a new one')
  const sklad = clientOf(values, signal, timing)
  const { client } = await sklad.me()
  // Asked before anything is printed: what happens after the first line is sent.
  const from = after ?? (await sklad.events.list({ after: 'latest' })).nextAfter
  if (values.secret === undefined) print(`Signing secret: ${secret}`)
  print(`Events of ${client.name} go to ${forwardTo}. Ctrl-C ends it.`)
  await listen({
    sklad,
    forwardTo,
    secret,
    types,
    after: from === 'oldest' ? undefined : from,
    signal,
    print,
    timing: { ...realTiming, ...timing },
  })
}

async function runTrigger(name: string, values: Given, context: CommandContext): Promise<void> {
  const sklad = clientOf(values, context.signal, context.timing)
  const { touched, message } = await sklad.sandbox.trigger(name)
  context.print(message)
  for (const { object, id } of touched) context.print(`${object} ${id}`)
}

function clientOf(values: Given, signal: AbortSignal, timing: Partial<Timing> | undefined): Sklad {
  const { key = '' } = values
  if (key === '') throw new Error('--key is missing: pass your key, svc_test_… or svc_live_…')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error(`--key: "${key}" is not a key; copy the whole value, without spaces and dots`)
  }
  // The reference shows addresses with /v1, so it is taken too.
  const baseUrl = addressOf(values, 'base-url').replace(/\/v1\/*$/, '')
  return new Sklad({ key, baseUrl, signal, timing })
}

function addressOf(values: Given, name: 'base-url' | 'forward-to'): string {
  const given = values[name] ?? ''
  if (given === '') throw new Error(`--${name} is missing: ${addressHints[name]}`)
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return given
  throw new Error(`--${name}: "${given}" must begin with http:// or https://`)
}

const addressHints = {
  'base-url': 'the address of the service, such as https://api.example.ru',
  'forward-to': 'the address of your receiver, such as http://localhost:3000/hook',
}
