import type { ListShipmentsQuery, Shipment } from './api.ts'
import { itemsOf, type Page, readPage } from './pages.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

/** Отгрузки маркетплейсам. */
export class Shipments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(
    query: ListShipmentsQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<Shipment>> {
    return readPage(this.#transport, '/v1/shipments', query, options)
  }

  /** Отгрузка вместе с заказами. */
  get(id: string, { signal }: CallOptions = {}): Promise<Shipment> {
    return this.#transport.read({ method: 'GET', path: `/v1/shipments/${segment(id)}`, signal })
  }

  /** Все отгрузки под фильтром: страницы запрашиваются по мере чтения. */
  all(
    query: ListShipmentsQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<Shipment, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 200, ...query })
  }
}
