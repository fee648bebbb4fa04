import type {
  GoodsLot,
  ListLotsQuery,
  ListStockHistoryQuery,
  ListStockQuery,
  PastStockItem,
  StockItem,
  UnitsInQuestionList,
} from './api.ts'
import { itemsOf, type Page, pageOf, queryAndOptions, type RawPage, readPage } from './pages.ts'
import { type CallOptions, segment, type Transport } from './transport.ts'

/** Остатки и метка, по которой узнают, изменились ли они. */
export interface StockChanges extends Page<StockItem> {
  /** Передайте в `since` следующего вызова с теми же фильтрами. */
  readonly etag: string
}

export type StockChangesQuery = ListStockQuery & { readonly since?: string | undefined }

/** Остатки на складе. */
export class Stock {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(
    query: ListStockQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<StockItem>> {
    return readPage(this.#transport, '/v1/stock', query, options)
  }

  get(barcode: string, { signal }: CallOptions = {}): Promise<StockItem> {
    return this.#transport.read({ method: 'GET', path: `/v1/stock/${segment(barcode)}`, signal })
  }

  /** Почему единицы товара под вопросом и как давно. */
  inQuestion(barcode: string, { signal }: CallOptions = {}): Promise<UnitsInQuestionList> {
    const path = `/v1/stock/${segment(barcode)}/in-question`
    return this.#transport.read({ method: 'GET', path, signal })
  }

  /** Первая страница, если остатки изменились после `since`; undefined, если нет. Без `since` — всегда страница. */
  async changes(
    { since, ...given }: StockChangesQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<StockChanges | undefined> {
    const { status, headers, body } = await this.#transport.send({
      method: 'GET',
      path: '/v1/stock',
      headers: since === undefined ? {} : { 'If-None-Match': since },
      ...queryAndOptions(given, options),
    })
    if (status === 304) return undefined
    return { ...pageOf(body as RawPage<StockItem>), etag: headers.get('ETag') ?? '' }
  }

  /** Все товары: страницы запрашиваются по мере чтения. */
  all(
    query: ListStockQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<StockItem, void, void> {
    return itemsOf((page) => this.list(page, options), { limit: 1000, ...query })
  }

  /** Остатки на прошлый момент `at`, по журналу движений. */
  history(
    query: ListStockHistoryQuery & CallOptions,
    options: CallOptions = {},
  ): Promise<Page<PastStockItem>> {
    return readPage(this.#transport, '/v1/stock-history', query, options)
  }

  /** Все товары на прошлый момент: страницы запрашиваются по мере чтения. */
  allHistory(
    query: ListStockHistoryQuery & CallOptions,
    options: CallOptions = {},
  ): AsyncGenerator<PastStockItem, void, void> {
    return itemsOf((page) => this.history(page, options), { limit: 1000, ...query })
  }

  /** Партии по сроку годности, сначала те, чей срок ближе. */
  lots(
    query: ListLotsQuery & CallOptions = {},
    options: CallOptions = {},
  ): Promise<Page<GoodsLot>> {
    return readPage(this.#transport, '/v1/lots', query, options)
  }

  /** Все партии: страницы запрашиваются по мере чтения. */
  allLots(
    query: ListLotsQuery & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<GoodsLot, void, void> {
    return itemsOf((page) => this.lots(page, options), { limit: 1000, ...query })
  }
}
