import type { ListReceiptsQuery, Receipt, ReceiptDraft } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
export interface CreateReceiptOptions extends CallOptions {
    /**
     * Номер запроса, если нет `external_ref`: по нему сервис узнаёт повтор. Без него клиент придумывает свой; задайте его
     * сами, если можете повторить вызов после перезапуска программы.
     */
    readonly idempotencyKey?: string | undefined;
}
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
     * Создаёт заявку на приёмку; повторяется сам. Если есть `external_ref` и ответ потерялся, клиент сначала ищет заявку с
     * этим номером: подтверждённую повтор создал бы второй раз. Если вызов всё же закончился ошибкой без ответа, ищите её
     * по номеру и вы, прежде чем создавать снова. Без `external_ref` повтор узнаёт сервис, по `Idempotency-Key`.
     */
    create(draft: ReceiptDraft, { signal, idempotencyKey }?: CreateReceiptOptions): Promise<Receipt>;
}
