import type { Act, GetActFileQuery, ListActsQuery } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Акты закрытых месяцев. */
export declare class Acts {
    #private;
    constructor(transport: Transport);
    list(query?: ListActsQuery & CallOptions, options?: CallOptions): Promise<Page<Act>>;
    get(id: string, { signal }?: CallOptions): Promise<Act>;
    /** Акт файлом: PDF, страница или строки для 1С. */
    file(id: string, given?: GetActFileQuery & CallOptions, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
    /** Все акты, последний первым: страницы запрашиваются по мере чтения. */
    all(query?: ListActsQuery & CallOptions, options?: CallOptions): AsyncGenerator<Act, void, void>;
}
