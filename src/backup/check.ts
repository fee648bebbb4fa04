import { missingMigrations, readMigrations } from '../db/migrate.ts'
import { StartError } from '../kernel/start-error.ts'
import { type Header, readRecords, type TableStart } from './format.ts'

/** A file that is whole: its digest is right. */
export interface CheckedBackup {
  readonly header: Header
  readonly tables: readonly TableStart[]
}

/**
 * Reads a whole file, before anything is written.
 *
 * @throws StartError for a file that is no backup, is cut off or damaged, is of a newer version, or has secrets that
 * the given ones don't open
 */
export async function checkBackup(
  path: string,
  secretFingerprints: readonly string[],
): Promise<CheckedBackup> {
  const texts: Record<'h' | 't', string[]> = { h: [], t: [] }
  for await (const { kind, content } of readRecords(path)) {
    if (kind === 'h' || kind === 't') texts[kind].push(content.toString())
  }
  // Only now the digest has shown that they are what was written.
  const [header] = texts.h.map((text) => JSON.parse(text) as Header)
  const tables = texts.t.map((text) => JSON.parse(text) as TableStart)
  if (header === undefined || header.tables !== tables.length) {
    throw new StartError(`${path} is damaged: parts of it are missing`)
  }
  // Throws where this version does not know one of them.
  missingMigrations(readMigrations(), [...header.migrations])
  if (!header.secretFingerprints.some((known) => secretFingerprints.includes(known))) {
    throw new StartError(
      'the backup was made with another SECRET_KEY: its webhooks and credentials would be unreadable; ' +
        'set SECRET_KEY to that one, or copy the file secret.key of its DATA_DIR',
    )
  }
  return { header, tables }
}
