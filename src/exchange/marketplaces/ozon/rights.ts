import { day, dottedDate, moscowDate } from '../../../platform/kernel/moscow-time.ts'
import type { CredentialsCheck } from '../../../warehouse/clients/credentials.ts'
import { type KeyRefusal, proofOf, refuseKey } from '../calls/key-proof.ts'
import { type Fields, instantOrNone, listOrNone, textOrNone } from '../calls/response-fields.ts'
import type { Access } from '../connector.ts'
import { openOzonClient } from './client.ts'
import type { OzonOptions } from './transport.ts'

const where =
  'выпустите новый в кабинете OZON («Настройки» → «Seller API») с ролью «Admin» или «Posting FBS» и «Product»'
/** Enough for every key; the names are shown to staff. */
const rightsMax = 50
const ordersMs = day

/**
 * What a key may do: OZON names its roles, and a call of orders proves it. Throws validation_error naming
 * `credentials.api_key`.
 */
export async function checkOzonKey(options: OzonOptions): Promise<CredentialsCheck> {
  const { now = Date.now } = options
  const client = openOzonClient(options)
  const time = (at: number) => new Date(at).toISOString()
  const [roles, orders] = await Promise.all([
    proofOf(client.roles()),
    proofOf(client.postings({ since: time(now() - ordersMs), to: time(now()) }, '')),
  ])
  const refusal = roles.refusal ?? orders.refusal
  if (refusal !== undefined) throw refusalOf(refusal)
  const { expiresAt } = roles.answer === undefined ? {} : parseAccess(roles.answer)
  if (expiresAt !== undefined && expiresAt <= now()) {
    throw refuseKey('api_key', `ключ действовал до ${dottedDate(moscowDate(expiresAt))}: ${where}`)
  }
  const names = listOrNone(roles.answer ?? {}, 'roles').flatMap(
    (role) => textOrNone(role, 'name') ?? [],
  )
  if (names.length > 0 && names.every((name) => /read.?only/i.test(name))) {
    throw refuseKey('api_key', `ключ только на чтение: ${where}`)
  }
  const rights = names.length > 0 ? names.slice(0, rightsMax) : ['Posting FBS']
  return { rights: orders.isProved ? rights : undefined, expiresAt, isForSandbox: false }
}

function refusalOf(refusal: KeyRefusal): Error {
  if (refusal === 'addresses') {
    return refuseKey(
      'api_key',
      'ключ разрешён только для других IP-адресов: разрешите адреса сервиса',
    )
  }
  return refusal === 'rights'
    ? refuseKey('api_key', `ключу не хватает прав на заказы FBS: ${where}`)
    : refuseKey(
        'api_key',
        `OZON не принимает этот ключ с этим Client-Id: проверьте оба или ${where}`,
      )
}

/** The key expires at the earliest time that the response names for the key or one of its roles. */
export function parseAccess(roles: Fields): Access {
  const named = [roles, ...listOrNone(roles, 'roles')]
  const ends = named.flatMap((fields) => instantOrNone(fields, 'expires_at') ?? [])
  return { expiresAt: ends.length === 0 ? undefined : Math.min(...ends) }
}
