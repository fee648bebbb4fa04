import {
  type GivenMarkKind,
  type GivenMarks,
  markNames,
} from '../../../../platform/kernel/codes/unit-mark.ts'
import { excerpt } from '../../../../platform/kernel/errors.ts'
import { dottedDate } from '../../../../platform/kernel/moscow-time.ts'
import { isRejected, rejection, unlessMissing } from '../../calls/failure.ts'
import type { ShippedUnit } from '../../connector.ts'
import type { WildberriesClient } from '../client.ts'
import { reworded } from '../refusals.ts'

/** The marks that WB keeps of an order, which is one unit, and how they are set and removed. */

/** How WB names the kinds in its lists, in paths and in bodies. */
const kinds = [
  { kind: 'uin', key: 'uin', path: 'uin', prefix: '/api/v3' },
  { kind: 'imei', key: 'imei', path: 'imei', prefix: '/api/v3' },
  { kind: 'gtin', key: 'gtin', path: 'gtin', prefix: '/api/v3' },
  { kind: 'expiration', key: 'expiration', path: 'expiration', prefix: '/api/v3' },
  {
    kind: 'customs_declaration',
    key: 'customsDeclaration',
    path: 'customs-declaration',
    prefix: '/api/marketplace/v3',
  },
] as const

export const codesKey = 'sgtin'
/** The only key that WB does not delete: a newer date replaces it. */
export const lastingKey = 'expiration'
export const ordersMax = 100

export interface HeldMark {
  readonly key: string
  readonly value: string
}

/**
 * Marks that an earlier attempt may have attached, of kinds that the present unit lacks. What the seller has
 * entered in the cabinet is of no unit here, and stays.
 */
export function formerOf(
  units: readonly ShippedUnit[],
  former: readonly ShippedUnit[],
): HeldMark[] {
  const present = new Set(units.flatMap(marksOf).map(({ key }) => key))
  return former.flatMap(marksOf).filter(({ key }) => !present.has(key))
}

function marksOf({ marks, markingCode }: ShippedUnit): HeldMark[] {
  const code = markingCode === null ? [] : [{ key: codesKey, value: markingCode }]
  return [...wantedOf(marks), ...code]
}

export async function remove(client: WildberriesClient, id: string, key: string): Promise<void> {
  if (key === lastingKey) {
    throw rejection(
      `У заказа ${excerpt(id)} на WB остался срок годности прежней единицы, и удалить его WB не даёт: ` +
        'укажите срок годности новой единицы в задании на сборку и закройте отгрузку ещё раз',
    )
  }
  try {
    await unlessMissing(client.removeMark(id, key))
  } catch (error) {
    if (!isRejected(error)) throw error
    const name = kinds.find((each) => each.key === key)
    const what = name === undefined ? 'код маркировки' : markNames[name.kind]
    throw reworded(
      error,
      `У заказа ${excerpt(id)} на WB остался ${what} прежней единицы: удалите его в кабинете WB и закройте отгрузку ещё раз`,
    )
  }
}

export interface WantedMark {
  readonly kind: GivenMarkKind | 'marking_code'
  readonly key: string
  readonly path: string
  readonly prefix: string
  readonly value: string
}

export function wantedOf(marks: GivenMarks): WantedMark[] {
  return kinds.flatMap((each) => {
    const value = marks[each.kind]
    if (value == null) return []
    return [{ ...each, value: forms[each.kind]?.(value) ?? value }]
  })
}

/** How WB writes what has another form here. */
const forms: Readonly<Partial<Record<GivenMarkKind, (value: string) => string>>> = {
  expiration: dottedDate,
  gtin: thirteenDigits,
}

/** WB's GTIN has 13 digits; one of 14 that begins with another digit than 0 has no such form. */
function thirteenDigits(gtin: string): string {
  return gtin.replace(/^0(?=\d{13}$)/, '').padStart(13, '0')
}

export function putMark(client: WildberriesClient, id: string, mark: WantedMark): Promise<void> {
  const path = `${mark.prefix}/orders/${encodeURIComponent(id)}/meta/${mark.path}`
  return client.attachMark(path, { [mark.key]: mark.value })
}
