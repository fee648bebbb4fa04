import type { GoodsLot, ListLotsQuery, ListStockHistoryQuery, ListStockQuery, PastStockItem, StockItem, UnitsInQuestionList } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Остатки и метка, по которой узнают, изменились ли они. */
export interface StockChanges extends Page<StockItem> {
    /** Передайте в `since` следующего вызова с теми же фильтрами. */
    readonly etag: string;
}
export type StockChangesQuery = ListStockQuery & {
    readonly since?: string | undefined;
};
/** Остатки на складе. */
export declare class Stock {
    #private;
    constructor(transport: Transport);
    list(query?: ListStockQuery & CallOptions, options?: CallOptions): Promise<Page<StockItem>>;
    get(barcode: string, { signal }?: CallOptions): Promise<StockItem>;
    /** Почему единицы товара под вопросом и как давно. */
    inQuestion(barcode: string, { signal }?: CallOptions): Promise<UnitsInQuestionList>;
    /** Первая страница, если остатки изменились после `since`; undefined, если нет. Без `since` — всегда страница. */
    changes({ since, ...given }?: StockChangesQuery & CallOptions, options?: CallOptions): Promise<StockChanges | undefined>;
    /** Все товары: страницы запрашиваются по мере чтения. */
    all(query?: ListStockQuery & CallOptions, options?: CallOptions): AsyncGenerator<StockItem, void, void>;
    /** Остатки на прошлый момент `at`, по журналу движений. */
    history(query: ListStockHistoryQuery & CallOptions, options?: CallOptions): Promise<Page<PastStockItem>>;
    /** Все товары на прошлый момент: страницы запрашиваются по мере чтения. */
    allHistory(query: ListStockHistoryQuery & CallOptions, options?: CallOptions): AsyncGenerator<PastStockItem, void, void>;
    /** Партии по сроку годности, сначала те, чей срок ближе. */
    lots(query?: ListLotsQuery & CallOptions, options?: CallOptions): Promise<Page<GoodsLot>>;
    /** Все партии: страницы запрашиваются по мере чтения. */
    allLots(query?: ListLotsQuery & CallOptions, options?: CallOptions): AsyncGenerator<GoodsLot, void, void>;
}
