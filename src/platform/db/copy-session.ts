import type { Readable, Writable } from 'node:stream'
import { from, to } from 'pg-copy-streams'
import { type Database, settingsOfDatabase } from './connection.ts'
import { openSession } from './connections/client.ts'
import { connectFailure, connectionLoss, endsSession } from './connections/errors.ts'
import { command } from './connections/session.ts'
import { tagOf } from './statements/tag.ts'
import type { TransactionTag } from './transaction.ts'

/** A connection of its own, for copies of whole tables as streams. The caller opens and ends the transaction. */
export interface CopySession {
  /** Runs statements without parameters, and answers with the rows of the last one. */
  run<Row extends object>(text: string): Promise<Row[]>
  /** For statements with parameters; without savepoints. */
  readonly tag: TransactionTag
  /** The rows that `COPY … TO STDOUT` gives, as bytes. */
  copyOut(text: string): Readable
  /** Takes the bytes for `COPY … FROM STDIN`. It has finished when the server has taken all of them. */
  copyIn(text: string): Writable
  /** What really failed: a ConnectionError where the connection was lost, else the given error. */
  causeOf(error: unknown): unknown
  end(): Promise<void>
}

export async function openCopySession(db: Database): Promise<CopySession> {
  const settings = { ...settingsOfDatabase(db), copies: true }
  const session = await openSession(settings).catch((error: unknown) => {
    throw error instanceof Error ? connectFailure(error) : error
  })
  const { client } = session
  return {
    async run<Row extends object>(text: string) {
      return (await session.execute(command(text))).rows as Row[]
    },
    tag: Object.assign(tagOf(session), { savepoint: refuseSavepoint }),
    copyOut: (text) => client.query(to(text)),
    copyIn: (text) => client.query(from(text)),
    causeOf(error) {
      const isLost = session.isLost || endsSession(error)
      return isLost && error instanceof Error ? connectionLoss(error) : error
    },
    end: () => client.end(),
  }
}

function refuseSavepoint(): Promise<never> {
  throw new TypeError('copies have no savepoints')
}
