/**
 * The cluster on disk: `postgres` in the data directory, which is there either wholly or not at all. It is made under
 * another name and renamed when it is complete, so a start that was killed half-way leaves only litter that the next
 * one clears away, and of two that make it at the same time one wins and the other uses what the winner made.
 *
 * Everything is reached from the inside: the server runs in the cluster's directory and calls it /proc/self/cwd, so
 * that no directory above needs to be open to its account.
 */

import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StartError } from '../../kernel/start-error.ts'
import { type Account, chooseAccount } from './account.ts'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { isAlive } from './processes.ts'
import { runProgram } from './program.ts'

export interface Cluster {
  readonly dataDir: string
  readonly path: string
  /** Distinguishes this directory from every other one of the machine; shows in the command line of its processes. */
  readonly identity: string
  readonly account: Account | undefined
  readonly binaries: Binaries
}

export const databaseName = 'sklad'
export const roleName = 'sklad'

const draftPrefix = 'postgres.new-'
const draftAgeMsMax = 10 * 60_000
const ownDrafts = new Set<string>()

/** What the programs call the directory they run in. */
export function insideName(path: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : path
}

/**
 * Makes the data directory and the cluster in it unless they are there.
 *
 * @throws StartError naming DATA_DIR when it can't be used
 */
export async function prepareCluster(
  dataDir: string,
  log: (line: string) => void,
): Promise<Cluster> {
  const root = resolve(dataDir)
  prepareDirectory(root)
  clearDrafts(root)

  const path = join(root, 'postgres')
  const account = chooseAccount(path)
  const binaries = await prepareBinaries(root, account)
  if (!exists(path)) {
    log(`creating the database in ${path}`)
    await createCluster({ root, path, account, binaries })
  }
  checkVersion(path, binaries)
  return { dataDir: root, path, identity: identityOf(path), account, binaries }
}

function prepareDirectory(path: string): void {
  makeDirectories(path)
  if (!statSync(path).isDirectory()) throw new StartError(`DATA_DIR ${path} is not a directory`)
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
}

/** One after the other: Node's own recursive way never ends below /proc, where none can be made. */
function makeDirectories(path: string): void {
  if (exists(path)) return
  makeDirectories(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!exists(path)) throw error
  }
}

interface NewCluster {
  readonly root: string
  readonly path: string
  readonly account: Account | undefined
  readonly binaries: Binaries
}

async function createCluster({ root, path, account, binaries }: NewCluster): Promise<void> {
  const draft = join(root, `${draftPrefix}${process.pid}-${randomUUID()}`)
  ownDrafts.add(draft)
  try {
    mkdirSync(draft, { mode: 0o700 })
    if (account !== undefined) chownSync(draft, account.uid, account.gid)
    await fillCluster(draft, account, binaries)
    renameSync(draft, path)
    flushDirectory(root)
  } catch (error) {
    if (exists(path)) return
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`the database in DATA_DIR ${root} can't be created: ${reason}`, {
      cause: error,
    })
  } finally {
    removeDraft(draft)
    ownDrafts.delete(draft)
  }
}

/** Both programs leave everything on the disk, not in its cache, when they end. */
async function fillCluster(
  draft: string,
  account: Account | undefined,
  binaries: Binaries,
): Promise<void> {
  const inside = insideName(draft)
  const locale = ['--locale-provider=builtin', '--builtin-locale=PG_UNICODE_FAST', '--locale=C']
  await runProgram(
    join(binaries.directory, 'bin/initdb'),
    ['-D', inside, '-U', roleName, '--auth=trust', '--encoding=UTF8', ...locale],
    { cwd: draft, account },
  )
  await runProgram(
    join(binaries.directory, 'bin/postgres'),
    ['--single', '-D', inside, 'template1'],
    { cwd: draft, account, input: `create database ${databaseName}\n` },
  )
}

/** Removes what killed starts left behind, but not what another process is making now. */
function clearDrafts(root: string): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(draftPrefix)) continue
    const path = join(root, name)
    const maker = Number.parseInt(name.slice(draftPrefix.length), 10)
    const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    const inUse = maker === process.pid ? ownDrafts.has(path) : isAlive(maker)
    if (!inUse || ageMs > draftAgeMsMax) removeDraft(path)
  }
}

function removeDraft(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // The initdb of a killed start may still be writing to it; the next start finds it at rest.
  }
}

function checkVersion(path: string, { major }: Binaries): void {
  const found = readFileSync(join(path, 'PG_VERSION'), 'utf8').trim()
  if (found !== String(major)) {
    throw new StartError(
      `${path} in DATA_DIR was made by PostgreSQL ${found}, and this version of the service brings ${major}`,
    )
  }
}

/** By the directory itself rather than its name: a copy of it is another cluster, a second mount of it is not. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `sklad-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function flushDirectory(path: string): void {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
