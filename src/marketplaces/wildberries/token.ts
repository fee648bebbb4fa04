import { type Instant, isInstant } from '../../kernel/moscow-time.ts'

/**
 * What a WB token says of itself. It is a JWT whose signature only WB can check, so nothing is
 * believed of it but what harms nobody if it is wrong.
 */
export interface TokenClaims {
  /** Undefined for what is no JWT, or does not say. */
  readonly expiresAt: Instant | undefined
  /** The seller's account: limits are counted by it, whatever the number of tokens. */
  readonly seller: string | undefined
}

export function readToken(token: string): TokenClaims {
  const { exp, sid } = payloadOf(token)
  const expiresAt = typeof exp === 'number' ? Math.floor(exp * 1000) : Number.NaN
  return {
    expiresAt: Number.isSafeInteger(expiresAt) && isInstant(expiresAt) ? expiresAt : undefined,
    seller: typeof sid === 'string' && sid !== '' ? sid : undefined,
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
