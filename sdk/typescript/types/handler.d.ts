import type { SkladEvent } from './event.ts';
import { type HeadersGiven } from './webhook.ts';
/** Память об обработанных событиях, например таблица с их `id`. Хранить дольше 30 дней незачем. */
export interface EventStore {
    has(id: string): boolean | Promise<boolean>;
    add(id: string): unknown;
}
export interface WebhookOptions {
    /** Секрет подписки; несколько — на время смены секрета. */
    readonly secret: string | readonly string[];
    readonly store: EventStore;
    /**
     * Ваша работа. Событие запоминается после неё: если она не удалась, ответ — 500, и событие придёт снова; если
     * процесс погиб посередине — тоже. Уложитесь в 10 секунд или только сохраните событие.
     */
    readonly handle: (event: SkladEvent) => unknown;
    readonly toleranceSeconds?: number | undefined;
    /** Почему ответ — 500: ошибка вашей работы, или тело прочитано до обработчика. */
    readonly onError?: ((error: unknown) => void) | undefined;
    /** Время сейчас, миллисекунд с 1970 года; нужно тестам. */
    readonly now?: (() => number) | undefined;
}
/** The status to answer to one request. */
export type Receive = (body: Uint8Array, headers: HeadersGiven) => Promise<number>;
/** More is no event. */
export declare const bodyBytesMax: number;
/**
 * Receives at least once: an event is remembered after it was handled. Equal events that come at the same time are
 * handled once by one process.
 */
export declare function receiver(options: WebhookOptions): Receive;
/** Приёмник вебхуков для сред, где запрос и ответ — `Request` и `Response`: Deno, Bun, воркеры, Next, Hono. */
export declare function webhookHandler(options: WebhookOptions): (request: Request) => Promise<Response>;
/** What a request is answered with. */
export interface Answer {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly text?: string;
}
/** Something before the handler has read the body: its bytes are gone, and no signature can be checked. */
export declare function bodyAlreadyRead({ onError }: WebhookOptions): Answer;
/** The bytes of a body; undefined if there are too many. */
export declare function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined>;
