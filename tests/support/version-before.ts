import { execFileSync, type StdioOptions } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const olderSeconds = 43_200
const commitsMax = 200

/** What git prints; nothing where there is no git, or no history. */
function git(...args: readonly string[]): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio }).trim()
  } catch {
    return ''
  }
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/**
 * The commit of the version before this one: the last release, or before there is one the newest commit that is half a day older.
 * Undefined where git has none. The migrations of this version begin with its own, and its packages are among those of this version:
 * a commit on the way to a version may have others.
 */
function commitBefore(): string | undefined {
  const releases = linesOf(git('tag', '--list', 'v*', '--merged', 'HEAD~1', '--sort=-v:refname'))
  const until = Number(git('log', '-1', '--format=%ct')) - olderSeconds
  const commits = git('rev-list', `--before=${until}`, `--max-count=${commitsMax}`, 'HEAD')
  const migrations = migrationsOf('HEAD')
  const packages = dependenciesIn(readFileSync(join(root, 'package.json'), 'utf8'))
  return [...releases, ...linesOf(commits)].find(
    (commit) =>
      migrationsOf(commit).every((line, at) => line === migrations[at]) &&
      Object.entries(dependenciesIn(git('show', `${commit}:package.json`))).every(
        ([name, version]) => packages[name] === version,
      ),
  )
}

/** Names and contents: the list of checksums may lag behind on the way to a version. */
function migrationsOf(commit: string): string[] {
  return linesOf(git('ls-tree', commit, 'migrations/')).filter((line) => line.endsWith('.sql'))
}

function dependenciesIn(file: string): Readonly<Record<string, string>> {
  return (JSON.parse(file) as { dependencies: Record<string, string> }).dependencies
}

/** A checkout of the version before this one with the packages of this one, until the tests of the file end. */
export function checkOutVersionBefore(): string | undefined {
  const commit = commitBefore()
  if (commit === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'version-before-'))
  after(() => rmSync(folder, { recursive: true }))
  const archive = join(folder, 'archive.tar')
  git('archive', '--output', archive, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
