import type { FakeAccount, FakeResponse } from './fake.ts'
import { mustFind } from './must-find.ts'
import { check, isoTime, type OzonHandler, type OzonRequest } from './ozon-request.ts'
import type { Seller } from './ozon-state.ts'

/** Returns at the fake OZON. */

export interface FakeReturn {
  readonly id: number
  readonly postingNumber: string
  /** The system name of the state: `MovingToSeller`, `ArrivedAtReturnPlace` … */
  readonly state: string
  readonly type?: string
  readonly schema?: 'Fbs' | 'Fbo'
  readonly sku?: number
  readonly quantity?: number
  readonly changedAt: number
}

export interface OzonReturns {
  /** Adds a return, or changes the one with this number. */
  setReturn(account: FakeAccount, given: FakeReturn): void
}

export function returnControls(sellerOf: (account: FakeAccount) => Seller): OzonReturns {
  return { setReturn: (account, given) => void sellerOf(account).returns.set(given.id, given) }
}

export const returnRoutes: Readonly<Record<string, OzonHandler>> = {
  '/v1/returns/list': returns,
  '/v1/return/giveout/barcode': ({ seller }) => ({ body: { barcode: `%303%${seller.id}` } }),
}

interface ReturnsFilter {
  readonly visual_status_change_moment?: {
    readonly time_from: string
    readonly time_to: string
  }
  readonly return_schema?: string
}

/** By number; one filter by time at most. */
function returns(request: OzonRequest): FakeResponse {
  const { seller, body, pageSize } = request
  const limit = Number(body.limit)
  check(Number.isInteger(limit) && limit >= 1 && limit <= 500, 400, 'INVALID_LIMIT')
  const filter = (body.filter ?? {}) as ReturnsFilter
  const { time_from: from, time_to: to } = filter.visual_status_change_moment ?? {}
  const found = [...seller.returns.values()]
    .filter(({ id }) => id > Number(body.last_id ?? 0))
    .filter(({ changedAt }) => from === undefined || changedAt >= Date.parse(from))
    .filter(({ changedAt }) => to === undefined || changedAt <= Date.parse(to))
    .filter(({ schema = 'Fbs' }) => schema.toUpperCase() === (filter.return_schema ?? 'FBS'))
    .sort((a, b) => a.id - b.id)
  const page = found.slice(0, pageSize(limit))
  return {
    body: { returns: page.map((one) => show(one, seller)), has_next: page.length < found.length },
  }
}

const point = {
  id: 1020000407848,
  name: 'САНКТ-ПЕТЕРБУРГ_7',
  address: 'Санкт-Петербург, Ладожская, 3',
}

function show(one: FakeReturn, { cards, id: companyId }: Seller): unknown {
  const card = one.sku === undefined ? [...cards.values()][0] : cards.get(one.sku)
  const { itemId: sku, article: offer_id, name } = mustFind(card, 'card')
  const arrived = one.state === 'ArrivedAtReturnPlace'
  return {
    id: one.id,
    company_id: companyId,
    return_reason_name: 'Покупатель передумал',
    type: one.type ?? 'ClientReturn',
    schema: one.schema ?? 'Fbs',
    order_id: 27_829_673,
    order_number: one.postingNumber.split('-').slice(0, 2).join('-'),
    place: arrived ? point : { id: 7, name: 'СОФЬИНО_ВОЗВРАТЫ', address: 'Софьино' },
    target_place: point,
    storage: {
      sum: { currency_code: 'RUB', price: 0 },
      tariffication_first_date: null,
      tariffication_start_date: null,
      arrived_moment: arrived ? isoTime(one.changedAt) : null,
      days: 0,
      utilization_sum: { currency_code: '', price: 0 },
      utilization_forecast_date: arrived ? isoTime(one.changedAt + 40 * 86_400_000) : null,
    },
    product: { sku, offer_id, name, quantity: one.quantity ?? 1, commission_percent: 0 },
    logistic: {
      technical_return_moment: null,
      final_moment: null,
      cancelled_with_compensation_moment: null,
      return_date: isoTime(one.changedAt - 86_400_000),
      barcode: `%101%${one.id}`,
    },
    visual: {
      status: { id: 30, display_name: 'В пути', sys_name: one.state },
      change_moment: isoTime(one.changedAt),
    },
    exemplars: [{ id: one.id * 10 }],
    additional_info: { is_opened: false, is_super_econom: false },
    clearing_id: 1,
    posting_number: one.postingNumber,
    return_clearing_id: null,
    source_id: 1,
    compensation_status: null,
  }
}
