import type { CallOptions, Transport } from './transport.ts';
/** Страница списка. */
export interface Page<Item> {
    readonly items: Item[];
    /** Сколько всего подходит под фильтр, на всех страницах. */
    readonly total: number;
    /** Передайте в `cursor` следующего вызова; null на последней странице. */
    readonly nextCursor: string | null;
}
export interface RawPage<Item> {
    readonly items: Item[];
    readonly total: number;
    readonly next_cursor: string | null;
}
export declare function pageOf<Item>({ items, total, next_cursor }: RawPage<Item>): Page<Item>;
/** A query as the caller gave it, without the signal that may be among its fields. */
export declare function queryAndOptions<Query extends CallOptions>(given: Query, options: CallOptions): {
    query: Omit<Query, "signal">;
    signal: AbortSignal | undefined;
};
export declare function readPage<Item>(transport: Transport, path: string, given: CallOptions, options: CallOptions): Promise<Page<Item>>;
/** Items of all pages, one page in memory at a time. */
export declare function itemsOf<Item, Query extends {
    cursor?: string | undefined;
}>(list: (query: Query) => Promise<Page<Item>>, query: Query): AsyncGenerator<Item, void, void>;
