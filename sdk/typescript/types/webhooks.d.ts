import type { AttemptList, CreatedWebhook, Delivery, ListDeliveriesQuery, QueuedPing, QueuedResend, QueuedResends, ResendDraft, Webhook, WebhookDraft, WebhookList } from './api.ts';
import { type Page } from './pages.ts';
import { type CallOptions, type Transport } from './transport.ts';
/** Подписки на события. */
export declare class Webhooks {
    #private;
    constructor(transport: Transport);
    list({ signal }?: CallOptions): Promise<WebhookList>;
    /** Секрет подписи показан один раз, в ответе. */
    create(draft: WebhookDraft, { signal }?: CallOptions): Promise<CreatedWebhook>;
    get(id: string, { signal }?: CallOptions): Promise<Webhook>;
    /** Журнал доставок удаляется вместе с подпиской. */
    delete(id: string, { signal }?: CallOptions): Promise<void>;
    /** Ставит в очередь webhook.ping; итог виден в журнале доставок. */
    ping(id: string, { signal }?: CallOptions): Promise<QueuedPing>;
    /** Журнал доставок, новые первыми. */
    deliveries(id: string, query?: ListDeliveriesQuery & CallOptions, options?: CallOptions): Promise<Page<Delivery>>;
    /** Весь журнал: страницы запрашиваются по мере чтения. */
    allDeliveries(id: string, query?: ListDeliveriesQuery & CallOptions, options?: CallOptions): AsyncGenerator<Delivery, void, void>;
    /** Доставка с событием, как оно отправлено. Годится и значение X-SVC-Delivery. */
    delivery(id: string, deliveryId: string, { signal }?: CallOptions): Promise<Delivery>;
    /** Попытки одной доставки, по порядку. */
    attempts(id: string, deliveryId: string, { signal }?: CallOptions): Promise<AttemptList>;
    /** Отправляет событие доставки ещё раз, новой доставкой. */
    resendDelivery(id: string, deliveryId: string, { signal }?: CallOptions): Promise<QueuedResend>;
    /** Отправляет ещё раз события периода. */
    resend(id: string, draft: ResendDraft, { signal }?: CallOptions): Promise<QueuedResends>;
}
