import { moscowDate } from '../../kernel/moscow-time.ts'
import { isRejected, MarketplaceError } from '../calls/failure.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import {
  type Fields,
  instantOf,
  integerOrNone,
  textOf,
  textOrNone,
} from '../calls/response-fields.ts'
import { type WildberriesClient, wildberriesPages } from './client.ts'

/**
 * The shipping method of a supply: to which WB point it goes, how and when. Sellers in Russia must
 * set it before the hand-over. Staff set it once in the cabinet; later supplies of the same kind
 * reuse the last one.
 */

/** WB's code for a hand-over without a shipping method. */
export const shippingMethodRequired = 'SupplyShippingRequired'

interface Method {
  readonly shippingPointId: number
  readonly shippingType: string
}

/**
 * Sets the supply's own method or the last one used, for today or the later date already set.
 *
 * @throws MarketplaceError `rejected` if no method is known yet, or WB refuses the known one
 */
export async function reuseShippingMethod(
  client: WildberriesClient,
  supply: Fields,
): Promise<void> {
  const supplyId = textOf(supply, 'id')
  const method = methodOf(supply) ?? (await lastMethod(client, supply))
  if (method === undefined) throw shippingMethodMissing(supplyId)
  const today = moscowDate(client.now())
  const planned = textOrNone(supply, 'shippingDt') ?? today
  const shippingDt = planned > today ? planned : today
  const results = await client
    .setShippingMethod({ supplyId, shippingDt, ...method })
    .catch((error: unknown) => {
      throw isRejected(error) ? shippingMethodMissing(supplyId, error.message, error) : error
    })
  const result = results.find((each) => each.supplyId === supplyId)
  if (result?.success !== true) throw shippingMethodMissing(supplyId, describeRefusal(result))
}

/** Tells staff to set the method in the cabinet, and why WB refused the last one. */
export function shippingMethodMissing(
  supplyId: string,
  why?: string,
  cause?: unknown,
): MarketplaceError {
  const before = why === undefined ? '' : ` (прежние WB не принял: ${why})`
  const message =
    `WB не закрывает поставку ${supplyId} без пункта, способа и даты отгрузки${before}: ` +
    'один раз укажите их для неё в кабинете WB и закройте отгрузку ещё раз, ' +
    'следующие поставки возьмут их сами'
  return new MarketplaceError('rejected', message, { code: shippingMethodRequired, cause })
}

function methodOf(supply: Fields): Method | undefined {
  const shippingPointId = integerOrNone(supply, 'shippingPointId') ?? 0
  const shippingType = textOrNone(supply, 'shippingType')
  if (shippingPointId <= 0 || shippingType === undefined) return undefined
  return { shippingPointId, shippingType }
}

/** The method of the youngest supply of the same kind. Unreadable supplies are skipped. */
async function lastMethod(client: WildberriesClient, supply: Fields): Promise<Method | undefined> {
  let last: { readonly at: number; readonly method: Method } | undefined
  const reader = openPartialReader()
  for await (const { items } of wildberriesPages((next) => client.supplies(next))) {
    const found = reader.each(items, (other) => {
      const method = isSameKind(other, supply) ? methodOf(other) : undefined
      return method && { at: instantOf(other, 'createdAt'), method }
    })
    for (const one of found) if (last === undefined || one.at >= last.at) last = one
  }
  return last?.method
}

/** A point takes certain kinds of cargo, and supplies for another WB office go to another point. */
function isSameKind(one: Fields, other: Fields): boolean {
  return ['cargoType', 'destinationOfficeId'].every((name) => {
    const [mine, theirs] = [integerOrNone(one, name), integerOrNone(other, name)]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}

function describeRefusal(result: Fields | undefined): string {
  const { error } = result ?? {}
  const detail = textOrNone({ ...(error as object | undefined) }, 'detail') ?? ''
  return refusalNames[detail] ?? (detail || 'без объяснений')
}

const refusalNames: Readonly<Record<string, string>> = {
  InvalidShippingDt: 'дата отгрузки не подходит',
  SupplyAlreadyScanned: 'поставка уже отсканирована',
  NotFound: 'поставка не найдена',
  FulfillmentRequired: 'в пункте нет услуги «Фулфилмент в СЦ»',
  IncorrectRequestBody: 'пункт или способ отгрузки больше не подходит',
}
