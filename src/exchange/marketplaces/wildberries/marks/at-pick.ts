import { markNames } from '../../../../platform/kernel/codes/unit-mark.ts'
import { excerpt } from '../../../../platform/kernel/errors.ts'
import type { MarkRefusal, MarkVerdict } from '../../../../warehouse/picking/mark-proofs.ts'
import { chunksOf } from '../../calls/chunks.ts'
import { isRejected, type MarketplaceError } from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { type Fields, listOrNone, textOf, textOrNone } from '../../calls/response-fields.ts'
import type { MarkedOrder, MarkProving, SentOrder, ShippedUnit } from '../../connector.ts'
import type { WildberriesClient } from '../client.ts'
import { verdictOfDecision } from './decisions.ts'
import {
  codesKey,
  formerOf,
  lastingKey,
  ordersMax,
  putMark,
  remove,
  type WantedMark,
  wantedOf,
} from './held-marks.ts'

/**
 * Marks of units while their order is picked: an order of WB is one unit. WB takes the text of a mark at once and decides
 * later. There is a verdict only when WB shows our text with a decision: for a minute after it has taken a mark, its list
 * may lack it.
 */
export function wildberriesProving(client: WildberriesClient): MarkProving {
  return {
    send: (order) => sendMarks(client, order),
    async verdicts(orders) {
      const details = await metaDetailsOf(client, orders)
      return orders.map(({ externalId, units }) =>
        units.map((unit) => verdictOfUnit(unit, details.get(externalId) ?? [])),
      )
    },
  }
}

async function sendMarks(client: WildberriesClient, order: SentOrder): Promise<MarkVerdict[]> {
  const { externalId: id, units, formerUnits = [], mayBeKnown } = order
  const [unit] = units
  if (unit === undefined) return []
  const isAsked = mayBeKnown || formerUnits.length > 0
  const held = isAsked ? ((await metaDetailsOf(client, [order])).get(id) ?? []) : []
  for (const { key, value } of formerOf(units, formerUnits)) {
    if (isHeld(held, key, value)) await remove(client, id, key)
  }
  const verdicts: MarkVerdict[] = []
  for (const mark of allWanted(unit)) {
    verdicts.push(await sendMark(client, id, mark, held))
  }
  return [together(verdicts)]
}

/** What WB holds in place of the mark, or holds as bad, is removed first: WB refuses to replace it. */
async function sendMark(
  client: WildberriesClient,
  id: string,
  mark: WantedMark,
  details: readonly Fields[],
): Promise<MarkVerdict> {
  const { key, value } = mark
  const detail = details.find((each) => textOrNone(each, 'key') === key)
  const known = detail && heldValue(detail)
  const isSame = known !== undefined && isSameText(known, value)
  const isBad = detail !== undefined && verdictIn(detail).kind === 'refused'
  if (isSame && !isBad) return { kind: 'waiting' }
  if (known !== undefined && key !== lastingKey) await remove(client, id, key)
  try {
    if (key === codesKey) await client.attachMarkingCodes(id, [value])
    else await putMark(client, id, mark)
    return { kind: 'waiting' }
  } catch (error) {
    if (!isRejected(error)) throw error
    if (error.code === 'MetaKeyNotRequired') return { kind: 'proven' }
    return refusalOfText(mark, error)
  }
}

/** Throws a refusal that is about the order and not about the mark. */
function refusalOfText({ kind, value }: WantedMark, error: MarketplaceError): MarkRefusal {
  const isTooNear = error.code === 'LowExpirationDate'
  if (error.status !== 400 && !isTooNear) throw error
  const what = `${markNames[kind]} ${excerpt(value)}`
  const reason = isTooNear ? `до него меньше 30 дней: ${what}` : `WB не понял ${what}`
  return { kind: 'refused', mark: kind, code: error.code, reason }
}

/** All marks of a unit, its marking code among them. */
function allWanted({ marks, markingCode }: ShippedUnit): WantedMark[] {
  const code = { kind: 'marking_code', key: codesKey, path: '', prefix: '' } as const
  return [...(markingCode === null ? [] : [{ ...code, value: markingCode }]), ...wantedOf(marks)]
}

/** Refused or unseen where one mark is, and proven where all are. */
function together(verdicts: readonly MarkVerdict[]): MarkVerdict {
  const open = ['refused', 'unseen'] as const
  for (const kind of open) {
    const found = verdicts.find((verdict) => verdict.kind === kind)
    if (found !== undefined) return found
  }
  return { kind: verdicts.every(({ kind }) => kind === 'proven') ? 'proven' : 'waiting' }
}

/** Kinds that WB checks; a kind that it does not show is none that it wants. */
const checkedKeys: readonly string[] = [codesKey, 'uin', 'imei']

function verdictOfUnit(unit: ShippedUnit, details: readonly Fields[]): MarkVerdict {
  const verdicts = allWanted(unit).flatMap(({ key, value }): MarkVerdict[] => {
    const detail = details.find((each) => textOrNone(each, 'key') === key)
    if (detail === undefined) return checkedKeys.includes(key) ? [{ kind: 'unseen' }] : []
    const held = heldValue(detail)
    if (held === undefined) return [{ kind: 'unseen' }]
    if (!isSameText(held, value)) return [{ kind: 'waiting' }]
    return [verdictIn(detail)]
  })
  return together(verdicts)
}

function verdictIn(detail: Fields): MarkVerdict {
  return verdictOfDecision(textOrNone(detail, 'key') ?? '', textOrNone(detail, 'decision') ?? '')
}

function isHeld(details: readonly Fields[], key: string, value: string): boolean {
  const detail = details.find((each) => textOrNone(each, 'key') === key)
  const held = detail && heldValue(detail)
  return held !== undefined && isSameText(held, value)
}

function heldValue({ value }: Fields): string | undefined {
  const held: unknown = Array.isArray(value) ? value[0] : value
  return typeof held === 'string' && held !== '' ? held : undefined
}

/** WB may show a code without its tail or its separators. */
function isSameText(held: string, value: string): boolean {
  const [shown, own] = [withoutSeparators(held), withoutSeparators(value)]
  return shown === own || (shown.length >= shortestCode && own.startsWith(shown))
}
const withoutSeparators = (text: string) => text.replaceAll('\u001d', '')
const shortestCode = 16

/** What WB shows of the marks of each order. Unreadable orders are left out. */
async function metaDetailsOf(
  client: WildberriesClient,
  orders: readonly Pick<MarkedOrder, 'externalId'>[],
): Promise<ReadonlyMap<string, readonly Fields[]>> {
  const reader = openPartialReader()
  const found = new Map<string, readonly Fields[]>()
  for (const chunk of chunksOf(orders, ordersMax)) {
    const rows = await client.orderMeta(chunk.map(({ externalId }) => externalId))
    reader.each(rows, (row) => {
      found.set(textOf(row, 'id'), listOrNone(row, 'metaDetails'))
      return undefined
    })
  }
  return found
}
