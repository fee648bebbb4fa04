/**
 * The cluster on disk, in the folder `postgres` of the data directory. The folder is complete or does not exist: it is
 * created under another name and renamed at the end. A killed start leaves a temporary folder, which the next start
 * deletes. Of two concurrent starts one wins, and the other uses the winner's cluster.
 *
 * The server runs in the cluster's directory and names it /proc/self/cwd, so its account needs no access to the
 * directories above.
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
import { StartError } from '../kernel/errors.ts'
import { type Account, chooseAccount } from './account.ts'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { isAlive } from './processes.ts'
import { runProgram } from './program.ts'

export interface Cluster {
  readonly dataDir: string
  readonly path: string
  /** Identifies this directory on the machine, in the command lines of its processes. */
  readonly identity: string
  readonly account: Account | undefined
  readonly binaries: Binaries
}

export const databaseName = 'sklad'
export const roleName = 'sklad'

const draftPrefix = 'postgres.new-'
const draftAgeMsMax = 10 * 60_000
const ownDrafts = new Set<string>()

/** The name that the programs use for the directory they run in. */
export function insideName(path: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : path
}

const clusterIn = (root: string) => join(root, 'postgres')

/** Whether a service has made its database here. */
export function hasCluster(dataDir: string): boolean {
  return exists(clusterIn(resolve(dataDir)))
}

/**
 * Creates the data directory and its cluster unless they exist.
 *
 * @throws StartError naming DATA_DIR when it can't be used
 */
export async function prepareCluster(
  dataDir: string,
  log: (line: string) => void,
  stop?: AbortSignal,
): Promise<Cluster> {
  const root = resolve(dataDir)
  prepareDirectory(root)
  clearDrafts(root)

  const path = clusterIn(root)
  const account = chooseAccount(path)
  const binaries = await prepareBinaries(root, account)
  if (!exists(path)) {
    log(`creating the database in ${path}`)
    await createCluster({ root, path, account, binaries, stop })
  }
  checkVersion(path, binaries)
  return { dataDir: root, path, identity: identityOf(path), account, binaries }
}

function prepareDirectory(path: string): void {
  makeDirectories(path)
  if (!statSync(path).isDirectory()) throw new StartError(`DATA_DIR ${path} is not a directory`)
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
}

/** Creates one directory after the other: Node's recursive mkdir never returns below /proc. */
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
  readonly stop: AbortSignal | undefined
}

async function createCluster({ root, path, ...rest }: NewCluster): Promise<void> {
  const draft = join(root, `${draftPrefix}${process.pid}-${randomUUID()}`)
  ownDrafts.add(draft)
  try {
    mkdirSync(draft, { mode: 0o700 })
    const { account } = rest
    if (account !== undefined) chownSync(draft, account.uid, account.gid)
    await fillCluster(draft, rest)
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

/** Both programs flush everything to disk before they end. */
async function fillCluster(
  draft: string,
  { account, binaries, stop }: Pick<NewCluster, 'account' | 'binaries' | 'stop'>,
): Promise<void> {
  const inside = insideName(draft)
  const locale = ['--locale-provider=builtin', '--builtin-locale=PG_UNICODE_FAST', '--locale=C']
  await runProgram(
    join(binaries.directory, 'bin/initdb'),
    ['-D', inside, '-U', roleName, '--auth=trust', '--encoding=UTF8', ...locale],
    { cwd: draft, account, stop },
  )
  await runProgram(
    join(binaries.directory, 'bin/postgres'),
    ['--single', '-D', inside, 'template1'],
    { cwd: draft, account, stop, input: `create database ${databaseName}\n` },
  )
}

/** Deletes temporary folders of killed starts, but not one that another process is using. */
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
    // The initdb of a killed start may still write to it. The next start deletes it.
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

/** Identifies the directory itself, not its name: a copy is another cluster, a second mount is the same one. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `sklad-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

export function flushDirectory(path: string): void {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
