import { hash, randomBytes } from 'node:crypto'
import type { Database, Transaction } from '../../platform/db/connection.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * The places from which a user has signed in with the right password: browsers, by a random text in a
 * cookie of their own, and addresses. A place belongs to one login. The database has its SHA-256.
 */

/** Where an attempt to sign in comes from. */
export interface Origin {
  /** Of a seller's user with `seller:` before it. */
  readonly login: string
  readonly address: string
  /** The text in the browser's cookie; undefined for a browser without one. */
  readonly browserCookie: string | undefined
}

const forgetMs = 90 * 86_400_000

export const newBrowserCookie = () => randomBytes(32).toString('base64url')

function placesOf({ login, address, browserCookie }: Origin) {
  const digest = (kind: string, text: string) =>
    hash('sha256', JSON.stringify([kind, login, text]), 'buffer')
  return {
    address: digest('address', address),
    browserCookie: browserCookie === undefined ? undefined : digest('browserCookie', browserCookie),
  }
}

/** The most trusted place of an origin from which the login has signed in during the last 90 days. */
export async function knownPlace(
  db: Database,
  now: Instant,
  origin: Origin,
): Promise<'browserCookie' | 'address' | undefined> {
  const { address, browserCookie } = placesOf(origin)
  const places = browserCookie === undefined ? [address] : [address, browserCookie]
  const known = await db<{ place: Buffer }[]>`
    select place from sign_in_places
    where place = any(${places}::bytea[]) and used_at > ${toTimestamp(now - forgetMs)}`
  if (browserCookie !== undefined && known.some(({ place }) => place.equals(browserCookie)))
    return 'browserCookie'
  return known.length > 0 ? 'address' : undefined
}

/** The origin's places belong to the user from now on. */
export async function rememberPlaces(
  tx: Transaction,
  userId: string,
  now: Instant,
  origin: Origin,
): Promise<void> {
  for (const place of Object.values(placesOf(origin))) {
    if (place === undefined) continue
    await tx`
      insert into sign_in_places (place, user_id, used_at)
      values (${place}, ${userId}, ${toTimestamp(now)})
      on conflict (place) do update set used_at = excluded.used_at`
  }
}

/** Deletes at most `max` places that were not used for 90 days. */
export async function forgetPlaces(db: Database, now: Instant, max: number): Promise<void> {
  await db`
    delete from sign_in_places where place in (
      select place from sign_in_places
      where used_at < ${toTimestamp(now - forgetMs)} order by used_at limit ${max})`
}
