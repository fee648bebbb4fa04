import { execFileSync, type StdioOptions } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** What runs until there is a release. */
const unreleased = 'cfafda439feb57ce68c8ebd560ac41b98376f9ae'

/** What git prints; nothing where there is no git, or no history. */
function git(...args: readonly string[]): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio }).trim()
  } catch {
    return ''
  }
}

/** The commit of the version before this one. Undefined where git has none: a copy without history. */
function commitBefore(): string | undefined {
  const [release] = git('tag', '--list', 'v*', '--merged', 'HEAD~1', '--sort=-v:refname').split(
    '\n',
  )
  return [release, unreleased].find((name) => name && git('cat-file', '-t', name) !== '')
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
