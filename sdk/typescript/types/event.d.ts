import type { Order, Receipt, Shipment } from './api.ts';
interface EventOf<Type extends string, Data> {
    /** Один на все повторы события: по нему пропускают знакомые. */
    readonly id: string;
    readonly type: Type;
    /** Когда произошло: RFC 3339, по Москве. */
    readonly occurred_at: string;
    readonly data: Data;
}
interface Changed<Thing extends {
    readonly status: string;
}> {
    readonly object: Thing;
    readonly previous_status: Thing['status'];
}
/** Событие, на которое можно подписаться. В `data` — объект, каким его в тот момент показал бы GET. */
export type SkladEvent = EventOf<'receipt.created' | 'receipt.confirmed' | 'receipt.completed', Receipt> | EventOf<'receipt.status_changed', Changed<Receipt>> | EventOf<'shipment.status_changed', Changed<Shipment>> | EventOf<'order.status_changed', Changed<Order>>;
/** Проверка адреса. */
export type PingEvent = EventOf<'webhook.ping', unknown>;
export type SkladEventType = SkladEvent['type'];
export {};
