import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { Database } from '../../platform/db/connection.ts'
import { ConnectionError } from '../../platform/db/connections/errors.ts'
import { type CopySession, openCopySession } from '../../platform/db/copy-session.ts'
import type { AppliedMigration } from '../../platform/db/migrate.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { flushDirectory } from '../../platform/postgres/cluster.ts'
import { partitionsOf, sequencesOf, tablesOf } from './catalog.ts'
import { type Header, magic, recordWriter } from './format.ts'

export interface MadeBackup {
  readonly file: string
  readonly madeAt: string
  readonly tables: number
  readonly rows: number
  readonly bytes: number
}

/** Says which table is copied, and how many rows of it are. */
export type Progress = (step: { readonly table: string; readonly rows: number }) => void

interface Given {
  readonly path: string
  readonly secretFingerprints: readonly string[]
  readonly progress: Progress
  /** Stops the backup; no file stays. */
  readonly signal?: AbortSignal
}

/**
 * Writes all data of the database into one file, as they are at one moment. The service goes on meanwhile. The file
 * gets its name when it is whole and on disk, so a file of that name can be restored.
 *
 * @throws StartError where the file is there already or can't be written, or the backup is stopped; ConnectionError where
 *   the database is lost
 */
export async function makeBackup(db: Database, given: Given): Promise<MadeBackup> {
  const { path, signal } = given
  if ((await stat(path).catch(() => undefined)) !== undefined) {
    throw new StartError(`${path} exists: name another file`)
  }
  const draft = `${path}.unfinished`
  const session = await openCopySession(db)
  try {
    await session.run('begin isolation level repeatable read read only')
    // Before the snapshot: a partition that is dropped is gone for every snapshot.
    await session.run('lock table events, ended_deliveries in access share mode')
    const counted = { rows: 0 }
    const header = await headerOf(session, given.secretFingerprints)
    // Whoever reads the file has all figures of all sellers.
    const file = createWriteStream(draft, { mode: 0o600, flush: true })
    file.write(magic)
    const records = Readable.from(recordsOf(session, header, given.progress, counted))
    await pipeline(records, createZstdCompress(), file, { signal })
    await rename(draft, path)
    // A renamed file is there after a loss of power only when its folder is on disk.
    flushDirectory(dirname(path))
    const { size } = await stat(path)
    const { madeAt, tables } = header
    return { file: path, madeAt, tables, rows: counted.rows, bytes: size }
  } catch (error) {
    await rm(draft, { force: true })
    if (signal?.aborted) throw new StartError(`${path}: the backup was stopped`, { cause: error })
    const cause = session.causeOf(error)
    if (cause instanceof ConnectionError) throw cause
    const reason = fileProblems[(error as NodeJS.ErrnoException).code ?? '']
    throw reason === undefined ? error : new StartError(`${path}: ${reason}`, { cause: error })
  } finally {
    await session.end()
  }
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EACCES: 'this user may not write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not be so large there',
  EIO: 'the disk failed',
  ESTALE: 'its folder is gone: mount it again',
  EROFS: 'the disk is read-only',
}

async function headerOf(
  session: CopySession,
  secretFingerprints: readonly string[],
): Promise<Header> {
  const migrations = await session.run<AppliedMigration>(
    'select number, name, checksum from schema_migrations order by number',
  )
  const [server] = await session.run<{ version: string; now: string }>(
    `select current_setting('server_version') as version, now()::text as now`,
  )
  return {
    madeAt: server?.now ?? '',
    serverVersion: server?.version ?? '',
    migrations,
    secretFingerprints,
    partitions: await partitionsOf(session),
    tables: (await tablesOf(session)).length,
  }
}

async function* recordsOf(
  session: CopySession,
  header: Header,
  progress: Progress,
  counted: { rows: number },
): AsyncGenerator<Buffer> {
  const writer = recordWriter()
  yield writer.json('h', header)
  for (const table of await tablesOf(session)) {
    yield writer.json('t', table)
    let rows = 0
    const text = `copy (select ${table.columns.join(', ')} from ${table.name}) to stdout`
    for await (const chunk of session.copyOut(text) as AsyncIterable<Buffer>) {
      rows += linesIn(chunk)
      progress({ table: table.name, rows })
      yield writer.bytes('d', chunk)
    }
    counted.rows += rows
  }
  // Their values don't belong to the snapshot; later ones than its rows have are right too.
  yield writer.json('s', await sequencesOf(session))
  yield writer.end()
}

/** A row ends with a line feed, and values hold none: COPY escapes them. */
function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}
