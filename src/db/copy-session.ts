import type { Readable, Writable } from 'node:stream'
import { from, to } from 'pg-copy-streams'
import { openClient } from './client.ts'
import { type Database, settingsOfDatabase } from './connection.ts'
import { connectionLoss, endsSession } from './errors.ts'

/** A connection of its own, for copies of whole tables as streams. The caller opens and ends the transaction. */
export interface CopySession {
  /** Runs statements without parameters, and answers with the rows of the last one. */
  run<Row extends object>(text: string): Promise<Row[]>
  /** The rows that `COPY … TO STDOUT` gives, as bytes. */
  copyOut(text: string): Readable
  /** Takes the bytes for `COPY … FROM STDIN`. It has finished when the server has taken all of them. */
  copyIn(text: string): Writable
  /** What really failed: a ConnectionError where the connection was lost, else the given error. */
  causeOf(error: unknown): unknown
  end(): Promise<void>
}

export async function openCopySession(db: Database): Promise<CopySession> {
  const client = await openClient({ ...settingsOfDatabase(db), streams: true })
  return {
    async run<Row extends object>(text: string) {
      const result = await client.query<Row>(text)
      // Several statements in one text have a result each.
      return ((Array.isArray(result) ? result.at(-1) : result) as { rows: Row[] }).rows
    },
    copyOut: (text) => client.query(to(text)),
    copyIn: (text) => client.query(from(text)),
    causeOf(error) {
      const isLost = client.session.isLost || endsSession(error)
      return isLost && error instanceof Error ? connectionLoss(error) : error
    },
    end: () => client.end(),
  }
}
