import { type Database, inTransaction } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { notFound, rateLimited, ServiceError } from '../../platform/kernel/errors.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { countGuess, type GuessRule, takeBackGuess } from '../sign-in/guesses.ts'
import { isBadgeCode } from './badge-code.ts'
import { hashOf, randomLetters } from './devices.ts'
import { demandTerminal } from './pins.ts'
import type { Role } from './roles.ts'

/**
 * Badges: a printed code that names its person on an enrolled handheld instead of a typed login. The PIN proves the person,
 * so a badge alone opens nothing.
 *
 * - The database has SHA-256 of the code. A new badge takes the place of the one before; blocking leaves none.
 * - Wrong codes count by device, as wrong PINs do.
 * - Administrators have none: they sign in by password.
 */

/** Nobody guesses so many letters: about 98 bits. */
const badgeLength = 20

/** Gives the user a new badge and answers its code. Throws not_found, or forbidden for an administrator. */
export async function issueBadge({ tx, at }: Work, userId: string): Promise<string> {
  const code = `SKB${randomLetters(badgeLength)}`
  const [user] = await tx<{ role: Role }[]>`
    update staff_users set badge_hash = ${hashOf(code)}, badge_issued_at = ${at}
    where id = ${userId} and active returning role`
  if (user === undefined) throw notFound('Пользователь не найден или без доступа')
  if (user.role === 'administrator') throw new ServiceError('forbidden', noBadgeOfAdministrator)
  return code
}

const noBadgeOfAdministrator = 'Администратор входит по паролю, бейдж ему не печатают'

/** Answers whether there was one. */
export async function blockBadge({ tx }: Work, userId: string): Promise<boolean> {
  const blocked = await tx`
    update staff_users set badge_hash = null, badge_issued_at = null
    where id = ${userId} and badge_hash is not null returning id`
  return blocked.length > 0
}

const badgeAtDevice: GuessRule = { kind: 'badge at a device', max: 20, periodMs: 10 * 60_000 }

export interface GivenBadge {
  /** The value of the device's cookie. */
  readonly secret: string | undefined
  readonly badge: string
}

interface BadgeOwner {
  readonly login: string
  readonly name: string
}

/**
 * Whose badge it is, on an enrolled handheld. Throws unauthorized, device_revoked on a revoked device, and rate_limited after
 * too many wrong ones.
 */
export async function holderOfBadge(
  db: Database,
  now: Instant,
  { secret, badge }: GivenBadge,
): Promise<BadgeOwner> {
  const device = await demandTerminal(db, secret)
  const guess = await countGuess(db, now, [{ rule: badgeAtDevice, of: device }])
  if (guess.waitMs > 0) {
    throw rateLimited(
      Math.ceil(guess.waitMs / 1000),
      'Слишком много чужих бейджей: подождите или введите логин',
    )
  }
  const code = badge.trim().toUpperCase()
  const [holder] = isBadgeCode(code)
    ? await db<BadgeOwner[]>`
        select login, shown_name as name from staff_users
        where badge_hash = ${hashOf(code)} and active and role <> 'administrator'`
    : []
  if (holder === undefined) throw new ServiceError('unauthorized', unknownBadge)
  await inTransaction(db, (tx) => takeBackGuess(tx, guess))
  return holder
}

export const unknownBadge =
  'Бейдж не подходит: его заменили или заблокировали. Введите логин или попросите у менеджера новый'
