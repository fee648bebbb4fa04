import type { GoodsItem, ListGoodsQuery } from './api.ts'
import { itemsOf, type Page, readPage } from './pages.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Товары и наборы: из чего набор и сколько наборов выйдет из частей. */
export class Goods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(
    query: ListGoodsQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<GoodsItem>> {
    return readPage(this.#transport, '/v1/goods', query, options)
  }

  /** Все товары по возрастанию штрихкода: страницы запрашиваются по мере чтения. */
  all(
    query: ListGoodsQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<GoodsItem, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 1000, ...query })
  }
}
