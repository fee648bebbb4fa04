import { type Credentials, openCredentials } from '../clients/credentials.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Connector } from './connector.ts'
import { openLimits } from './limits.ts'
import { ozonLimit } from './ozon/client.ts'
import { openOzon } from './ozon/connector.ts'
import { wildberriesLimit } from './wildberries/client.ts'
import { openWildberries } from './wildberries/connector.ts'

/** The marketplaces that there are: a third one is a line here and a folder beside the two. */
export interface ConnectOptions {
  readonly box: SecretBox
  readonly wildberriesUrl: string
  readonly wildberriesContentUrl: string
  readonly ozonUrl: string
}

/** What is needed of a cabinet to talk to its marketplace. */
export interface Connectable {
  readonly id: string
  /** Sealed. */
  readonly credentials: Buffer
}

export type Connect = (cabinet: Connectable) => Connector

/** Limits are shared by all that this process asks of an account. */
export function makeConnect(options: ConnectOptions): Connect {
  const limits = { WB: openLimits(wildberriesLimit), OZON: openLimits(ozonLimit) }
  const open = (credentials: Credentials): Connector => {
    switch (credentials.marketplace) {
      case 'WB':
        return openWildberries({
          credentials,
          limits: limits.WB,
          baseUrl: options.wildberriesUrl,
          contentBaseUrl: options.wildberriesContentUrl,
        })
      case 'OZON':
        return openOzon({ credentials, limits: limits.OZON, baseUrl: options.ozonUrl })
    }
  }
  return ({ id, credentials }) => open(openCredentials(options.box, id, credentials))
}
