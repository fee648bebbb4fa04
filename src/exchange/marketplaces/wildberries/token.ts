import { type Instant, isInstant } from '../../../platform/kernel/moscow-time.ts'
import type { TokenType } from '../../../warehouse/clients/credentials.ts'

/**
 * Claims of a WB token. It is a JWT whose signature only WB can check, so the service uses only
 * claims that do no harm if they are false.
 */
export interface TokenClaims {
  /** Undefined if the token is no JWT or has no such claim. */
  readonly expiresAt: Instant | undefined
  /** The seller's account: all its tokens share one limit. In WB's sandbox a seller has other data, and so another account. */
  readonly seller: string | undefined
  /** A bit for each category (claim `s`). */
  readonly scopes: number | undefined
  readonly type: TokenType | undefined
  /** The token works in WB's sandbox alone. */
  readonly isForSandbox: boolean
}

export function readToken(token: string): TokenClaims {
  const { exp, sid, s, t, acc, for: user } = payloadOf(token)
  const isForSandbox = t === true || acc === 2
  const seller = typeof sid === 'string' && sid !== '' ? sid : undefined
  const expiresAt = typeof exp === 'number' ? Math.floor(exp * 1000) : Number.NaN
  return {
    expiresAt: Number.isSafeInteger(expiresAt) && isInstant(expiresAt) ? expiresAt : undefined,
    seller: isForSandbox && seller ? `sandbox ${seller}` : seller,
    scopes: typeof s === 'number' && Number.isSafeInteger(s) && s >= 0 ? s : undefined,
    type: t === true ? 'test' : typeOf(acc, user),
    isForSandbox,
  }
}

/** Claim `acc`; tokens without it may say by `for` who uses them. */
function typeOf(acc: unknown, user: unknown): TokenType | undefined {
  if (typeof acc === 'number') return types[acc]
  if (user === 'self') return 'personal'
  return typeof user === 'string' && user.startsWith('asid:') ? 'service' : undefined
}

const types: Readonly<Record<number, TokenType>> = {
  1: 'base',
  2: 'test',
  3: 'personal',
  4: 'service',
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
