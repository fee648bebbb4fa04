import { missingMigrations, readMigrations } from '../../platform/db/migrate.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { type Header, readRecords, type TableStart } from './format.ts'

/** A file that is whole, and whose secrets can be opened. */
export interface CheckedBackup {
  readonly path: string
  readonly header: Header
  readonly tables: readonly TableStart[]
}

/**
 * Reads a whole file, before anything is written or a database is opened.
 *
 * @param fingerprintsNow of the secrets that will open what the backup holds; asked for last. While SECRET_KEY is being
 * replaced there are two, and either may have sealed a value
 * @throws StartError for a file that is no backup, or is damaged; of a newer version, or of one before the first release;
 * or made with another secret
 */
export async function checkBackup(
  path: string,
  fingerprintsNow: () => Promise<readonly string[]>,
): Promise<CheckedBackup> {
  const texts: Record<'h' | 't', string[]> = { h: [], t: [] }
  for await (const { kind, content } of readRecords(path)) {
    if (kind === 'h' || kind === 't') texts[kind].push(content.toString())
  }
  // Parsed only now: the digest at the end has shown that they are what was written.
  const [header] = texts.h.map((text) => JSON.parse(text) as Header)
  const tables = texts.t.map((text) => JSON.parse(text) as TableStart)
  if (header === undefined || header.tables !== tables.length) {
    throw new StartError(`${path} is damaged: parts of it are missing`)
  }
  // Throws where this version does not know one of them.
  missingMigrations(readMigrations(), [...header.migrations], 'the backup')
  await refuseOtherSecrets(header, fingerprintsNow)
  return { path, header, tables }
}

async function refuseOtherSecrets(
  { secretFingerprints }: Header,
  fingerprintsNow: () => Promise<readonly string[]>,
): Promise<void> {
  const now = new Set(await fingerprintsNow())
  if (secretFingerprints.every((known) => now.has(known))) return
  const { length } = secretFingerprints
  const made = length > 1 ? `${length} keys in SECRET_KEY` : 'another SECRET_KEY'
  throw new StartError(
    `the backup was made with ${made}: its webhooks and credentials would be unreadable; ` +
      'set SECRET_KEY as it was then, or copy the file secret.key of its DATA_DIR',
  )
}
