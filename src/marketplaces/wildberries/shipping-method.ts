import { moscowDate } from '../../kernel/moscow-time.ts'
import {
  type Fields,
  instantOf,
  integerOrNone,
  openReading,
  textOf,
  textOrNone,
} from '../calls/answer.ts'
import { isRejected, MarketplaceError } from '../calls/failure.ts'
import { allPages, type WildberriesClient } from './client.ts'

/**
 * To which point of WB a supply goes, by whom and when: sellers in Russia have to say it before one
 * leaves. People say it in the cabinet; what they said last goes on for the supplies after it.
 */

/** With this WB asks for it. */
export const methodRequired = 'SupplyShippingRequired'

interface Method {
  readonly shippingPointId: number
  readonly shippingType: string
}

/** @throws MarketplaceError, rejected, where nobody has said it yet, or WB refuses what was said */
export async function carryMethodOn(client: WildberriesClient, supply: Fields): Promise<void> {
  const supplyId = textOf(supply, 'id')
  const method = methodOf(supply) ?? (await lastMethod(client, supply))
  if (method === undefined) throw methodUnnamed(supplyId)
  const today = moscowDate(client.now())
  const named = textOrNone(supply, 'shippingDt') ?? today
  const shippingDt = named > today ? named : today
  const results = await client
    .setShippingMethod({ supplyId, shippingDt, ...method })
    .catch((error: unknown) => {
      throw isRejected(error) ? methodUnnamed(supplyId, error.message, error) : error
    })
  // The call as a whole succeeds whatever comes of it.
  const result = results.find(({ supplyId: told }) => told === supplyId)
  if (result?.success !== true) throw methodUnnamed(supplyId, refusalIn(result))
}

/** What a worker is to do about it. */
export function methodUnnamed(supplyId: string, why?: string, cause?: unknown): MarketplaceError {
  const before = why === undefined ? '' : ` (прежние WB не принял: ${why})`
  const message =
    `WB не закрывает поставку ${supplyId} без пункта, способа и даты отгрузки${before}: ` +
    'один раз укажите их для неё в кабинете WB и закройте отгрузку ещё раз, ' +
    'следующие поставки возьмут их сами'
  return new MarketplaceError('rejected', message, { code: methodRequired, cause })
}

function methodOf(supply: Fields): Method | undefined {
  const shippingPointId = integerOrNone(supply, 'shippingPointId') ?? 0
  const shippingType = textOrNone(supply, 'shippingType')
  if (shippingPointId <= 0 || shippingType === undefined) return undefined
  return { shippingPointId, shippingType }
}

/** That of the youngest supply that goes alike; those that can't be read are passed over. */
async function lastMethod(client: WildberriesClient, supply: Fields): Promise<Method | undefined> {
  let last: { readonly at: number; readonly method: Method } | undefined
  const reading = openReading()
  for await (const { items } of allPages((next) => client.supplies(next))) {
    const named = reading.of(items, (other) => {
      const method = goesAlike(other, supply) ? methodOf(other) : undefined
      return method && { at: instantOf(other, 'createdAt'), method }
    })
    for (const one of named) if (last === undefined || one.at >= last.at) last = one
  }
  return last?.method
}

/** A point takes some kinds of cargo only, and supplies for another office of WB go elsewhere. */
function goesAlike(one: Fields, other: Fields): boolean {
  return ['cargoType', 'destinationOfficeId'].every((name) => {
    const [mine, theirs] = [integerOrNone(one, name), integerOrNone(other, name)]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}

function refusalIn(result: Fields | undefined): string {
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
