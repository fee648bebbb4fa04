import { parseArgs } from 'node:util'
import { Sklad } from './client.ts'
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

const usage = `sklad-client listen --key svc_test_… --base-url <адрес сервиса> --forward-to <адрес приёмника>
    Передаёт события ленты вашему приёмнику: с заголовками и подписью вебхука. Ctrl-C заканчивает.
    --types <тип,тип>     только эти типы событий
    --secret whsec_…      секрет подписи; без него создаётся новый
    --after <позиция>     с этой позиции; oldest — с самого старого события; без него — только новые

sklad-client trigger <имя> --key svc_test_… --base-url <адрес сервиса>
    Вызывает ситуацию в песочнице и показывает, что затронуто. Имена — в описании интерфейса.`

const options = {
  key: { type: 'string' },
  'base-url': { type: 'string' },
  'forward-to': { type: 'string' },
  types: { type: 'string' },
  secret: { type: 'string' },
  after: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** What the caller can repair by another command. */
class UsageError extends Error {}

type Given = ReturnType<typeof readArguments>['values']

/** Runs `listen …` or `trigger …` and resolves with the exit code. */
export async function runClientCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(args)
    const [command, ...rest] = positionals
    if (values.help === true || command === undefined) context.print(usage)
    else if (command === 'listen' && rest.length === 0) await runListen(values, context)
    else if (command === 'trigger' && rest[0] !== undefined) {
      await runTrigger(rest[0], values, context)
    } else throw new UsageError(`Непонятная команда.\n\n${usage}`)
    return 0
  } catch (error) {
    if (context.signal.aborted) return 0
    if (!(error instanceof SkladError || error instanceof UsageError)) throw error
    context.printError(
      error instanceof SkladError ? `${error.code}: ${error.message}` : error.message,
    )
    return 1
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`)
  }
}

async function runListen(values: Given, { print, signal, timing }: CommandContext): Promise<void> {
  const forwardTo = addressOf(values, 'forward-to')
  const { types, after, secret = newSecret() } = values
  const sklad = clientOf(values, signal, timing)
  const { client } = await sklad.me()
  // Asked before anything is printed: what happens after the first line is sent.
  const from = after ?? (await sklad.events.list({ after: 'latest' })).nextAfter
  if (values.secret === undefined) print(`Секрет подписи: ${secret}`)
  print(`События «${client.name}» идут на ${forwardTo}. Ctrl-C заканчивает.`)
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
  const key = values.key
  if (key === undefined || key === '')
    throw new UsageError('Укажите --key: тестовый ключ svc_test_…')
  return new Sklad({ key, baseUrl: addressOf(values, 'base-url'), signal, timing })
}

function addressOf(values: Given, name: 'base-url' | 'forward-to'): string {
  const given = values[name] ?? ''
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new UsageError(`Укажите --${name}: адрес, который начинается с http:// или https://`)
  }
  return given
}

/** 256 random bits, in the form of the service's own secrets. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const text = btoa(String.fromCharCode(...bytes))
  return `whsec_${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}
