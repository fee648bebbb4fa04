import { rawNumber } from '../../../src/platform/kernel/json.ts'
import type { FakeResponse } from './fake.ts'
import { bodyOf, check, listIn, type WildberriesRequest } from './wildberries-request.ts'
import type { Order, Seller } from './wildberries-state.ts'

/** Marks of units at the fake WB: it takes their texts at once, and says later what they are worth. */

export function attachMarkingCodes(request: WildberriesRequest): FakeResponse {
  const order = request.seller.orders.get(request.ids[0] ?? '')
  check(order !== undefined, 404, 'NotFound')
  check(order.supplier === 'confirm', 409, 'FailedToUpdateMeta')
  check(!order.refusesMarkingCodes, 409, 'MetaKeyNotRequired')
  const codes = listIn(request, 'sgtins', 24)
  check(
    codes.every(({ length }) => length >= 16 && length <= 135),
    400,
    'IncorrectRequestBody',
  )
  order.markingCodes = codes
  order.markReads = 0
  return { status: 204 }
}

/** The forms that WB documents. */
const markForms: Readonly<Record<string, RegExp>> = {
  uin: /^\d{16}$/,
  imei: /^\d{15}$/,
  gtin: /^\d{13}$/,
  expiration: /^\d{2}\.\d{2}\.\d{4}$/,
  customsDeclaration: /^\d{8}\/\d{6}\/\d{7}$/,
}

export function attachMark(request: WildberriesRequest): FakeResponse {
  const [id = '', path = ''] = request.ids
  const key = path === 'customs-declaration' ? 'customsDeclaration' : path
  const order = request.seller.orders.get(id)
  check(order !== undefined, 404, 'NotFound')
  check(order.supplier === 'confirm', 409, 'FailedToUpdateMeta')
  const wanted = [order.raw.requiredMeta ?? [], order.raw.optionalMeta ?? []].flat()
  check(wanted.includes(key), 409, 'MetaKeyNotRequired')
  const value = String(bodyOf(request)[key])
  check(markForms[key]?.test(value) === true, 400, 'IncorrectRequestBody')
  order.marks.set(key, value)
  order.markReads = 0
  return { status: 204 }
}

/** WB deletes no expiration date. */
const removableMarks = ['imei', 'uin', 'gtin', 'sgtin', 'customsDeclaration']

export function removeMark(request: WildberriesRequest): FakeResponse {
  const order = request.seller.orders.get(request.ids[0] ?? '')
  check(order !== undefined, 404, 'NotFound')
  check(order.supplier === 'confirm', 409, 'FailedToUpdateMeta')
  const key = request.call.query.key ?? ''
  check(removableMarks.includes(key), 400, 'IncorrectParameter')
  if (key === 'sgtin') order.markingCodes = []
  else order.marks.delete(key)
  return { status: 204 }
}

export function orderMarks(request: WildberriesRequest): FakeResponse {
  const { seller } = request
  const rows = listIn(request, 'orders', 100).flatMap((id) => {
    const order = seller.orders.get(id)
    if (order === undefined) return []
    const required = requiredOf(order)
    const keys = [...required, ...[order.raw.optionalMeta ?? []].flat().map(String)]
    const isShown = order.markReads >= seller.markDelay.unseen
    const metaDetails = keys.map((key) => {
      const codes = key === 'sgtin' && order.markingCodes.length > 0 ? order.markingCodes : null
      const value = isShown ? (codes ?? order.marks.get(key) ?? null) : null
      const absent = required.includes(key) ? 'required' : 'optional'
      return { key, value, decision: value === null ? absent : decisionOn(seller, order, key) }
    })
    order.markReads += 1
    return [{ id: rawNumber(id), metaDetails }]
  })
  return { body: { orders: rows } }
}

/** Kinds that the order needs, in WB's names. */
function requiredOf({ raw, card }: Order): string[] {
  return [raw.requiredMeta ?? (card.honestMark ? ['sgtin'] : [])].flat().map(String)
}

const goodDecisions: Readonly<Record<string, string>> = {
  sgtin: 'sgtinIntroduced',
  uin: 'uinMaySell',
  imei: 'imeiMaySell',
}

/** What WB says of a mark that it has: nothing for a while, and then what a test has set of it. */
export function decisionOn(seller: Seller, order: Order, key: string): string {
  const good = goodDecisions[key]
  if (good === undefined) return 'filled'
  const { unseen, pending } = seller.markDelay
  if (order.markReads < unseen + pending) return 'pending'
  const value = key === 'sgtin' ? order.markingCodes[0] : order.marks.get(key)
  const decision = key === 'sgtin' ? order.codeDecision : undefined
  return decision ?? seller.badMarks.get(value ?? '') ?? good
}

/** The marks of an order that lack or have not passed, as the refusal of a hand-over names them. */
export function uncheckedMarks(seller: Seller, order: Order): unknown[] {
  const { id, card, markingCodes, marks } = order
  const required = [order.raw.requiredMeta ?? []].flat().map(String)
  const lacking = required.filter((key) => key !== 'sgtin' && !marks.has(key))
  const isCodeLacking = card.honestMark && markingCodes.length === 0
  // A decision that a test has set counts also where WB has no code.
  const ofCode = isCodeLacking ? 'required' : markingCodes.length === 0 && order.codeDecision
  const held = new Map([
    ...marks,
    ...(markingCodes[0] ? [['sgtin', markingCodes[0]] as const] : []),
  ])
  const details = [
    ...lacking.map((key) => ({ key, value: 'null', decision: 'required' })),
    ...(ofCode ? [{ key: 'sgtin', value: 'null', decision: ofCode }] : []),
    ...[...held].flatMap(([key, value]) => {
      const decision = decisionOn(seller, order, key)
      return goodDecisions[key] === decision || passing.includes(decision)
        ? []
        : [{ key, value, decision }]
    }),
  ]
  return details.length === 0 ? [] : [{ id: rawNumber(id), metaDetails: details }]
}

const passing = ['filled', 'deadlineExceeded', 'sgtinSoldB2B', 'imeiSoldB2B']
