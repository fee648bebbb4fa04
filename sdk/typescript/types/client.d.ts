import { Acts } from './acts.ts';
import type { GetMetricsQuery, Me, Metrics } from './api.ts';
import { Charges } from './charges.ts';
import { Events } from './events.ts';
import { Goods } from './goods.ts';
import { Orders } from './orders.ts';
import { Receipts } from './receipts.ts';
import { Returns } from './returns.ts';
import { Sandbox } from './sandbox.ts';
import { Shipments } from './shipments.ts';
import { Stock } from './stock.ts';
import { type CallOptions, type SkladOptions } from './transport.ts';
import { Webhooks } from './webhooks.ts';
export interface RequestOptions extends CallOptions {
    readonly query?: object | undefined;
    readonly body?: unknown;
}
/** Клиент интерфейса Sklad. Ошибки — SkladError; прерванный вызов отклоняется с `signal.reason`. */
export declare class Sklad {
    #private;
    readonly stock: Stock;
    readonly goods: Goods;
    readonly orders: Orders;
    readonly receipts: Receipts;
    readonly shipments: Shipments;
    readonly returns: Returns;
    readonly charges: Charges;
    readonly acts: Acts;
    readonly webhooks: Webhooks;
    readonly events: Events;
    readonly sandbox: Sandbox;
    constructor(options: SkladOptions);
    /** Новый тестовый ключ со своей песочницей. */
    static sandboxKey({ signal, ...options }: Omit<SkladOptions, 'key'>): Promise<string>;
    /** Кому принадлежит ключ. */
    me({ signal }?: CallOptions): Promise<Me>;
    /** Показатели за период; без границ — за последние 30 дней. */
    metrics(query?: GetMetricsQuery & CallOptions, options?: CallOptions): Promise<Metrics>;
    /** Любой вызов: для тех, у которых ещё нет своего метода. Отвечает телом ответа. */
    request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}
