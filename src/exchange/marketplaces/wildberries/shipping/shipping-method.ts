import { moscowDate } from '../../../../platform/kernel/moscow-time.ts'
import type { ShippingPoint } from '../../../../warehouse/shipments/shipping-method.ts'
import { isRejected, MarketplaceError, rejection } from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import {
  type Fields,
  integerOf,
  integerOrNone,
  textOf,
  textOrNone,
} from '../../calls/response-fields.ts'
import type { RemoteMethod, SentMethod } from '../../connector.ts'
import type { WildberriesClient } from '../client.ts'
import { speaksOfWaybill, waybillMessage } from '../refusals.ts'

/**
 * The shipping method of a supply: to which WB point it goes, how and when. Sellers in Russia must
 * set it before the hand-over.
 */

/** WB's code for a hand-over without a shipping method. */
const shippingMethodRequired = 'SupplyShippingRequired'

/** The points of a city, for one kind of cargo or all. Unreadable points are left out. */
export async function listShippingPoints(
  client: WildberriesClient,
  city: string,
  cargoType: number | undefined,
): Promise<readonly ShippingPoint[]> {
  const reader = openPartialReader()
  const points = reader.each(await client.shippingPoints(city, cargoType), parsePoint)
  if (points.length === 0) reader.finish()
  return points
}

function parsePoint(point: Fields): ShippingPoint {
  const cargoTypes = Array.isArray(point.cargoTypes) ? point.cargoTypes : []
  return {
    id: integerOf(point, 'id'),
    name: textOf(point, 'name'),
    address: textOrNone(point, 'address') ?? null,
    city: textOrNone(point, 'city') ?? null,
    kind: textOrNone(point, 'officeType') ?? null,
    cargo_types: cargoTypes.filter((type) => Number.isInteger(type) && type > 0 && type < 10_000),
  }
}

/** What WB has for a supply: somebody may have set the method in the cabinet. */
export async function remoteMethodOf(
  client: WildberriesClient,
  supplyId: string,
): Promise<RemoteMethod> {
  const { fields } = await client.supply(supplyId)
  const pointId = integerOrNone(fields, 'shippingPointId') ?? 0
  const type = textOrNone(fields, 'shippingType')
  const date = textOrNone(fields, 'shippingDt')?.slice(0, 10)
  const isSet = pointId > 0 && type !== undefined
  return {
    // An empty supply has the type 0.
    cargoType: integerOrNone(fields, 'cargoType') || undefined,
    method: isSet ? { pointId, type, date } : undefined,
  }
}

/** Sends the method; a date that has passed becomes today. Throws `rejected` if WB refuses it. */
export async function sendMethod(
  client: WildberriesClient,
  supplyId: string,
  { pointId, type, date = '' }: SentMethod,
): Promise<void> {
  const today = moscowDate(client.now())
  const shippingDt = date > today ? date : today
  const sent = { supplyId, shippingDt, shippingPointId: pointId, shippingType: type }
  const results = await client.setShippingMethod(sent)
  const result = results.find((each) => each.supplyId === supplyId)
  if (result?.success !== true) throw methodRefusal(supplyId, shippingDt, result)
}

function methodRefusal(supplyId: string, date: string, result: Fields | undefined) {
  const { error } = result ?? {}
  const detail = textOrNone({ ...(error as object | undefined) }, 'detail')
  if (detail !== undefined && speaksOfWaybill(detail)) return rejection(waybillMessage, detail)
  const why = refusals[detail ?? ''] ?? `${detail ?? 'без объяснений'}: выберите другой пункт`
  const start = `WB не принял пункт и дату отгрузки поставки ${supplyId}`
  return rejection(`${start}: ${why.replace('{date}', date)}`, detail)
}

/** Reasons by WB's names of them, each with what to do. */
const refusals: Readonly<Record<string, string>> = {
  InvalidShippingDt: 'дата {date} не подходит, выберите другую',
  SupplyAlreadyScanned: 'WB её уже принял, менять пункт поздно',
  NotFound: 'такой поставки на WB нет',
  FulfillmentRequired: 'в пункте нет услуги «Фулфилмент в СЦ», выберите другой',
  IncorrectRequestBody:
    'пункт, способ или дата не подходят, выберите другой пункт. Поставке за пределы России пункт не ' +
    'нужен: тогда выключите его в настройках кабинета',
}

/** Says what to do where WB wants a method all the same. */
export function explainMissingMethod(supplyId: string, error: MarketplaceError): MarketplaceError {
  if (!isRejected(error) || error.code !== shippingMethodRequired) return error
  const message =
    `WB не закрывает поставку ${supplyId} без пункта, способа и даты отгрузки: выберите пункт для ` +
    'отгрузки или для кабинета и закройте её ещё раз'
  return new MarketplaceError('rejected', message, { code: shippingMethodRequired, cause: error })
}
