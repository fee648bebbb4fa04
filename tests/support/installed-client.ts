import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** The client as an integrator has it: packed by npm, and installed into an empty project. */

export type ClientModule = typeof import('../../sdk/typescript/src/index.ts')

export interface Project {
  readonly folder: string
  /** The installed package. */
  readonly module: ClientModule
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An npm that asks no registry and checks no version. */
const npmSettings = {
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

const patienceMs = 60_000

/** Runs a program, while the service of the test goes on answering, and resolves with what it printed. */
export async function run(
  folder: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const env = { ...process.env, ...npmSettings, npm_config_cache: join(folder, '.npm') }
  const options = { cwd: folder, env, timeout: patienceMs }
  return (await promisify(execFile)(program, args, options)).stdout
}

/** An empty directory until the tests of the file end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sklad-client-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A copy of sdk/typescript, built and packed in a place of its own, and the path of the package. */
export async function packClient(): Promise<{ readonly folder: string; readonly file: string }> {
  const place = temporaryFolder()
  const folder = join(place, 'sdk/typescript')
  mkdirSync(join(place, 'sdk'))
  const kept = (path: string) => !/\/(?:cjs|dist)$|\.tgz$/.test(path)
  cpSync(join(root, 'sdk/typescript'), folder, { recursive: true, filter: kept })
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  const printed = await run(folder, 'npm', ['pack', '--silent'])
  const name = printed.trim().split('\n').at(-1) ?? ''
  return { folder, file: join(folder, name) }
}

/** An empty project with a package installed: a path, or an address. */
export async function emptyProject(specifier: string): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}')
  const offline = specifier.startsWith('http') ? [] : ['--offline']
  await run(folder, 'npm', ['install', ...offline, specifier])
  return folder
}

export async function installClient(): Promise<Project> {
  const folder = await emptyProject((await packClient()).file)
  const entry = join(folder, 'node_modules/@sklad/client/dist/index.js')
  return { folder, module: (await import(pathToFileURL(entry).href)) as ClientModule }
}

/** A Node of the oldest version that the client supports, or of another older than ours. */
export function olderNode(): string | undefined {
  const candidates = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'))
  return [...candidates, '/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    const major = Number(/^v(\d+)\./.exec(stdout ?? '')?.[1])
    return major >= 20 && major < Number(process.versions.node.split('.')[0])
  })
}
