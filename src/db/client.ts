import { Socket } from 'node:net'
import pg from 'pg'
import { ConnectionError, ended, readOnlyServer } from './errors.ts'
import type { Address, Hosts } from './hosts.ts'
import { resultTypes } from './results.ts'
import { Session } from './session.ts'
import { ReadingSocket, WireConnection } from './wire.ts'

declare module 'pg' {
  interface Client {
    /** What the first message to the server holds; not part of the driver's documented interface. */
    getStartupConf(): Record<string, string>
  }
}

export interface ClientSettings {
  readonly hosts: Hosts
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** Off: nothing outlives a transaction on the server, as poolers in transaction mode need it. */
  readonly prepared: boolean
  /** Whether its socket is a stream, as copies of whole tables need it; false by default. */
  readonly streams?: boolean
}

/** A process that was stopped in the middle of a transaction holds its locks for no longer. */
export const idleInTransactionMsMax = 120_000

/** Every session lives at +03 and speaks UTF-8, whatever the settings of the server and of the role are. */
const sessionSettings = { TimeZone: '<+03>-03', DateStyle: 'ISO', client_encoding: 'UTF8' }

/** Only for direct connections: a pooler refuses these settings, or leaves them set for its next client. */
const directSettings = {
  client_min_messages: 'warning',
  idle_in_transaction_session_timeout: String(idleInTransactionMsMax),
}

/** A connection of the driver with our settings. */
export class SessionClient extends pg.Client {
  readonly session: Session
  /** Resolves when the connection is closed, or could not be made. */
  readonly closed: Promise<void>
  /** The server that it connects to. */
  readonly address: Address
  /** Of its backend; undefined until it is greeted, and behind a pooler, which gives it another one each time. */
  backendId: number | undefined
  readonly #settings: Record<string, string>

  /** Of the server that is current now. */
  constructor({ hosts, applicationName, prepared, streams = false }: ClientSettings) {
    const address = hosts.current
    super({
      ...address.client,
      application_name: applicationName,
      connection: new WireConnection({
        ssl: address.client.ssl,
        // TLS makes a stream of its own around the socket.
        ...(streams || address.client.ssl ? {} : { stream: () => new ReadingSocket() }),
        keepAlive: true,
        keepAliveInitialDelayMillis: address.client.keepAliveInitialDelayMillis,
      }),
      types: resultTypes,
    })
    this.address = address
    const closed = Promise.withResolvers<void>()
    this.on('end', closed.resolve)
    this.closed = closed.promise
    this.session = new Session(this, prepared)
    this.#settings = {
      ...sessionSettings,
      ...(prepared ? directSettings : {}),
      ...address.settings,
    }
  }

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...this.#settings }
  }

  /** How many bytes came and went: they stand still on a connection that is silent. */
  get bytesMoved(): number {
    const { stream } = this.connection
    if (!(stream instanceof Socket)) return 0
    return stream.bytesRead + stream.bytesWritten - stream.writableLength
  }

  /** Ends the connection at once; all its statements fail with the reason. */
  destroy(reason: ConnectionError): void {
    this.session.lose(reason)
    this.connection.stream.destroy()
  }
}

/** Connects to the first server that can be used, unless the signal comes. Throws what the last one said. */
export async function openClient(
  settings: ClientSettings,
  signal?: AbortSignal,
): Promise<SessionClient> {
  const { hosts } = settings
  for (let left = hosts.count; ; left -= 1) {
    const client = new SessionClient(settings)
    const stop = () => client.destroy(ended('what it was opened for'))
    signal?.addEventListener('abort', stop)
    try {
      await client.connect()
      await greet(client, settings)
      return client
    } catch (error) {
      client.destroy(new ConnectionError('CONNECTION_CLOSED', 'it could not be opened', error))
      hosts.passOver(client.address)
      if (left === 1 || signal?.aborted) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }
}

/** Asks a new connection what it is. Throws on a standby, where only the primary will do. */
export async function greet(
  client: SessionClient,
  { hosts: { primaryOnly }, prepared }: ClientSettings,
): Promise<void> {
  const [row] = await answeredInTime(client, async () => {
    const text = 'select pg_is_in_recovery() as standby, pg_backend_pid() as id'
    return (await client.query<{ standby: boolean; id: number }>(text)).rows
  })
  if (primaryOnly && row?.standby) {
    throw new ConnectionError(readOnlyServer, 'the server is a standby')
  }
  if (prepared) client.backendId = row?.id
}

/** For the first words on a connection: one that does not answer in the time for connecting is ended, so that they fail. */
export async function answeredInTime<T>(client: SessionClient, ask: () => Promise<T>): Promise<T> {
  const silent = new ConnectionError('SERVER_SILENT', 'a new connection got no answer')
  const { connectionTimeoutMillis } = client.address.client
  const timer = setTimeout(() => client.destroy(silent), connectionTimeoutMillis)
  try {
    return await ask()
  } finally {
    clearTimeout(timer)
  }
}
