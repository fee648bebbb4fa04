import type { ListReceiptsQuery, Receipt, ReceiptDraft } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Приёмки и заявки на них. */
export declare class Receipts {
    #private;
    constructor(transport: Transport);
    /** Приёмки без состава. */
    list(query?: ListReceiptsQuery & CallOptions, options?: CallOptions): Promise<Page<Receipt>>;
    /** Приёмка вместе с составом. */
    get(id: string, { signal }?: CallOptions): Promise<Receipt>;
    /** Все приёмки под фильтром: страницы запрашиваются по мере чтения. */
    all(query?: ListReceiptsQuery & CallOptions, options?: CallOptions): AsyncGenerator<Receipt, void, void>;
    /**
     * Создаёт заявку на приёмку. Повторяется сам, только если есть `external_ref` (после `rate_limited` — всегда). Если ответ потерялся, клиент
     * сначала ищет заявку с этим номером: подтверждённую повтор создал бы второй раз. Если вызов всё же
     * закончился ошибкой без ответа, ищите заявку по номеру и вы, прежде чем создавать её снова.
     */
    create(draft: ReceiptDraft, { signal }?: CallOptions): Promise<Receipt>;
}
