import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs commands as a reader pastes them into a shell, one shell for each text. */

export interface Shell {
  /** Resolves with what the commands printed; throws if one of them fails, or answers with an error of the API. */
  run(commands: string): Promise<string>
  /** For a command that goes on until it is ended. */
  start(command: string): Running
}

export interface Running {
  /** Resolves once the output has it. Throws if the command ends before, or a minute passes. */
  until(pattern: RegExp): Promise<string>
  /** Ends the command and all that it started. */
  [Symbol.asyncDispose](): Promise<void>
}

const patienceMs = 60_000
/** Those that a signal to this process must end, too. */
const running = new Set<ChildProcess>()

/** Ends whatever is running. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map(end))
}

export function openShell(folder: string, env: Readonly<Record<string, string>>): Shell {
  const bash = (commands: string) => {
    // In a process group of its own, which is ended as a whole.
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', commands], {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    child.once('close', () => running.delete(child))
    return child
  }
  return {
    async run(commands) {
      const child = bash(commands)
      const said = outputOf(child)
      const [code] = await once(child, 'close')
      if (code !== 0 || said.out.includes('"error":')) throw new Error(failure(commands, said.all))
      return said.out
    },
    start(command) {
      const child = bash(command)
      const said = outputOf(child)
      return {
        until: async (pattern) => {
          if (await appears(child, () => pattern.test(said.all))) return said.all
          throw new Error(failure(command, `${said.all}\nin vain awaited: ${pattern}`))
        },
        [Symbol.asyncDispose]: () => end(child),
      }
    },
  }
}

const failure = (commands: string, output: string) => `$ ${commands.trim()}\n${output.trim()}`

function outputOf(child: ChildProcess) {
  const said = { out: '', all: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
    said.all += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.all += text
  })
  return said
}

/** False if the command ends first, or a minute passes. */
async function appears(child: ChildProcess, isThere: () => boolean): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = () => {
    if (isThere()) resolve()
  }
  const late = setTimeout(resolve, patienceMs)
  for (const output of [child.stdout, child.stderr]) output?.on('data', check)
  child.once('close', resolve)
  check()
  await promise
  clearTimeout(late)
  return isThere()
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !running.has(child)) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGTERM')
  await closed
}
