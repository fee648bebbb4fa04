import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Tools of third parties, in a package of their own: nothing of them reaches the service. `.ci/run` installs them. */

const modules = fileURLToPath(new URL('node_modules/', import.meta.url))

/** Why a test that needs the tools is skipped; false where they are installed. */
export const missing: string | false = existsSync(modules)
  ? false
  : 'the tools are not there: npm ci --ignore-scripts --prefix tests/tools'

/** The path of a file in one of their packages. */
export function toolFile(path: string): string {
  return `${modules}${path}`
}

const patienceMs = 120_000

/** Runs a program of theirs under our Node, in a folder, and resolves with what it printed. It gets no input and two minutes. */
export async function runTool(
  folder: string,
  file: string,
  args: readonly string[],
): Promise<string> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: patienceMs }
  const given = [toolFile(file), ...args]
  try {
    const running = promisify(execFile)(process.execPath, given, options)
    running.child.stdin?.end()
    return (await running).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${file} failed:\n${stdout.slice(-4000)}\n${stderr.slice(-2000)}`)
  }
}
