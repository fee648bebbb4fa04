import { rename, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { hashesOfKeys } from '../../identity/keys/api-keys.ts'
import { hashesOfTokens } from '../../identity/staff/users.ts'
import { StartError } from '../../platform/kernel/start-error.ts'
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
        if (!/^[\w.:-]+$/.test(backend)) {
          throw new StartError('--backend must be a name of letters, digits, ., :, _ and -')
        }
        const hashes = [...(await hashesOfKeys(db)), ...(await hashesOfTokens(db))]
        const lines = hashes.map((hash) => `${hash} ${backend}\n`)
        await replaceFile(file, lines.join(''))
        return { file, keys: lines.length }
      }),
    )
}

/** A proxy that starts meanwhile reads the old file or the new one. */
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
