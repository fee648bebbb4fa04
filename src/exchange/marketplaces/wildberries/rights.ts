import { dottedDate, moscowDate } from '../../../platform/kernel/moscow-time.ts'
import type { CredentialsCheck } from '../../../warehouse/clients/credentials.ts'
import { type KeyRefusal, proofOf, refuseKey } from '../calls/key-proof.ts'
import { openWildberriesClient } from './client.ts'
import { readToken, type TokenClaims } from './token.ts'
import type { WildberriesOptions } from './transport.ts'

/** The categories of a WB token, by their bit in the claim `s`. */
const categories: readonly (readonly [bit: number, name: string])[] = [
  [1, 'Контент'],
  [2, 'Аналитика'],
  [3, 'Цены и скидки'],
  [4, 'Маркетплейс'],
  [5, 'Статистика'],
  [6, 'Продвижение'],
  [7, 'Вопросы и отзывы'],
  [9, 'Чат с покупателями'],
  [10, 'Поставки'],
  [11, 'Возвраты покупателями'],
  [12, 'Документы'],
  [13, 'Финансы'],
  [16, 'Пользователи'],
]
const readOnlyBit = 30
const marketplace = 'Маркетплейс'
const content = 'Контент'
const where =
  'выпустите Базовый токен в кабинете WB («Настройки» → «Доступ к API») с категориями «Маркетплейс» и ' +
  '«Контент», без отметки «Только на чтение»'

interface Checking extends WildberriesOptions {
  /** Tokens for WB's sandbox are taken. */
  readonly takesTestTokens: boolean
}

/**
 * What a token may do. The token says its kind and its categories; one call of each category that the service needs
 * proves them. Throws validation_error naming `credentials.token`.
 */
export async function checkWildberriesToken(options: Checking): Promise<CredentialsCheck> {
  const { now = Date.now, takesTestTokens } = options
  const claims = readToken(options.credentials.token)
  if (claims.isForSandbox && !takesTestTokens) {
    throw refuseKey('token', `токен Тестовый, он открывает только песочницу WB: ${where}`)
  }
  refuseByClaims(claims, now())
  const client = openWildberriesClient(options)
  const [orders, cards] = await Promise.all([
    proofOf(client.warehouses()),
    proofOf(client.cards(undefined)),
  ])
  if (orders.refusal) throw refusalOf(orders.refusal, marketplace)
  if (cards.refusal) throw refusalOf(cards.refusal, content)
  const isProved = orders.isProved && cards.isProved
  return {
    rights: isProved ? (namesIn(claims) ?? [marketplace, content]) : undefined,
    expiresAt: claims.expiresAt,
    isForSandbox: claims.isForSandbox,
    type: claims.type,
  }
}

function refuseByClaims(claims: TokenClaims, now: number): void {
  const { expiresAt, scopes } = claims
  if (expiresAt !== undefined && expiresAt <= now) {
    throw refuseKey('token', `токен действовал до ${dottedDate(moscowDate(expiresAt))}: ${where}`)
  }
  if (scopes === undefined) return
  if (hasBit(scopes, readOnlyBit)) throw refuseKey('token', `токен только на чтение: ${where}`)
  const names = namesIn(claims) ?? []
  const missing = [marketplace, content].filter((name) => !names.includes(name))
  if (missing.length > 0) {
    const list = missing.map((name) => `«${name}»`).join(', ')
    throw refuseKey('token', `токену не хватает категорий: ${list}; ${where}`)
  }
}

function namesIn({ scopes }: TokenClaims): string[] | undefined {
  if (scopes === undefined) return undefined
  return categories.flatMap(([bit, name]) => (hasBit(scopes, bit) ? name : []))
}

/** Bits beyond 31 are out of reach of the operators for bits. */
function hasBit(scopes: number, bit: number): boolean {
  return Math.floor(scopes / 2 ** bit) % 2 === 1
}

function refusalOf(refusal: KeyRefusal, category: string): Error {
  if (refusal === 'addresses') {
    return refuseKey(
      'token',
      'токен разрешён только для других IP-адресов: разрешите адреса сервиса',
    )
  }
  if (refusal === 'keyType') {
    return refuseKey('token', `WB не даёт заказов и карточек по токену такого типа: ${where}`)
  }
  return refusal === 'rights'
    ? refuseKey('token', `токену не хватает категории «${category}»: ${where}`)
    : refuseKey('token', `WB не принимает этот токен: ${where}`)
}
