import { excerpt } from '../../../../platform/kernel/errors.ts'
import { dottedDate } from '../../../../platform/kernel/moscow-time.ts'
import {
  type GivenMarkKind,
  type GivenMarks,
  markNames,
} from '../../../../platform/kernel/unit-mark.ts'
import { isRejected, rejection, unlessMissing, unlessRejected } from '../../calls/failure.ts'
import { chunksOf, openPartialReader } from '../../calls/partial-reader.ts'
import { listOrNone, textOf } from '../../calls/response-fields.ts'
import type { MarkedOrder, ShippedUnit } from '../../connector.ts'
import type { WildberriesClient } from '../client.ts'
import { reworded } from '../refusals.ts'
import { isIneligibleForSupply } from '../status.ts'
import { describeOrderState, fetchRawStatuses } from '../supply-eligibility.ts'

/**
 * Attaches the marks of units beside their marking codes: УИН, IMEI, GTIN, expiration date and customs
 * declaration. An order of WB is one unit. WB takes them while an order is picked, and reports what it
 * has, so that a repeated hand-over sends only what is missing.
 */

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

export async function attachMarksToOrders(
  client: WildberriesClient,
  orders: readonly MarkedOrder[],
): Promise<void> {
  const marked = orders.map(({ externalId: id, units, formerUnits = [] }) => ({
    id,
    wanted: wantedOf(units[0]?.marks ?? {}),
    former: formerOf(units, formerUnits),
  }))
  const asked = marked.filter(({ wanted, former }) => wanted.length + former.length > 0)
  for (const chunk of chunksOf(asked, ordersMax)) {
    const held = await heldMarks(
      client,
      chunk.map(({ id }) => id),
      chunk.some(({ former }) => former.length > 0),
    )
    for (const { id, wanted, former } of chunk) {
      for (const { key, value } of former) {
        if (held.get(`${id} ${key}`) === value) await remove(client, id, key)
      }
      for (const mark of wanted) {
        if (held.get(`${id} ${mark.key}`) !== mark.value) await attach(client, id, mark)
      }
    }
  }
}

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

/**
 * What WB has of these orders. Unreadable parts are sent again: WB replaces what it has. Where it may have marks
 * to be removed (`mustKnow`), a refusal is thrown.
 */
async function heldMarks(
  client: WildberriesClient,
  ids: readonly string[],
  mustKnow: boolean,
): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>()
  const asked = client.orderMeta(ids)
  const orders = (await (mustKnow ? asked : unlessRejected(asked))) ?? []
  const reader = openPartialReader()
  reader.each(orders, (order) => {
    const id = textOf(order, 'id')
    for (const detail of listOrNone(order, 'metaDetails')) {
      const value: unknown = Array.isArray(detail.value) ? detail.value[0] : detail.value
      if (typeof value === 'string') held.set(`${id} ${textOf(detail, 'key')}`, value)
    }
    return undefined
  })
  return held
}

/** A mark that WB does not want is no error: staff may give more than it asks for. */
async function attach(client: WildberriesClient, id: string, mark: WantedMark): Promise<void> {
  try {
    await putMark(client, id, mark)
  } catch (error) {
    if (!isRejected(error)) throw error
    if (error.code === 'MetaKeyNotRequired') return
    throw reworded(error, await explainRefusal(client, id, mark, error.code))
  }
}

export function putMark(client: WildberriesClient, id: string, mark: WantedMark): Promise<void> {
  const path = `${mark.prefix}/orders/${encodeURIComponent(id)}/meta/${mark.path}`
  return client.attachMark(path, { [mark.key]: mark.value })
}

async function explainRefusal(
  client: WildberriesClient,
  id: string,
  { kind, value }: WantedMark,
  code: string | undefined,
): Promise<string> {
  const name = markNames[kind]
  if (code === 'LowExpirationDate') {
    return `WB не принял срок годности ${value} заказа ${excerpt(id)}: до него меньше 30 дней. Уберите заказ из отгрузки или замените товар`
  }
  const raw = (await unlessRejected(fetchRawStatuses(client, [id])))?.get(id)
  if (raw !== undefined && isIneligibleForSupply(raw)) {
    return `${describeOrderState(id, raw)}: ${name} к нему не добавить, уберите его из отгрузки`
  }
  return `WB не принял ${name} ${excerpt(value)} заказа ${excerpt(id)}: сверьте с товаром и исправьте в задании на сборку`
}
