import { excerpt } from '../../kernel/errors.ts'
import {
  type Fields,
  fieldsOf,
  listOrNone,
  openReading,
  textOf,
  textOrNone,
} from '../calls/answer.ts'
import { isRejected } from '../calls/failure.ts'
import { firstOf } from '../naming.ts'
import { passingFor, retold } from './refusals.ts'

/**
 * WB takes marking codes without a look, checks them some time after, and tells what came of it when
 * the supply is to leave.
 */

/** The refusal of a supply for its orders' codes, by what the body tells of them. */
export function codesRefused(error: unknown, body: unknown): unknown {
  if (!isRejected(error) || error.code !== 'MetaValidationFail') return error
  const orders = checkedIn(body)
  const refused = orders.filter(({ failures }) => failures.length > 0)
  const told = refused.map(({ id, failures }) => `заказ ${id}: ${failures.join(', ')}`)
  if (told.length > 0) {
    return retold(error, `WB не принял коды маркировки — ${firstOf(told, '; ')}`)
  }
  const numbers = orders.map(({ id }) => id)
  if (numbers.length > 0) {
    const named = `коды маркировки заказов ${firstOf(numbers)}`
    return passingFor(error, `WB ещё проверяет ${named}`)
  }
  return retold(error, 'WB не принял коды маркировки заказов этой поставки')
}

interface Checked {
  readonly id: string
  /** None where WB is still at it. */
  readonly failures: readonly string[]
}

/** Orders whose codes did not pass, or not yet; nothing of what can't be read. */
function checkedIn(body: unknown): Checked[] {
  const reading = openReading()
  const orders = reading.of([body], (told) => {
    const { data } = fieldsOf(told, 'ответ')
    return listOrNone(fieldsOf(data, 'data'), 'orders')
  })
  return reading.of(orders, checkedOf)
}

function checkedOf(order: Fields): Checked | undefined {
  const details = listOrNone(order, 'metaDetails').map((detail) => ({
    key: textOrNone(detail, 'key') ?? '',
    decision: textOrNone(detail, 'decision') ?? 'required',
  }))
  const open = details.filter(({ decision }) => !passed.has(decision))
  if (open.length === 0) return undefined
  const final = open.filter(({ decision }) => decision !== 'pending')
  const failures = final.map(({ key, decision }) => wordsOf(key, decision))
  return { id: textOf(order, 'id'), failures: [...new Set(failures)] }
}

const passed = new Set([
  'filled',
  'optional',
  'deadlineExceeded',
  'sgtinIntroduced',
  'sgtinSoldB2B',
  'imeiMaySell',
  'imeiSoldB2B',
  'uinMaySell',
])

function wordsOf(key: string, decision: string): string {
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
