import { hash, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, invalidField } from '../../platform/kernel/errors.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'

/**
 * One-time codes of an application on the phone (RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes for a
 * phone that is lost. A secret is sealed, bound to its user, and takes effect with its first code. Each code, of both
 * kinds, is taken once.
 */

const periodSeconds = 30
const recoveryCodes = 10
/** Without letters and digits that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstvwxyz'
const halfLength = 5

function totpOf(login: string, secret: Secret): TOTP {
  return new TOTP({ issuer: 'Sklad', label: login, secret, digits: 6, period: periodSeconds })
}

export interface OfferedCodes {
  /** In base 32, for typing. */
  readonly secret: string
  /** `otpauth://…`, for the QR code. */
  readonly uri: string
}

/** Offers a new secret; it takes effect with `confirmCodes`. Throws conflict where codes are on. */
export async function offerCodes(
  { tx }: Work,
  box: SecretBox,
  user: { readonly id: string; readonly login: string },
): Promise<OfferedCodes> {
  const secret = new Secret({ size: 20 })
  const offered = await tx`
    update seller_users set totp_offered = ${box.seal(secret.base32, user.id)}
    where id = ${user.id} and totp_secret is null returning id`
  if (offered.length === 0) throw conflict('Одноразовые коды уже включены')
  return { secret: secret.base32, uri: totpOf(user.login, secret).toString() }
}

/** Turns codes on. Returns the recovery codes, which are shown once. Throws conflict and validation_error. */
export async function confirmCodes(
  { tx, now }: Work,
  box: SecretBox,
  user: { readonly id: string; readonly login: string },
  code: string,
): Promise<string[]> {
  const [row] = await tx<{ totp_offered: Buffer | null }[]>`
    select totp_offered from seller_users where id = ${user.id} for update`
  if (row === undefined || row.totp_offered === null) {
    throw conflict('Сначала получите секрет для приложения')
  }
  const step = stepOf(box.open(row.totp_offered, user.id), code, now)
  if (step === undefined) throw invalidField('code', 'код не подходит: проверьте часы телефона')
  const recovery = Array.from({ length: recoveryCodes }, newRecoveryCode)
  await tx`
    update seller_users set totp_secret = totp_offered, totp_offered = null, totp_step = ${step},
      recovery_hashes = ${recovery.map(hashOfRecovery)}::bytea[]
    where id = ${user.id}`
  return recovery
}

/** Signing in needs no code any more. */
export async function dropCodes({ tx }: Work, userId: string): Promise<void> {
  await tx`
    update seller_users set totp_secret = null, totp_offered = null, totp_step = null,
      recovery_hashes = '{}'
    where id = ${userId}`
}

/** Uses up a code of the application or a recovery code. Returns whether it was right. */
export async function takeCode(
  db: Queryable,
  box: SecretBox,
  user: { readonly id: string; readonly totp_secret: Buffer },
  code: string,
  now: Instant,
): Promise<boolean> {
  const text = code.toLowerCase().replaceAll(/[\s-]/g, '')
  if (/^\d{6}$/.test(text)) {
    const step = stepOf(box.open(user.totp_secret, user.id), text, now)
    if (step === undefined) return false
    const taken = await db`
      update seller_users set totp_step = ${step}
      where id = ${user.id} and totp_step < ${step} and totp_secret is not null returning id`
    return taken.length > 0
  }
  const used = await db`
    update seller_users set recovery_hashes = array_remove(recovery_hashes, ${hashOfRecovery(text)}::bytea)
    where id = ${user.id} and ${hashOfRecovery(text)}::bytea = any(recovery_hashes)
    returning id`
  return used.length > 0
}

/** The number of the 30 seconds that a code is of; a neighbour's is right too. Undefined for a wrong code. */
function stepOf(secret: string, code: string, now: Instant): number | undefined {
  const totp = totpOf('', Secret.fromBase32(secret))
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / periodSeconds) + delta
}

function newRecoveryCode(): string {
  const letters = Array.from({ length: 2 * halfLength }, () => alphabet[randomInt(alphabet.length)])
  return `${letters.slice(0, halfLength).join('')}-${letters.slice(halfLength).join('')}`
}

function hashOfRecovery(code: string): Buffer {
  return hash('sha256', code.replaceAll('-', ''), 'buffer')
}

/** Seals the secrets, offered ones too, with the newest key. */
export async function resealCodes(db: Queryable, box: SecretBox) {
  const counts = { resealed: 0, current: 0 }
  const unreadable = new Set<string>()
  for (const column of ['totp_secret', 'totp_offered']) {
    const rows = await db<{ id: string; sealed: Buffer }[]>`
      select id, ${db(column)} as sealed from seller_users where ${db(column)} is not null order by id`
    const old = rows.filter(({ sealed }) => !box.isNewest(sealed))
    counts.current += rows.length - old.length
    for (const { id, sealed } of old) {
      const text = openOrNothing(box, sealed, id)
      if (text === undefined) unreadable.add(id)
      else {
        counts.resealed += 1
        await db`
          update seller_users set ${db(column)} = ${box.seal(text, id)}
          where id = ${id} and ${db(column)} = ${sealed}`
      }
    }
  }
  return { ...counts, unreadable: [...unreadable].map((id) => ({ id })) }
}

function openOrNothing(box: SecretBox, sealed: Buffer, id: string): string | undefined {
  try {
    return box.open(sealed, id)
  } catch {
    return undefined
  }
}
