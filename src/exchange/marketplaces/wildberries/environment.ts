import type { LimitRule } from '../calls/limits.ts'
import { readToken } from './token.ts'

/**
 * WB and its sandbox, which has invented data, hosts of its own and tokens of its own. They differ
 * in hosts, limits and the numbers of supplies, and in nothing else; this file knows all of it.
 */
export interface WildberriesHosts {
  readonly baseUrl: string
  readonly contentBaseUrl: string
}

/** What calls cost, in places of the bucket of an account: by the environment and the kind of token. */
export interface WildberriesPace {
  readonly limit: LimitRule
  /** Places that a refused call takes, beside its own. */
  readonly refusalCost: number
  /** Places that a call about cards takes, beside its own. */
  readonly contentExtraCost: number
}

/**
 * 300 calls a minute for each seller, of which a refused call counts as ten. WB allows 100 calls
 * about cards a minute, five at once.
 */
const production: WildberriesPace = {
  limit: { burst: 20, intervalMs: 200 },
  refusalCost: 9,
  contentExtraCost: 3,
}

/** A base token may have half of the calls. */
const base: WildberriesPace = {
  limit: { burst: 10, intervalMs: 400 },
  refusalCost: 9,
  contentExtraCost: 1,
}

/** One call a second, whatever it is about. */
const sandbox: WildberriesPace = {
  limit: { burst: 1, intervalMs: 1000 },
  refusalCost: 0,
  contentExtraCost: 0,
}

export const wildberriesPaces = { production, base, sandbox } as const
export type WildberriesPaceName = keyof typeof wildberriesPaces
export type WildberriesEnvironment = 'production' | 'sandbox'

/** The environment that a token was issued for. */
export function environmentOfToken(token: string): WildberriesEnvironment {
  return readToken(token).isForSandbox ? 'sandbox' : 'production'
}

/** The environment behind the hosts that a token of `environment` leads to. */
export function environmentAt(
  environment: WildberriesEnvironment,
  { baseUrl }: Pick<WildberriesHosts, 'baseUrl'>,
): WildberriesEnvironment {
  return new URL(baseUrl).hostname.includes('sandbox') ? 'sandbox' : environment
}

/** The pace of a token behind these hosts. A token that does not say its kind has the usual one. */
export function paceNameOf(
  token: string,
  hosts: Pick<WildberriesHosts, 'baseUrl'>,
): WildberriesPaceName {
  if (environmentAt(environmentOfToken(token), hosts) === 'sandbox') return 'sandbox'
  return readToken(token).type === 'base' ? 'base' : 'production'
}

/** Whether a text has the form of a supply number; people enter numbers by hand. */
export function isSupplyNumber(id: string): boolean {
  return /^WB-GI-(?:SAND-)?\d+$/.test(id)
}
