import type { GoodsItem, ListGoodsQuery } from './api.ts';
import { type Page } from './pages.ts';
import type { CallOptions, Transport } from './transport.ts';
/** Товары и наборы: из чего набор и сколько наборов выйдет из частей. */
export declare class Goods {
    #private;
    constructor(transport: Transport);
    list(query?: ListGoodsQuery & CallOptions, options?: CallOptions): Promise<Page<GoodsItem>>;
    /** Все товары по возрастанию штрихкода: страницы запрашиваются по мере чтения. */
    all(query?: ListGoodsQuery & CallOptions, options?: CallOptions): AsyncGenerator<GoodsItem, void, void>;
}
