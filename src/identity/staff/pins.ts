import { randomBytes } from 'node:crypto'
import { type Database, inTransaction } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { notFound, rateLimited, ServiceError } from '../../platform/kernel/errors.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import {
  countGuess,
  forgetGuesses,
  type Guess,
  type GuessRule,
  takeBackGuess,
} from '../sign-in/guesses.ts'
import { isPassword } from '../sign-in/passwords.ts'
import { hashOf, isRevokedDevice } from './devices.ts'
import { type StaffMember, sessionHash } from './identity.ts'
import { noPinOfAdministrator } from './rights.ts'
import type { Role } from './roles.ts'

/**
 * PINs: workers switch by them on enrolled devices, and nowhere else.
 *
 * - A wrong PIN counts under the lock of the user's row, before it is compared, so tries in parallel
 *   gain nothing. After five the PIN is locked until a manager sets a new one.
 * - Wrong PINs count by device and by login, too (`identity/sign-in/guesses.ts`), and no sign-in forgives these. So
 * whoever guesses a little between the sign-ins of others, or at many logins, has to wait. A new PIN begins anew.
 * - Administrators sign in by password only: a PIN has too few digits for what they may do.
 */

export const pinForm = '^[0-9]{4,8}$'
export const pinTries = 5

/**
 * Sets the user's PIN, or with null takes it away; the tries start again, and the sessions that the old PIN
 * opened end. Throws not_found, or forbidden for an administrator.
 */
export async function setPin({ tx }: Work, userId: string, pinHash: string | null): Promise<void> {
  const [user] = await tx<{ role: Role; login: string }[]>`
    update staff_users set pin_hash = ${pinHash}, pin_failures = 0 where id = ${userId}
    returning role, login`
  if (user === undefined) throw notFound('Пользователь не найден')
  if (user.role === 'administrator' && pinHash !== null) {
    throw new ServiceError('forbidden', noPinOfAdministrator)
  }
  await tx`delete from staff_sessions where user_id = ${userId} and device_id is not null`
  await forgetGuesses(tx, pinOfLogin, user.login)
}

/** People mistype some times a shift. A PIN of four digits takes years at this pace. */
const pinAtDevice: GuessRule = { kind: 'PIN at a device', max: 20, periodMs: 10 * 60_000 }
const pinOfLogin: GuessRule = { kind: 'PIN of a login', max: 10, periodMs: 2 * 3_600_000 }

export interface GivenPin {
  /** The value of the device's cookie. */
  readonly secret: string | undefined
  readonly login: string
  readonly pin: string
}

/** A user with the right PIN on an enrolled device. */
export interface CheckedPin {
  readonly user: Pick<StaffMember, 'id' | 'login'>
  readonly device: string
  readonly hash: string
  readonly guess: Guess
}

/**
 * Counts a try and compares the PIN. Throws unauthorized, device_revoked on a revoked device, and rate_limited after too
 * many wrong ones.
 */
export async function checkPin(
  db: Database,
  now: Instant,
  { secret, login: given, pin }: GivenPin,
): Promise<CheckedPin> {
  const login = given.toLowerCase()
  const device = await demandTerminal(db, secret)
  const guess = await countGuess(db, now, [
    { rule: pinAtDevice, of: device },
    { rule: pinOfLogin, of: login },
  ])
  if (guess.waitMs > 0) throw tooManyPins(guess.waitMs)
  const tried = await countTry(db, login)
  if (tried === 'locked') {
    await inTransaction(db, (tx) => takeBackGuess(tx, guess))
    throw new ServiceError('unauthorized', locked)
  }
  const right = await isPassword(pin, tried?.hash ?? null)
  if (tried === undefined) throw new ServiceError('unauthorized', wrongPin)
  if (!right) {
    const left = pinTries - tried.tries
    const more = left > 0 ? `Осталось попыток: ${left}` : locked
    throw new ServiceError('unauthorized', `${wrongPin}. ${more}`)
  }
  return { user: { id: tried.id, login: tried.login }, device, hash: tried.hash, guess }
}

export const notEnrolled =
  'По PIN входят только на зарегистрированном терминале: попросите менеджера зарегистрировать этот'
const wrongPin = 'Неверный логин или PIN'
const locked = 'PIN заблокирован, новый задаст менеджер'

/** The enrolled handheld of a cookie. Throws unauthorized, and device_revoked on a revoked one. */
export async function demandTerminal(db: Database, secret: string | undefined): Promise<string> {
  const device = secret === undefined ? undefined : await enrolledDevice(db, secret)
  if (device !== undefined) return device
  if (secret !== undefined && (await isRevokedDevice(db, secret))) {
    throw new ServiceError('device_revoked')
  }
  throw new ServiceError('unauthorized', notEnrolled)
}

async function enrolledDevice(db: Database, secret: string): Promise<string | undefined> {
  const [device] = await db<{ id: string }[]>`
    select id from staff_devices where secret_hash = ${hashOf(secret)} and revoked_at is null and purpose = 'HANDHELD'`
  return device?.id
}

interface Tried extends StaffMember {
  readonly hash: string
  /** With this one. */
  readonly tries: number
}

/** Counts a try. Undefined for a user who has no PIN. */
async function countTry(db: Database, login: string): Promise<Tried | 'locked' | undefined> {
  const [tried] = await db<Tried[]>`
    update staff_users set pin_failures = pin_failures + 1
    where login = ${login} and active and pin_hash is not null and role <> 'administrator'
      and pin_failures < ${pinTries}
    returning id, login, role, pin_hash as hash, pin_failures as tries`
  if (tried !== undefined) return tried
  const [known] = await db`
    select id from staff_users
    where login = ${login} and active and pin_hash is not null and pin_failures >= ${pinTries}`
  return known === undefined ? undefined : 'locked'
}

function tooManyPins(waitMs: number): ServiceError {
  const minutes = Math.ceil(waitMs / 60_000)
  return rateLimited(
    Math.ceil(waitMs / 1000),
    `Слишком много неверных PIN: подождите ${minutes} мин или войдите по паролю`,
  )
}

export interface PinSession {
  /** The value of the cookie. */
  readonly session: string
  /** Ids of the other users who worked on the device. */
  readonly signedOut: readonly string[]
}

/**
 * Signs the user in on the device and out whoever worked on it. The PIN was checked before this transaction: it, the
 * user and the device may have changed since. Throws unauthorized.
 */
export async function openPinSession(
  { tx, at }: Work,
  { user, device, hash, guess }: CheckedPin,
): Promise<PinSession> {
  const used = await tx`
    update staff_devices set last_used_at = ${at}, last_user_id = ${user.id}
    where id = ${device} and revoked_at is null returning id`
  if (used.length === 0) throw new ServiceError('unauthorized', notEnrolled)
  const users = await tx`
    update staff_users set pin_failures = 0
    where id = ${user.id} and active and pin_hash = ${hash} and role <> 'administrator'
    returning id`
  if (users.length === 0) throw new ServiceError('unauthorized', wrongPin)
  await takeBackGuess(tx, guess)
  const ended = await tx<{ user_id: string }[]>`
    delete from staff_sessions where device_id = ${device} returning user_id`
  const session = randomBytes(32).toString('base64url')
  await tx`
    insert into staff_sessions (hash, user_id, device_id, created_at, used_at)
    values (${sessionHash(session)}, ${user.id}, ${device}, ${at}, ${at})`
  const signedOut = ended.map(({ user_id }) => user_id).filter((id) => id !== user.id)
  return { session, signedOut }
}
