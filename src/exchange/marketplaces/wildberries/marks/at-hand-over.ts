import { markNames } from '../../../../platform/kernel/codes/unit-mark.ts'
import { excerpt } from '../../../../platform/kernel/errors.ts'
import { chunksOf } from '../../calls/chunks.ts'
import { isRejected, unlessRejected } from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { listOrNone, textOf } from '../../calls/response-fields.ts'
import type { MarkedOrder } from '../../connector.ts'
import type { WildberriesClient } from '../client.ts'
import { reworded } from '../refusals.ts'
import { isIneligibleForSupply } from '../status.ts'
import { describeOrderState, fetchRawStatuses } from '../supply-eligibility.ts'
import { formerOf, ordersMax, putMark, remove, type WantedMark, wantedOf } from './held-marks.ts'

/**
 * Attaches the marks of units when their supply is handed over. WB checks them later (decisions.ts). Of marks beside codes it
 * reports what it has, so that a repeated hand-over sends only what is missing. A mark that WB does not want is no error: staff may give more than it asks for.
 */
export async function attachMarksAtHandOver(
  client: WildberriesClient,
  orders: readonly MarkedOrder[],
): Promise<void> {
  for (const { externalId, units } of orders) {
    const codes = units.flatMap(({ markingCode }) => markingCode ?? [])
    if (codes.length > 0) await attachCodesToOrder(client, externalId, codes)
  }
  await attachMarksToOrders(client, orders)
}

async function attachCodesToOrder(
  client: WildberriesClient,
  id: string,
  codes: readonly string[],
): Promise<void> {
  try {
    await client.attachMarkingCodes(id, codes)
  } catch (error) {
    if (!isRejected(error)) throw error
    if (error.code === 'MetaKeyNotRequired') return
    if (error.code !== 'FailedToUpdateMeta') throw error
    throw reworded(error, await explainRefusedCodes(client, id))
  }
}

async function explainRefusedCodes(client: WildberriesClient, id: string): Promise<string> {
  const raw = (await fetchRawStatuses(client, [id])).get(id)
  if (raw !== undefined && isIneligibleForSupply(raw)) {
    const state = describeOrderState(id, raw)
    return `${state}: коды маркировки к нему не добавить, уберите его из отгрузки`
  }
  return `WB не принял коды маркировки заказа ${excerpt(id)}: сверьте их с его товаром`
}

async function attachMarksToOrders(
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

async function attach(client: WildberriesClient, id: string, mark: WantedMark): Promise<void> {
  try {
    await putMark(client, id, mark)
  } catch (error) {
    if (!isRejected(error)) throw error
    if (error.code === 'MetaKeyNotRequired') return
    throw reworded(error, await explainRefusal(client, id, mark, error.code))
  }
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
