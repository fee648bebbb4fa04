import { type Fields, instantOrNone, listOrNone } from '../calls/response-fields.ts'
import type { Access } from '../connector.ts'

/** The key expires at the earliest time that the response names for the key or one of its roles. */
export function parseAccess(roles: Fields): Access {
  const named = [roles, ...listOrNone(roles, 'roles')]
  const ends = named.flatMap((fields) => instantOrNone(fields, 'expires_at') ?? [])
  return { expiresAt: ends.length === 0 ? undefined : Math.min(...ends) }
}
