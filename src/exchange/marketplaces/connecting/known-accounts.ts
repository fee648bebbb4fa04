import type { Transaction } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { quoted } from '../../../platform/kernel/quoted.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import {
  type Credentials,
  openCredentials,
  secretsOf,
} from '../../../warehouse/clients/credentials.ts'
import { MarketplaceError } from '../calls/failure.ts'
import { refuseKey } from '../calls/key-proof.ts'
import { readToken } from '../wildberries/token.ts'

/** An account that is being connected. */
export interface ConnectingAccount {
  readonly clientId: string
  /** Undefined for a new cabinet. */
  readonly cabinetId?: string
  readonly credentials: Credentials
}

/** An active cabinet that has the account already. */
interface AccountHolder {
  readonly client_id: string
  readonly id: string
  readonly name: string
  /** The marketplace has accepted its credentials. */
  readonly proved: boolean
}

/**
 * Refuses an account that an active cabinet has already: its orders would belong to two clients, or show
 * twice. Throws validation_error.
 */
export async function refuseKnownAccount(
  { tx }: Work,
  box: SecretBox,
  account: ConnectingAccount,
): Promise<void> {
  const [other] = await holdersOf(tx, box, account)
  if (other === undefined) return
  const field = account.credentials.marketplace === 'WB' ? 'token' : 'client_id'
  const why = whyRefused(other, account)
  throw refuseKey(field, `${why}: ${sameClient(other, account) ? elsewhere : onlyOne}`)
}

/**
 * Refuses to switch a cabinet on whose account another active cabinet has had since. Throws conflict.
 */
export async function refuseReactivation(
  { tx }: Work,
  box: SecretBox,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  const [cabinet] = await tx<{ credentials: Buffer }[]>`
    select credentials from cabinets
    where client_id = ${clientId} and id = ${cabinetId} and not active and credentials is not null`
  const credentials = cabinet && opened(box, cabinetId, cabinet.credentials)
  if (credentials === undefined) return
  const account = { clientId, cabinetId, credentials }
  const [other] = await holdersOf(tx, box, account)
  if (other === undefined) return
  throw conflict(
    `Кабинет нельзя включить, ${whyRefused(other, account)}: сначала отключите его там`,
  )
}

/**
 * For a sync run with credentials that were stored unchecked and that the marketplace has accepted now:
 * of cabinets with one account the first that is proved keeps it. Throws a MarketplaceError of kind
 * credentials.
 */
export async function refuseProvedAccount(
  tx: Transaction,
  box: SecretBox,
  account: ConnectingAccount,
): Promise<void> {
  const other = (await holdersOf(tx, box, account)).find(({ proved }) => proved)
  if (other === undefined) return
  throw new MarketplaceError(
    'credentials',
    `Данные не читаем, ${whyRefused(other, account)}: отключите его там или передайте менеджеру другой ключ`,
  )
}

const sameClient = (other: AccountHolder, { clientId }: ConnectingAccount) =>
  other.client_id === clientId
const elsewhere = 'отключите его или замените ключ там'
const onlyOne = 'аккаунт маркетплейса бывает только у одного'

function whyRefused(other: AccountHolder, account: ConnectingAccount): string {
  return sameClient(other, account)
    ? `этот аккаунт уже подключён у этого клиента, в кабинете ${quoted(other.name)}`
    : 'этот аккаунт уже подключён у другого клиента'
}

/**
 * The other active cabinets with the account. The database names no account, so the sealed credentials of
 * all cabinets are opened; two connections take turns.
 */
async function holdersOf(
  tx: Transaction,
  box: SecretBox,
  { cabinetId, credentials }: ConnectingAccount,
): Promise<AccountHolder[]> {
  await tx`select pg_advisory_xact_lock(hashtext('accounts of cabinets'))`
  const account = accountOf(credentials)
  const rows = await tx<(AccountHolder & { readonly credentials: Buffer })[]>`
    select k.client_id, k.id, k.name, k.credentials,
      k.credentials_rights is not null or coalesce(y.access_at >= k.credentials_at, false) as proved
    from clients c join cabinets k on k.client_id = c.id
    left join cabinet_syncs y on y.client_id = k.client_id and y.cabinet_id = k.id
    where c.mode = 'live' and k.marketplace = ${credentials.marketplace} and k.active
      and k.credentials is not null
    order by k.client_id, k.id`
  return rows.filter((row) => {
    if (row.id === cabinetId) return false
    const known = opened(box, row.id, row.credentials)
    return known !== undefined && accountOf(known) === account
  })
}

function opened(box: SecretBox, cabinetId: string, sealed: Buffer): Credentials | undefined {
  try {
    return openCredentials(box, cabinetId, sealed)
  } catch {
    return undefined
  }
}

/** The account that credentials name; undefined for a token that names none. */
export function namedAccount(credentials: Credentials): string | undefined {
  return credentials.marketplace === 'OZON'
    ? credentials.clientId
    : readToken(credentials.token).seller
}

/** A token that names no account stands for itself. */
function accountOf(credentials: Credentials): string {
  return namedAccount(credentials) ?? secretsOf(credentials).join()
}
