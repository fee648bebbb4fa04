import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ClientModule, installClient } from '../installed-client.ts'

/** The clients for integrators, each behind the same calls, so that one table of behaviours holds for all of them. */

/** A call as `sdk/behaviours.json` names it. */
export interface ClientCall {
  readonly key: string
  readonly baseUrl: string
  readonly retries?: number
  readonly timeoutMs?: number
  /** Such as `orders.list`. */
  readonly method: string
  readonly arguments?: readonly string[]
  /** By their names in the interface. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** What the client alone knows, by its name in TypeScript. */
  readonly options?: Readonly<Record<string, unknown>>
  /** How many items to read of what is read one by one; all without it. */
  readonly take?: number
}

export interface SignedRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string | readonly string[]
  readonly toleranceSeconds?: number
  /** Unix time in seconds. */
  readonly now: number
}

/** What came of a call. An item of the feed stands in a pair with its position. */
export interface Outcome {
  readonly result?: unknown
  /** The code `argument` stands for an argument that can't be sent. */
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly status?: number
    readonly requestId?: string | null | undefined
    readonly retryAfterSeconds?: number | null | undefined
  }
  /** The pauses that it would have made: chance is always a half, and no time passes. */
  readonly pausesMs: readonly number[]
}

export interface ClientUnderTest {
  readonly language: string
  /** Why this machine can't run it. */
  readonly missing: string | false
  call(call: ClientCall): Promise<Outcome>
  verify(request: SignedRequest): Promise<Outcome>
}

export const sourceOf = (path: string) =>
  fileURLToPath(new URL(`../../../sdk/${path}`, import.meta.url))
const driverOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const phpProbe = ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']

export const pythonIsMissing = whyMissing('python3', ['--version'])
export const phpIsMissing = whyMissing('php', phpProbe)

/** False where the program runs. */
export function whyMissing(program: string, probe: readonly string[]): string | false {
  return spawnSync(program, probe).status === 0 ? false : `${program} is not installed`
}

export async function openClients(): Promise<readonly ClientUnderTest[]> {
  const { module } = await installClient()
  const python = { PYTHONPATH: sourceOf('python'), PYTHONDONTWRITEBYTECODE: '1' }
  const oldest = ['python3.9', 'python3.10'].find(
    (name) => whyMissing(name, ['--version']) === false,
  )
  const pythons = [{ program: 'python3', missing: pythonIsMissing }]
  if (oldest !== undefined) pythons.push({ program: oldest, missing: false })
  return [
    inThisProcess(module),
    ...pythons.map(({ program, missing }) =>
      inProcess(program, missing, [program, driverOf('driver.py')], python),
    ),
    inProcess('php', phpIsMissing, ['php', driverOf('driver.php'), sourceOf('php/sklad.php')], {}),
  ]
}

function inProcess(
  language: string,
  missing: string | false,
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): ClientUnderTest {
  let driver: Driver | undefined
  after(() => driver?.end())
  const ask = (line: object) => {
    driver ??= start(program, args, environment)
    return driver.ask(line)
  }
  return { language, missing, call: ask, verify: (verify) => ask({ verify }) }
}

interface Driver {
  /** One after another. */
  ask(line: object): Promise<Outcome>
  end(): void
}

function start(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Driver {
  const env = { PATH: process.env.PATH, ...environment }
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask(line) {
      child.stdin.write(`${JSON.stringify(line)}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${program} ended`)
      return JSON.parse(value) as Outcome
    },
    end: () => child.kill('SIGKILL'),
  }
}

function inThisProcess({ Sklad, SkladError, verifyWebhook }: ClientModule): ClientUnderTest {
  const outcome = async (work: (pausesMs: number[]) => Promise<unknown>): Promise<Outcome> => {
    const pausesMs: number[] = []
    try {
      return { result: await work(pausesMs), pausesMs }
    } catch (error) {
      if (error instanceof SkladError) return { error, pausesMs }
      if (error instanceof TypeError)
        return { error: { code: 'argument', message: error.message }, pausesMs }
      throw error
    }
  }
  const call = (given: ClientCall) =>
    outcome(async (pausesMs) => {
      const { key, baseUrl, retries, timeoutMs, method } = given
      const elapsedMs = () => pausesMs.reduce((sum, ms) => sum + ms, 0)
      const wait = async (ms: number) => void pausesMs.push(ms)
      const settings = {
        baseUrl,
        retries,
        timeoutMs,
        timing: { wait, elapsedMs, random: () => 0.5 },
      }
      if (method === 'sandboxKey') return Sklad.sandboxKey(settings)
      const names = method.split('.')
      const name = names.pop() ?? ''
      let part: unknown = new Sklad({ key, ...settings })
      for (const each of names) part = (part as Record<string, unknown>)[each]
      const { arguments: positional = [], fields, options } = given
      const named = [fields, options].filter((each) => each !== undefined)
      const called = (part as Record<string, (...all: unknown[]) => unknown>)[name]
      if (called === undefined) throw new Error(`the client has no ${method}`)
      const answer = await called.call(part, ...positional, ...named)
      if (answer instanceof Uint8Array) {
        const begins = Buffer.from(answer.subarray(0, 3)).toString('hex')
        return { begins, bytes: answer.length }
      }
      return isStream(answer) ? taken(answer, given.take) : answer
    })
  const verify = ({ now, ...request }: SignedRequest) =>
    outcome(() => verifyWebhook({ ...request, now: () => now * 1000 }))
  return { language: 'typescript', missing: false, call, verify }
}

function isStream(answer: unknown): answer is AsyncGenerator<object> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

async function taken(stream: AsyncGenerator<object>, most?: number): Promise<unknown[]> {
  const items: unknown[] = []
  for await (const item of stream) {
    if (items.push('position' in item ? [item, item.position] : item) === most) break
  }
  return items
}
