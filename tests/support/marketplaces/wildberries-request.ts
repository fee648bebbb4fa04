import type { FakeCall, FakeResponse } from './fake.ts'
import type { Seller } from './wildberries-state.ts'

/** A call to the fake WB, and the functions with which handlers read and refuse it. */

export interface WildberriesContext {
  readonly now: () => number
  readonly newNumber: () => number
  readonly pageSize: (requested: number) => number
}

export interface WildberriesRequest extends WildberriesContext {
  readonly call: FakeCall
  readonly seller: Seller
  /** The ids in the path. */
  readonly ids: readonly string[]
}

export class WildberriesRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly data: unknown

  constructor(status: number, code: string, data: unknown = null) {
    super(code)
    this.status = status
    this.code = code
    this.data = data
  }
}

export function refusalResponse({ status, code, data }: WildberriesRefusal): FakeResponse {
  const message = messages[code] ?? `Отказ: ${code}`
  return { status, body: { code, message, ...(data === null ? {} : { data }) } }
}

/** WB's own words, where they are known. */
const messages: Readonly<Record<string, string>> = {
  CustomsDeclarationIsRequired: 'Customs declaration is required',
  FulfillmentSupplyBoxesRequired:
    'Unable to change status to "in delivery". Fulfillment shipments require at least one cargo space',
  SupplyIsProcessing: 'The supply is currently being processed. Please try again later',
  SupplyWaybillRequired: 'Specify the waybill of the supply',
  FailedToAddSupplyOrder:
    'Не удалось закрепить сборочное задание за поставкой. Убедитесь, что сборочное задание и поставка удовлетворяют всем необходимым требованиям.',
  FailedToAddSupplyTrbx:
    'Не удалось добавить коробку. Убедитесь, что поставка удовлетворяет всем необходимым требованиям.',
  FailedToUpdateMeta:
    'Failed to update assembly order metadata. Make sure the assembly order meets all the necessary requirements.',
  IncorrectParameter: 'Передан некорректный параметр',
  IncorrectRequestBody: 'Некорректное тело запроса',
  MetaKeyNotRequired: "Order doesn't require ID",
  MetaValidationFail: 'Fix them to dispatch items',
  NotFound: 'Не найдено',
  SupplyHasZeroOrders:
    'Не удалось обработать поставку. Убедитесь, что за ней закреплён хотя бы одно сборочное задание.',
  SupplyShippingRequired: 'Specify shipping point, type and date to close the supply',
}

export function check(holds: boolean, status: number, code: string, data?: unknown): asserts holds {
  if (!holds) throw new WildberriesRefusal(status, code, data)
}

export const isoTime = (instant: number | undefined) =>
  instant === undefined ? null : new Date(instant).toISOString()

export const bodyOf = ({ call }: WildberriesRequest) => (call.body ?? {}) as Record<string, unknown>

export function listIn(request: WildberriesRequest, name: string, longest: number): string[] {
  const list = bodyOf(request)[name]
  const fits = Array.isArray(list) && list.length > 0 && list.length <= longest
  check(fits, 400, 'IncorrectRequestBody')
  return list.map(String)
}

export function pageIn({ call, pageSize }: WildberriesRequest): { from: number; size: number } {
  const { limit, next } = call.query
  const requested = Number(limit)
  check(
    Number.isInteger(requested) && requested >= 1 && requested <= 1000,
    400,
    'IncorrectParameter',
  )
  check(next !== undefined && /^\d+$/.test(next), 400, 'IncorrectParameter')
  return { from: Number(next), size: pageSize(requested) }
}
