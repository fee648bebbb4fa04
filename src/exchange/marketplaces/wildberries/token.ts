import { type Instant, isInstant } from '../../../platform/kernel/moscow-time.ts'

/**
 * Claims of a WB token. It is a JWT whose signature only WB can check, so the service uses only
 * claims that do no harm if they are false.
 */
export interface TokenClaims {
  /** Undefined if the token is no JWT or has no such claim. */
  readonly expiresAt: Instant | undefined
  /** The seller's account: all its tokens share one limit. */
  readonly seller: string | undefined
  /** A bit for each category (claim `s`). */
  readonly scopes: number | undefined
  /** The token works in WB's sandbox alone. */
  readonly isForSandbox: boolean
}

export function readToken(token: string): TokenClaims {
  const { exp, sid, s, t } = payloadOf(token)
  const expiresAt = typeof exp === 'number' ? Math.floor(exp * 1000) : Number.NaN
  return {
    expiresAt: Number.isSafeInteger(expiresAt) && isInstant(expiresAt) ? expiresAt : undefined,
    seller: typeof sid === 'string' && sid !== '' ? sid : undefined,
    scopes: typeof s === 'number' && Number.isSafeInteger(s) && s >= 0 ? s : undefined,
    isForSandbox: t === true,
  }
}

function payloadOf(token: string): Readonly<Record<string, unknown>> {
  const parts = token.split('.')
  if (parts.length !== 3) return {}
  try {
    const payload: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString())
    return typeof payload === 'object' && payload !== null ? { ...payload } : {}
  } catch {
    return {}
  }
}
