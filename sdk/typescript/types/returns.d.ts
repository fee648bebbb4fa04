import type { ListReturnsQuery, Return } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Возвраты, которые принял склад. */
export declare class Returns {
    #private;
    constructor(transport: Transport);
    /** Возвраты без состава. */
    list(query?: ListReturnsQuery & CallOptions, options?: CallOptions): Promise<Page<Return>>;
    /** Возврат вместе с составом. */
    get(id: string, { signal }?: CallOptions): Promise<Return>;
    /** Все возвраты под фильтром: страницы запрашиваются по мере чтения. */
    all(query?: ListReturnsQuery & CallOptions, options?: CallOptions): AsyncGenerator<Return, void, void>;
}
