import type { ClientConfig } from 'pg'
import { Presence } from './presence.ts'

export interface Address {
  readonly client: ClientConfig
  /** Host and port, or the socket; never the user or the password. */
  readonly shown: string
}

/**
 * The servers of a database, of which one at a time is the primary. All connections of a pool, and those beside it,
 * share the choice: the server that the last one reached is tried first by the next.
 */
export class Hosts {
  readonly #addresses: readonly [Address, ...Address[]]
  /** Whether a standby is passed over. */
  readonly primaryOnly: boolean
  readonly presence = new Presence()
  #at = 0

  constructor(addresses: readonly [Address, ...Address[]], primaryOnly: boolean) {
    this.#addresses = addresses
    this.primaryOnly = primaryOnly
  }

  get current(): Address {
    return this.#addresses[this.#at] ?? this.#addresses[0]
  }

  get count(): number {
    return this.#addresses.length
  }

  /** All of them, for people. */
  get shown(): string {
    return this.#addresses.map(({ shown }) => shown).join(', ')
  }

  /** The server can't be used. Where another connection has moved on already, nothing changes. */
  passOver(address: Address): void {
    if (address === this.current) this.#at = (this.#at + 1) % this.count
  }
}
