import { type Database, inTransaction } from '../../platform/db/connection.ts'
import { workAt } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { invalidField, ServiceError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import { type CountedAttempt, countAttempt, forgive } from '../sign-in/failures.ts'
import { newBrowserCookie, type Origin, rememberPlaces } from '../sign-in/known-places.ts'
import { isPassword } from '../sign-in/passwords.ts'
import { findSellerUser, findSellerUserById, type SellerUser } from './members.ts'
import { takeCode } from './one-time-codes.ts'
import { clientToShow, openSellerSession } from './sessions.ts'

/** Signing in to the account, with the slow-down of guessing that staff have. */

export interface SellerSignIn extends Origin {
  readonly password: string
  readonly code: string | undefined
  readonly browser: string
}

export type SellerSignedIn =
  | { readonly kind: 'signed-in'; readonly session: string; readonly browserCookie: string }
  /** The password is right, and a one-time code is missing. The attempt stays counted. */
  | { readonly kind: 'code-needed' }

export const wrongPassword = 'Неверный логин или пароль'
const wrongCode = 'Код неверный или уже использован'
const noClient = 'У вас больше нет доступа ни к одному клиенту: обратитесь к его владельцу'

interface Surroundings {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
}

/** Throws unauthorized, forbidden for a user without clients, and rate_limited after too many failures. */
export async function signInSeller(
  surroundings: Surroundings,
  given: SellerSignIn,
): Promise<SellerSignedIn> {
  const { db, clock } = surroundings
  const origin = originOf(given)
  const attempt = await countAttempt(db, clock.now(), origin)
  const user = await findSellerUser(db, given.login)
  const right = await isPassword(given.password, user?.password_hash ?? null)
  if (user === undefined || !right) throw new ServiceError('unauthorized', wrongPassword)
  if (user.totp_secret !== null && given.code === undefined) return { kind: 'code-needed' }
  const browserCookie = given.browserCookie ?? newBrowserCookie()
  const session = await openFor(surroundings, user, given, attempt, { ...origin, browserCookie })
  return { kind: 'signed-in', session, browserCookie }
}

/** Counts of sellers' logins are apart from those of staff, who may have the same. */
function originOf({ login, address, browserCookie }: Origin): Origin {
  return { login: `seller:${login.toLowerCase()}`, address, browserCookie }
}

async function openFor(
  { db, clock, box }: Surroundings,
  { id, password_hash, totp_secret }: SellerUser,
  given: SellerSignIn,
  attempt: CountedAttempt,
  origin: Origin,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const work = workAt(tx, clock.now(), { kind: 'seller', userId: id })
    // The password was checked before this transaction: it may have changed since, or codes were turned on.
    const [user] = await tx<{ totp_secret: Buffer | null }[]>`
      select totp_secret from seller_users
      where id = ${id} and password_hash = ${password_hash} for no key update`
    if (user === undefined || (user.totp_secret !== null && totp_secret === null)) {
      throw new ServiceError('unauthorized', wrongPassword)
    }
    if (user.totp_secret !== null) {
      const codes = { id, totp_secret: user.totp_secret }
      if (!(await takeCode(tx, box, codes, given.code ?? '', work.now))) {
        throw new ServiceError('unauthorized', wrongCode)
      }
    }
    const clientId = await clientToShow(tx, id)
    if (clientId === undefined) throw new ServiceError('forbidden', noClient)
    const { address, browser } = given
    const session = await openSellerSession(work, newId(), {
      clientId,
      userId: id,
      address,
      browser,
    })
    await forgive(tx, attempt)
    await rememberPlaces(tx, id, work.now, origin)
    return session
  })
}

/**
 * Checks the password of a user who is signed in, and with `code` the one-time code if the user has them. Throws
 * validation_error, or rate_limited.
 */
export async function confirmPassword(
  { db, clock, box }: Surroundings,
  userId: string,
  origin: Origin,
  { password, code }: { readonly password: string; readonly code?: string },
): Promise<void> {
  const attempt = await countAttempt(db, clock.now(), originOf(origin))
  const user = await findSellerUserById(db, userId)
  if (!(await isPassword(password, user?.password_hash ?? null))) {
    throw invalidField('password', 'пароль не подходит')
  }
  await inTransaction(db, async (tx) => {
    if (code !== undefined && user !== undefined && user.totp_secret !== null) {
      const codes = { id: userId, totp_secret: user.totp_secret }
      if (!(await takeCode(tx, box, codes, code, clock.now()))) {
        throw invalidField('code', 'код неверный или уже использован')
      }
    }
    await forgive(tx, attempt)
  })
}

/** Counts an attempt to accept an invitation with a login; `forgive` takes it back. */
export function countInvited({ db, clock }: Surroundings, origin: Origin): Promise<CountedAttempt> {
  return countAttempt(db, clock.now(), originOf(origin))
}
