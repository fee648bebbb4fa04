import { type Credentials, openCredentials } from '../clients/credentials.ts'
import type { Work } from '../db/work.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { refuseKey } from './key-proof.ts'
import { readToken } from './wildberries/token.ts'

/** An account that is being connected. */
export interface ConnectingAccount {
  readonly clientId: string
  /** Undefined for a new cabinet. */
  readonly cabinetId?: string
  readonly credentials: Credentials
}

/**
 * Refuses an account that an active cabinet has already: its orders would belong to two clients, or show
 * twice. The database names no account, so the sealed credentials of all cabinets are opened; two
 * connections take turns. Throws validation_error.
 */
export async function refuseKnownAccount(
  { tx }: Work,
  box: SecretBox,
  { clientId, cabinetId, credentials }: ConnectingAccount,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('accounts of cabinets'))`
  const account = accountOf(credentials)
  const rows = await tx<{ client_id: string; id: string; name: string; credentials: Buffer }[]>`
    select k.client_id, k.id, k.name, k.credentials
    from clients c join cabinets k on k.client_id = c.id
    where c.mode = 'live' and k.marketplace = ${credentials.marketplace} and k.active
      and k.credentials is not null`
  const other = rows.find((row) => {
    if (row.id === cabinetId) return false
    const known = opened(box, row.id, row.credentials)
    return known !== undefined && accountOf(known) === account
  })
  if (other === undefined) return
  const field = credentials.marketplace === 'WB' ? 'token' : 'client_id'
  throw refuseKey(
    field,
    other.client_id === clientId
      ? `этот аккаунт уже подключён у этого клиента, в кабинете «${other.name}»: отключите его или замените ключ там`
      : 'этот аккаунт уже подключён у другого клиента: аккаунт маркетплейса бывает только у одного',
  )
}

function opened(box: SecretBox, cabinetId: string, sealed: Buffer): Credentials | undefined {
  try {
    return openCredentials(box, cabinetId, sealed)
  } catch {
    return undefined
  }
}

/** Names the account; a token that does not name one stands for itself. */
function accountOf(credentials: Credentials): string {
  if (credentials.marketplace === 'OZON') return credentials.clientId
  const { seller = credentials.token, isForSandbox } = readToken(credentials.token)
  return `${isForSandbox ? 'sandbox ' : ''}${seller}`
}
