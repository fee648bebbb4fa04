import type { ListReturnsQuery, Return } from './api.ts'
import { itemsOf, type Page, readPage } from './pages.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

/** Возвраты, которые принял склад. */
export class Returns {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Возвраты без состава. */
  list(
    query: ListReturnsQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Return>> {
    return readPage(this.#transport, '/v1/returns', query, options)
  }

  /** Возврат вместе с составом. */
  get(id: string, { signal }: CallOptions = {}): Promise<Return> {
    return this.#transport.read({ method: 'GET', path: `/v1/returns/${segment(id)}`, signal })
  }

  /** Все возвраты под фильтром: страницы запрашиваются по мере чтения. */
  all(
    query: ListReturnsQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Return, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 200, ...query })
  }
}
