import type { Database } from '../../../platform/db/connection.ts'
import type { WarningLog } from '../../../platform/kernel/log.ts'
import { type Instant, minute, type Timestamp } from '../../../platform/kernel/moscow-time.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import { isOn } from '../../../platform/process/switches.ts'
import {
  type Credentials,
  openCredentials,
  secretsOf,
} from '../../../warehouse/clients/credentials.ts'
import type { Marketplace, ShipmentsPlace } from '../../../warehouse/clients/marketplace.ts'
import { limitsAtSpeed, timeAtSpeed } from '../calls/account-buckets.ts'
import type { CallAttempt } from '../calls/calls.ts'
import { MarketplaceError, temporaryFailure } from '../calls/failure.ts'
import type { Limits } from '../calls/limits.ts'
import { openMarketplaceClock } from '../calls/marketplace-clock.ts'
import type { Connector } from '../connector.ts'
import { ozonLimit } from '../ozon/client.ts'
import { openOzon } from '../ozon/connector.ts'
import { openOzonMemory } from '../ozon/memory.ts'
import type { CallRecorder } from '../recording/recorder.ts'
import { openWildberries } from '../wildberries/connector.ts'
import {
  environmentOfToken,
  paceNameOf,
  type WildberriesEnvironment,
  type WildberriesHosts,
  wildberriesPaces,
} from '../wildberries/environment.ts'

/** Opens the connector of a cabinet's marketplace. A third marketplace needs a line here and a folder. */

export interface ConnectOptions {
  /** For the limits. A pool of its own (`openBeside`), so that calls do not queue behind API requests. */
  readonly db: Database
  readonly box: SecretBox
  readonly wildberries: Readonly<Record<WildberriesEnvironment, WildberriesHosts>>
  readonly ozonUrl: string
  readonly ozonListApartMs?: number
  /** See `limitsAtSpeed`. */
  readonly speed?: number
  /** Our clock. */
  readonly now?: () => Instant
  readonly log?: Pick<WarningLog, 'warn'>
  /** Keeps the raw calls of cabinets for which it is switched on. */
  readonly recorder?: CallRecorder
  /** Sees every request of every cabinet. It neither waits nor throws. */
  readonly onAttempt?: (marketplace: Marketplace, attempt: CallAttempt) => void
}

export interface Connectable {
  readonly id: string
  /** The connector of an observed cabinet refuses every call that could change something. */
  readonly shipments: ShipmentsPlace
  /** Sealed. */
  readonly credentials: Buffer
  /** Whose calls are kept until when; undefined: they are not. */
  readonly clientId?: string
  readonly callsRecordedUntil?: Timestamp | null
}

/** Throws a MarketplaceError of kind credentials where no current secret opens them. */
export type Connect = (cabinet: Connectable) => Connector

/** All connectors of all processes share the limits of an account. */
export function makeConnect(options: ConnectOptions): Connect {
  const { db, speed = 1 } = options
  const limits = {
    production: whileOn(db, limitsAtSpeed(db, wildberriesPaces.production.limit, speed)),
    base: whileOn(db, limitsAtSpeed(db, wildberriesPaces.base.limit, speed)),
    sandbox: whileOn(db, limitsAtSpeed(db, wildberriesPaces.sandbox.limit, speed)),
    OZON: whileOn(db, limitsAtSpeed(db, ozonLimit, speed)),
  }
  const time = timeAtSpeed(speed)
  const clocks = { WB: openClock('WB', options), OZON: openClock('OZON', options) }
  const memory = openOzonMemory((call) =>
    options.log?.warn({ call }, 'OZON has withdrawn a call; where there is another one it is used'),
  )
  const open = (credentials: Credentials, { readsOnly, observe }: Watching): Connector => {
    const { now, heed } = clocks[credentials.marketplace]
    const onAttempt = (attempt: CallAttempt) => {
      heed(attempt)
      options.onAttempt?.(credentials.marketplace, attempt)
      observe?.(attempt)
    }
    switch (credentials.marketplace) {
      case 'WB': {
        const hosts = options.wildberries[environmentOfToken(credentials.token)]
        return openWildberries({
          credentials,
          readsOnly,
          onAttempt,
          now,
          limits: limits[paceNameOf(credentials.token, hosts)],
          time,
          ...hosts,
        })
      }
      case 'OZON':
        return openOzon({
          credentials,
          readsOnly,
          onAttempt,
          now,
          limits: limits.OZON,
          time,
          baseUrl: options.ozonUrl,
          ...(options.ozonListApartMs === undefined
            ? {}
            : { listApartMs: options.ozonListApartMs }),
          memory,
        })
    }
  }
  return ({ id, credentials: sealed, shipments, clientId = '', callsRecordedUntil = null }) => {
    const credentials = readCredentials(options.box, id, sealed)
    const observe = options.recorder?.observer({
      clientId,
      cabinetId: id,
      until: callsRecordedUntil,
      secrets: secretsOf(credentials),
    })
    return open(credentials, { readsOnly: shipments === 'observe', observe })
  }
}

interface Watching {
  readonly readsOnly: boolean
  readonly observe: ((attempt: CallAttempt) => void) | undefined
}

/** One for all cabinets of a marketplace. */
function openClock(marketplace: Marketplace, { now = Date.now, log }: ConnectOptions) {
  return openMarketplaceClock(now, (aheadMs) =>
    log?.warn(
      { marketplace, ahead_minutes: Math.round(aheadMs / minute) },
      aheadMs === 0
        ? 'the clock of this machine agrees with that of a marketplace again'
        : 'the clock of this machine differs from that of a marketplace: set it right',
    ),
  )
}

function readCredentials(box: SecretBox, id: string, sealed: Buffer): Credentials {
  try {
    return openCredentials(box, id, sealed)
  } catch (cause) {
    const message = 'Ключ доступа к маркетплейсу не читается: передайте его менеджеру ещё раз'
    throw new MarketplaceError('credentials', message, { cause })
  }
}

/** While the exchange with marketplaces is off, no call gets a place: each fails before it is sent. */
export function whileOn(db: Database, limits: Limits): Limits {
  return {
    ...limits,
    async take(...asked) {
      if (await isOn(db, 'marketplaces')) return limits.take(...asked)
      throw temporaryFailure('Обмен с маркетплейсами выключен: его включает администратор')
    },
  }
}
