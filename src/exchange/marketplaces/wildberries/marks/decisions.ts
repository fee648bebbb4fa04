import { excerpt } from '../../../../platform/kernel/errors.ts'
import { firstNames } from '../../../../platform/kernel/sentences.ts'
import type { MarkVerdict } from '../../../../warehouse/picking/mark-proofs.ts'
import { isRejected } from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import {
  type Fields,
  fieldsOf,
  listOrNone,
  textOf,
  textOrNone,
} from '../../calls/response-fields.ts'
import { reworded, temporaryRefusal } from '../refusals.ts'

/**
 * WB takes marks without checking them and decides later. It shows its decision beside the mark, and names bad marks when it
 * refuses to hand a supply over.
 */

/**
 * The failure of a hand-over that WB refused because of marking codes: it names the orders and what
 * is wrong, and is temporary while WB is still checking. Other errors are returned as they are.
 */
export function markingCodeRefusal(error: unknown, body: unknown): unknown {
  if (!isRejected(error) || error.code !== 'MetaValidationFail') return error
  const orders = parseCheckedOrders(body)
  const failed = orders
    .filter(({ failures }) => failures.length > 0)
    .map(({ id, failures }) => `заказ ${id}: ${failures.join(', ')}`)
  if (failed.length > 0) {
    return reworded(error, `WB не принял коды маркировки — ${firstNames(failed, '; ')}`)
  }
  const numbers = orders.map(({ id }) => id)
  if (numbers.length > 0) {
    const named = `коды маркировки заказов ${firstNames(numbers)}`
    return temporaryRefusal(error, `WB ещё проверяет ${named}`)
  }
  return reworded(error, 'WB не принял коды маркировки заказов этой поставки')
}

interface CheckedOrder {
  readonly id: string
  /** Empty while WB is still checking. */
  readonly failures: readonly string[]
}

/** Orders whose codes have failed or are still being checked. Unreadable parts are skipped. */
function parseCheckedOrders(body: unknown): CheckedOrder[] {
  const reader = openPartialReader()
  const orders = reader.each([body], (response) => {
    const { data } = fieldsOf(response, 'ответ')
    return listOrNone(fieldsOf(data, 'data'), 'orders')
  })
  return reader.each(orders, parseCheckedOrder)
}

/** Undefined if all codes of the order have passed. */
function parseCheckedOrder(order: Fields): CheckedOrder | undefined {
  const details = listOrNone(order, 'metaDetails').map((detail) => ({
    key: textOrNone(detail, 'key') ?? '',
    decision: textOrNone(detail, 'decision') ?? 'required',
  }))
  const open = details.filter(({ decision }) => !passedDecisions.has(decision))
  if (open.length === 0) return undefined
  const final = open.filter(({ decision }) => decision !== 'pending')
  const failures = final.map(({ key, decision }) => describeDecision(key, decision))
  return { id: textOf(order, 'id'), failures: [...new Set(failures)] }
}

/**
 * What a decision says of a mark that WB has. An unknown decision counts as no verdict: it may be a new word for «not
 * yet».
 */
export function verdictOfDecision(key: string, decision: string): MarkVerdict {
  if (provenDecisions.has(decision)) return { kind: 'proven' }
  const problem = decisionNames[decision]
  if (problem === undefined) return { kind: 'waiting' }
  return { kind: 'refused', mark: markOfKey[key] ?? key, code: decision, reason: problem }
}

const provenDecisions = new Set([
  'filled',
  'sgtinIntroduced',
  'sgtinSoldB2B',
  'imeiMaySell',
  'imeiSoldB2B',
  'uinMaySell',
])

/** A check that takes too long may still end badly, and keeps nothing from leaving. */
const passedDecisions = new Set([...provenDecisions, 'optional', 'deadlineExceeded'])

const markOfKey: Readonly<Record<string, string>> = {
  sgtin: 'marking_code',
  customsDeclaration: 'customs_declaration',
}

function describeDecision(key: string, decision: string): string {
  if (decision === 'required') return `нужен ${keyNames[key] ?? excerpt(key)}`
  return decisionNames[decision] ?? excerpt(decision)
}

const keyNames: Readonly<Record<string, string>> = {
  sgtin: 'код маркировки',
  imei: 'IMEI',
  uin: 'УИН',
  gtin: 'GTIN',
  expiration: 'срок годности',
  customsDeclaration: 'номер таможенной декларации',
}

const badBatch = 'партия УИН не в том статусе'

const decisionNames: Readonly<Record<string, string>> = {
  sgtinInvalidFormat: 'неверный формат кода',
  sgtinInvalidPattern: 'неверная структура кода',
  sgtinNoGS: 'в коде нет разделителя GS',
  sgtinHasInvalidSymbols: 'в коде лишние символы или пробелы',
  sgtinHasNonLatinSymbols: 'в коде не латинские буквы',
  sgtinNotFound: 'кода нет в Честном знаке',
  sgtinEmitted: 'код ещё не нанесён на товар',
  sgtinApplied: 'код не введён в оборот',
  sgtinAppliedNotPaid: 'код не оплачен',
  sgtinWrittenOff: 'код списан',
  sgtinWithdrawn: 'код выбыл из оборота',
  sgtinRetired: 'код выбыл из оборота',
  sgtinDisaggregated: 'код расформирован',
  sgtinDisaggregation: 'код расформирован',
  imeiInvalidFormat: 'неверный формат IMEI',
  imeiAlreadySold: 'товар с этим IMEI уже продан',
  uinInvalidFormat: 'неверный формат УИН',
  uinNotFound: 'УИН нет в ГИИС ДМДК',
  uinBadStatus: badBatch,
  uinBadProcess: badBatch,
  uinBadStatusAndBadProcess: badBatch,
}
