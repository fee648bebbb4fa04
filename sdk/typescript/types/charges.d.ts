import type { Charge, ChargeSummary, ListChargesQuery, SumChargesQuery } from './api.ts';
import { type Page } from './pages.ts';
import type { CallOptions, Transport } from './transport.ts';
/** Что склад начислил и за что. Деньги — строки: рубли и копейки. */
export declare class Charges {
    #private;
    constructor(transport: Transport);
    list(query?: ListChargesQuery & CallOptions, options?: CallOptions): Promise<Page<Charge>>;
    /** Суммы по услугам и дням. */
    summary(query?: SumChargesQuery & CallOptions, options?: CallOptions): Promise<ChargeSummary>;
    /** Все начисления под фильтром: страницы запрашиваются по мере чтения. */
    all(query?: ListChargesQuery & CallOptions, options?: CallOptions): AsyncGenerator<Charge, void, void>;
}
