import type { ListShipmentsQuery, Shipment } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Отгрузки маркетплейсам. */
export declare class Shipments {
    #private;
    constructor(transport: Transport);
    list(query?: ListShipmentsQuery & CallOptions, options?: CallOptions): Promise<Page<Shipment>>;
    /** Отгрузка вместе с заказами. */
    get(id: string, { signal }?: CallOptions): Promise<Shipment>;
    /** Все отгрузки под фильтром: страницы запрашиваются по мере чтения. */
    all(query?: ListShipmentsQuery & CallOptions, options?: CallOptions): AsyncGenerator<Shipment, void, void>;
}
