import type { ListOrdersQuery, Order, OrderDetails } from './api.ts'
import { itemsOf, type Page, readPage } from './pages.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

/** Заказы покупателей. */
export class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: ListOrdersQuery & CallOptions = {}, options: CallOptions = {}): Promise<Page<Order>> {
    return readPage(this.#transport, '/v1/orders', query, options)
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Order> {
    return this.#transport.read({ method: 'GET', path: `/v1/orders/${segment(id)}`, signal })
  }

  /** Состав заказа и история его статусов. */
  details(id: string, { signal }: CallOptions = {}): Promise<OrderDetails> {
    const path = `/v1/orders/${segment(id)}/details`
    return this.#transport.read({ method: 'GET', path, signal })
  }

  /** Все заказы под фильтром: страницы запрашиваются по мере чтения. */
  all(
    query: ListOrdersQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Order, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 1000, ...query })
  }
}
