import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { hashesOfKeys } from '../../identity/keys/api-keys.ts'
import { hashesOfTokens } from '../../identity/staff/users.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { type Shell, withStore } from './command.ts'

/** For a proxy in front of cells: which keys and tokens lead here, though they have no mark (deploy/cells). */
export function addKeyMap(shell: Shell, key: Command): void {
  key
    .command('map')
    .description('write the map by which a proxy knows the keys and tokens that have no mark')
    .requiredOption('--backend <name>', "the proxy's name of this cell, such as cell-b")
    .requiredOption('--file <path>', 'file to write; one of that name is replaced')
    .action(({ backend, file }: { backend: string; file: string }) =>
      withStore(shell, async (db) => {
        refuseBadBackend(backend)
        const hashes = [...(await hashesOfKeys(db)), ...(await hashesOfTokens(db))]
        await replaceFile(file, linesOf(hashes, backend).join(''))
        return { file, keys: hashes.length }
      }),
    )
}

/** @throws StartError */
export function refuseBadBackend(backend: string): void {
  if (/^[\w.:-]+$/.test(backend)) return
  throw new StartError('--backend must be a name of letters, digits, ., :, _ and -')
}

const linesOf = (hashes: readonly string[], backend: string) =>
  hashes.map((hash) => `${hash} ${backend}\n`)

/** Writes into the map that these keys lead to a backend, in place of what it said of them. Other lines stay. */
export async function addToMap(
  path: string,
  hashes: readonly string[],
  backend: string,
): Promise<void> {
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new StartError(`${path} can't be read: ${error.code}`, { cause: error })
  })
  const added = new Set(hashes)
  const others = known.split(/(?<=\n)/).filter((line) => !added.has(line.split(/\s/)[0] ?? ''))
  const end = known === '' || known.endsWith('\n') ? '' : '\n'
  await replaceFile(path, [...others, end, ...linesOf(hashes, backend)].join(''))
}

/** A proxy that starts at this moment reads the old file or the new one, never a part. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.unfinished`
  try {
    await writeFile(draft, text, { flush: true })
    await rename(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`${path} can't be written: ${code}`, { cause: error })
  }
}
