import { excerpt } from '../../kernel/errors.ts'
import { type GivenMarkKind, type GivenMarks, markNames } from '../../kernel/unit-mark.ts'
import { isRejected, unlessRejected } from '../calls/failure.ts'
import { chunksOf } from '../calls/pages.ts'
import { openPartialReader } from '../calls/partial-reader.ts'
import { listOrNone, textOf } from '../calls/response-fields.ts'
import type { MarkedOrder } from '../connector.ts'
import type { WildberriesClient } from './client.ts'
import { reworded } from './refusals.ts'
import { isIneligibleForSupply } from './status.ts'
import { describeOrderState, fetchRawStatuses } from './supply-eligibility.ts'

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

const ordersMax = 100

export async function attachMarksToOrders(
  client: WildberriesClient,
  orders: readonly MarkedOrder[],
): Promise<void> {
  const marked = orders.flatMap(({ externalId, units }) => ({
    id: externalId,
    wanted: wantedOf(units[0]?.marks ?? {}),
  }))
  for (const chunk of chunksOf(
    marked.filter(({ wanted }) => wanted.length > 0),
    ordersMax,
  )) {
    const held = await heldMarks(
      client,
      chunk.map(({ id }) => id),
    )
    for (const { id, wanted } of chunk) {
      for (const mark of wanted) {
        if (held.get(`${id} ${mark.key}`) !== mark.value) await attach(client, id, mark)
      }
    }
  }
}

interface WantedMark {
  readonly kind: GivenMarkKind
  readonly key: string
  readonly path: string
  readonly prefix: string
  readonly value: string
}

function wantedOf(marks: GivenMarks): WantedMark[] {
  return kinds.flatMap((each) => {
    const value = marks[each.kind]
    if (value == null) return []
    return [{ ...each, value: each.kind === 'expiration' ? dottedDate(value) : value }]
  })
}

/** 2027-12-31 as WB writes it: 31.12.2027. */
function dottedDate(date: string): string {
  return date.split('-').reverse().join('.')
}

/** What WB has of these orders. Unreadable parts are sent again: WB replaces what it has. */
async function heldMarks(
  client: WildberriesClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>()
  const orders = (await unlessRejected(client.orderMeta(ids))) ?? []
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
    const path = `${mark.prefix}/orders/${encodeURIComponent(id)}/meta/${mark.path}`
    await client.attachMark(path, { [mark.key]: mark.value })
  } catch (error) {
    if (!isRejected(error)) throw error
    if (error.code === 'MetaKeyNotRequired') return
    throw reworded(error, await explainRefusal(client, id, mark))
  }
}

async function explainRefusal(
  client: WildberriesClient,
  id: string,
  { kind, value }: WantedMark,
): Promise<string> {
  const name = markNames[kind]
  const raw = (await unlessRejected(fetchRawStatuses(client, [id])))?.get(id)
  if (raw !== undefined && isIneligibleForSupply(raw)) {
    return `${describeOrderState(id, raw)}: ${name} к нему не добавить, уберите его из отгрузки`
  }
  return `WB не принял ${name} ${excerpt(value)} заказа ${excerpt(id)}: сверьте с товаром и исправьте в задании на сборку`
}
