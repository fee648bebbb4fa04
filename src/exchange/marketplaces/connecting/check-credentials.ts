import type { Credentials, CredentialsCheck } from '../../../warehouse/clients/credentials.ts'
import { limitsAtSpeed, timeAtSpeed } from '../calls/account-buckets.ts'
import { ozonLimit } from '../ozon/client.ts'
import { checkOzonKey } from '../ozon/rights.ts'
import { environmentOfToken, paceNameOf, wildberriesPaces } from '../wildberries/environment.ts'
import { checkWildberriesToken } from '../wildberries/rights.ts'
import { readToken } from '../wildberries/token.ts'
import type { ConnectOptions } from './open-connector.ts'

/**
 * Asks the marketplace what credentials may do, before they are stored. Throws validation_error where they are
 * refused, expired, read-only or lack a right. Where the marketplace does not answer within seconds, nothing is
 * known: the first sync run finds out.
 */
export type CheckCredentials = (credentials: Credentials) => Promise<CredentialsCheck>

/** Of one call, and of the whole check, which may also wait for the account's limits. */
const callMsMax = 3_000
const checkMsMax = 5_000

export function makeCredentialsCheck(
  options: Pick<ConnectOptions, 'db' | 'wildberries' | 'ozonUrl' | 'speed'> & {
    /** Tokens for WB's sandbox are taken. */
    readonly wildberriesTestTokens?: boolean
  },
): CheckCredentials {
  const { db, speed = 1 } = options
  const common = { timeoutMs: callMsMax, attemptsMax: 1, time: timeAtSpeed(speed) }
  const ask = (credentials: Credentials): Promise<CredentialsCheck> => {
    if (credentials.marketplace === 'OZON') {
      const limits = limitsAtSpeed(db, ozonLimit, speed)
      return checkOzonKey({ ...common, credentials, limits, baseUrl: options.ozonUrl })
    }
    const hosts = options.wildberries[environmentOfToken(credentials.token)]
    const { limit } = wildberriesPaces[paceNameOf(credentials.token, hosts)]
    const limits = limitsAtSpeed(db, limit, speed)
    const { wildberriesTestTokens: takesTestTokens = false } = options
    return checkWildberriesToken({ ...common, credentials, limits, takesTestTokens, ...hosts })
  }
  return async (credentials) => {
    const late = Promise.withResolvers<CredentialsCheck>()
    const timer = setTimeout(() => late.resolve(uncheckedOf(credentials)), checkMsMax)
    try {
      return await Promise.race([ask(credentials), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** What the credentials say of themselves. */
function uncheckedOf(credentials: Credentials): CredentialsCheck {
  const nothing = { rights: undefined, expiresAt: undefined, isForSandbox: false }
  if (credentials.marketplace === 'OZON') return nothing
  const { expiresAt, isForSandbox, type } = readToken(credentials.token)
  return { ...nothing, expiresAt, isForSandbox, type }
}
