import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/db/connection.ts'
import { resealColumn } from '../../platform/db/reseal.ts'
import { invalidFields } from '../../platform/kernel/errors.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import type { Marketplace } from './marketplace.ts'

/**
 * The credentials of a cabinet on its marketplace, and the seller's account that they name. The database
 * holds both sealed and bound to the cabinet; no answer, journal or log shows them.
 */

/** Printable ASCII without spaces, since credentials travel in headers. */
const secretText = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      pattern: '^[!-~]+$',
      title: 'из латинских букв, цифр и знаков, без пробелов: скопируйте ключ целиком',
      examples: [example],
      description,
    }),
  )

export const CredentialsDraft = Type.Object(
  {
    token: secretText('WB: токен из кабинета.', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'),
    client_id: secretText('OZON: Client-Id.', '1234567'),
    api_key: secretText('OZON: Api-Key.', '0e4f6c1a-5b0d-4f4e-9a3e-2f1b7c9d8e60'),
  },
  {
    additionalProperties: false,
    description: 'WB: `token`; OZON: `client_id` и `api_key`. Хранится зашифрованным.',
  },
)
export type CredentialsDraft = Static<typeof CredentialsDraft>

export type Credentials =
  | { readonly marketplace: 'WB'; readonly token: string }
  | { readonly marketplace: 'OZON'; readonly clientId: string; readonly apiKey: string }

/** WB's kinds of tokens: for everybody, for its sandbox, for the seller's own programs, for one service of its catalogue. */
export const tokenTypes = ['base', 'test', 'personal', 'service'] as const
export type TokenType = (typeof tokenTypes)[number]

/** What the marketplace says of credentials at their entry. */
export interface CredentialsCheck {
  /** Names of rights; undefined: the marketplace did not answer. */
  readonly rights: readonly string[] | undefined
  /** Undefined: it does not say. */
  readonly expiresAt: Instant | undefined
  readonly isForSandbox: boolean
  /** Absent: they do not say, or the marketplace has no kinds of keys. */
  readonly type?: TokenType | undefined
}

const fields = { WB: ['token'], OZON: ['client_id', 'api_key'] } as const

/** Throws validation_error naming the fields that are missing or belong to another marketplace. */
export function credentialsOf(marketplace: Marketplace, draft: CredentialsDraft): Credentials {
  const needed: readonly string[] = fields[marketplace]
  const missing = needed.filter((field) => !Object.hasOwn(draft, field))
  const foreign = Object.keys(draft).filter((field) => !needed.includes(field))
  const breaches = [
    ...missing.map((field) => ({ field, rule: `обязательно для ${marketplace}` })),
    ...foreign.map((field) => ({ field, rule: `не для ${marketplace}` })),
  ]
  if (breaches.length > 0) {
    throw invalidFields(breaches.map(({ field, rule }) => ({ path: `credentials.${field}`, rule })))
  }
  const { token = '', client_id: clientId = '', api_key: apiKey = '' } = draft
  return marketplace === 'WB' ? { marketplace, token } : { marketplace, clientId, apiKey }
}

/** The texts of credentials that may appear nowhere. */
export function secretsOf(credentials: Credentials): readonly string[] {
  return credentials.marketplace === 'WB'
    ? [credentials.token]
    : [credentials.apiKey, credentials.clientId]
}

export function sealCredentials(
  box: SecretBox,
  cabinetId: string,
  credentials: Credentials,
): Buffer {
  return box.seal(JSON.stringify(credentials), cabinetId)
}

/** Throws an Error, which shows nothing of the content, where no key opens them. */
export function openCredentials(box: SecretBox, cabinetId: string, sealed: Buffer): Credentials {
  return JSON.parse(box.open(sealed, cabinetId)) as Credentials
}

export function sealSeller(box: SecretBox, cabinetId: string, seller: string): Buffer {
  return box.seal(seller, cabinetId)
}

/** Whether the sealed seller is this one; false where no key opens it. */
export function isSealedSeller(
  box: SecretBox,
  cabinetId: string,
  sealed: Buffer,
  seller: string,
): boolean {
  try {
    return box.open(sealed, cabinetId) === seller
  } catch {
    return false
  }
}

/**
 * Seals all credentials and sellers with the newest key. Staff must enter those credentials again that
 * no key opens; the next sync run then replaces the seller.
 */
export async function resealCredentials(db: Database, box: SecretBox) {
  const credentials = await resealColumn(db, box, { table: 'cabinets', column: 'credentials' })
  const sellers = await resealColumn(db, box, { table: 'cabinets', column: 'seller' })
  const cabinets = new Map(
    [...credentials.unreadable, ...sellers.unreadable].map(({ client_id, id }) => [id, client_id]),
  )
  return {
    resealed: credentials.resealed + sellers.resealed,
    current: credentials.current + sellers.current,
    unreadable: [...cabinets].map(([cabinet, client]) => ({ client, cabinet })),
  }
}
