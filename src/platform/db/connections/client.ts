import { Socket } from 'node:net'
import pg from 'pg'
import { resultTypes } from '../statements/results.ts'
import { ConnectionError, ended, readOnlyServer } from './errors.ts'
import type { Hosts } from './hosts.ts'
import { Session } from './session.ts'

export interface ClientSettings {
  readonly hosts: Hosts
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** Off: nothing outlives a transaction on the server, as poolers in transaction mode need it. */
  readonly prepared: boolean
  /** Whether COPY may run: the driver refuses it on a connection whose statements travel together. */
  readonly copies?: boolean
}

/** A process that was stopped in the middle of a transaction holds its locks for no longer. */
export const idleInTransactionMsMax = 120_000

/** Every session lives at +03 and speaks UTF-8, whatever the settings of the server and of the role are. */
const sessionSettings = `set timezone = '<+03>-03'; set datestyle = 'ISO'; set client_encoding = 'UTF8'`

/** Only for direct connections: a pooler leaves these settings set for its next client. */
const directSettings = `; set client_min_messages = 'warning'; set idle_in_transaction_session_timeout = ${idleInTransactionMsMax}`

/** A session that is not connected yet, of the server that is current now. */
export function newSession({ hosts, applicationName, prepared, copies }: ClientSettings): Session {
  const address = hosts.current
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    application_name: applicationName,
    ...address.client,
    keepAlive: true,
    types: resultTypes,
    pipeline: !copies,
  })
  return new Session(client, socket, address, prepared)
}

/** Connects to the first server that can be used, unless the signal comes. Throws what the last one said. */
export async function openSession(
  settings: ClientSettings,
  signal?: AbortSignal,
): Promise<Session> {
  const { hosts } = settings
  for (let left = hosts.count; ; left -= 1) {
    const session = newSession(settings)
    const stop = () => session.destroy(ended('what it was opened for'))
    signal?.addEventListener('abort', stop)
    try {
      await session.client.connect()
      await greet(session, settings)
      return session
    } catch (error) {
      session.destroy(new ConnectionError('CONNECTION_CLOSED', 'it could not be opened', error))
      hosts.passOver(session.address)
      if (left === 1 || signal?.aborted) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }
}

/** Makes a new connection one of ours, and asks what it is. Throws on a standby, where only the primary will do. */
export async function greet(
  session: Session,
  { hosts: { primaryOnly }, prepared }: ClientSettings,
): Promise<void> {
  const question = 'select pg_is_in_recovery() as standby, pg_backend_pid() as id'
  const text = `${sessionSettings}${prepared ? directSettings : ''}; ${question}`
  const greeting = { text, name: undefined, values: [] }
  const { rows } = await answeredInTime(session, () => session.execute(greeting))
  const [row] = rows as { standby: boolean; id: number }[]
  if (primaryOnly && row?.standby) {
    throw new ConnectionError(readOnlyServer, 'the server is a standby')
  }
  if (prepared) session.backendId = row?.id
}

/** For the first words on a connection: one that does not answer in the time for connecting is ended, so that they fail. */
export async function answeredInTime<T>(session: Session, ask: () => Promise<T>): Promise<T> {
  const silent = new ConnectionError('SERVER_SILENT', 'a new connection got no answer')
  const { connectionTimeoutMillis } = session.address.client
  const timer = setTimeout(() => session.destroy(silent), connectionTimeoutMillis)
  try {
    return await ask()
  } finally {
    clearTimeout(timer)
  }
}
