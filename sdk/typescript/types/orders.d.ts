import type { ListOrdersQuery, Order, OrderDetails } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Заказы покупателей. */
export declare class Orders {
    #private;
    constructor(transport: Transport);
    list(query?: ListOrdersQuery & CallOptions, options?: CallOptions): Promise<Page<Order>>;
    get(id: string, { signal }?: CallOptions): Promise<Order>;
    /** Состав заказа и история его статусов. */
    details(id: string, { signal }?: CallOptions): Promise<OrderDetails>;
    /** Все заказы под фильтром: страницы запрашиваются по мере чтения. */
    all(query?: ListOrdersQuery & CallOptions, options?: CallOptions): AsyncGenerator<Order, void, void>;
}
