import type { Charge, ChargeSummary, ListChargesQuery, SumChargesQuery } from './api.ts'
import { itemsOf, type Page, queryAndOptions, readPage } from './pages.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Что склад начислил и за что. Деньги — строки: рубли и копейки. */
export class Charges {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(
    query: ListChargesQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Charge>> {
    return readPage(this.#transport, '/v1/charges', query, options)
  }

  /** Суммы по услугам и дням. */
  summary(
    query: SumChargesQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<ChargeSummary> {
    const call = { method: 'GET', path: '/v1/charges/summary', ...queryAndOptions(query, options) }
    return this.#transport.read(call)
  }

  /** Все начисления под фильтром: страницы запрашиваются по мере чтения. */
  all(
    query: ListChargesQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Charge, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 1000, ...query })
  }
}
