import pg from 'pg'
import type { Address } from './address.ts'
import type { ConnectionError } from './errors.ts'
import { resultTypes } from './results.ts'
import { Session } from './session.ts'

declare module 'pg' {
  interface Client {
    /** What the first message to the server holds; not part of the driver's documented interface. */
    getStartupConf(): Record<string, string>
  }
}

export interface ClientSettings {
  readonly address: Address
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** Off: nothing outlives a transaction on the server, as poolers in transaction mode need it. */
  readonly prepared: boolean
}

/** A process that was stopped in the middle of a transaction holds its locks for no longer. */
export const idleInTransactionMsMax = 120_000

const keepAliveAfterMs = 60_000

/** Every session lives at +03, whatever the server's own settings are. */
const sessionSettings = { TimeZone: '<+03>-03', DateStyle: 'ISO' }

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
  readonly #settings: Record<string, string>

  constructor({ address, applicationName, prepared }: ClientSettings) {
    super({
      ...address.client,
      application_name: applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      types: resultTypes,
    })
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

  /** Ends the connection at once; all its statements fail with the reason. */
  destroy(reason: ConnectionError): void {
    this.session.lose(reason)
    this.connection.stream.destroy()
  }
}
