import type { SkladEvent, SkladEventType } from './event.ts';
import type { CallOptions, Transport } from './transport.ts';
export interface FeedQuery extends CallOptions {
    /** Позиция, после которой читать; без неё — с самого старого события, `latest` — только новые. */
    readonly after?: string | undefined;
    readonly types?: readonly SkladEventType[] | string | undefined;
    /** Событий за один запрос: от 1 до 1000. */
    readonly limit?: number | undefined;
    /** Сколько секунд ждать первого события: от 0 до 25. */
    readonly wait?: number | undefined;
}
export interface FeedPage {
    readonly items: SkladEvent[];
    /** Передайте в `after` следующего вызова. */
    readonly nextAfter: string;
    readonly hasMore: boolean;
}
/** Событие и его позиция: с ней лента продолжится со следующего события. Типы событий должны быть теми же. */
export type FeedEvent = SkladEvent & {
    readonly position: string;
};
/** Лента событий. */
export declare class Events {
    #private;
    constructor(transport: Transport);
    list(query?: FeedQuery, options?: CallOptions): Promise<FeedPage>;
    /**
     * Все события после `after` и дальше, по мере того как они происходят; конца нет. Обрыв связи, перезапуск и
     * перегрузка сервиса ленту не прерывают: она продолжается сама, и ни одно событие не теряется и не повторяется.
     * Сохраняйте `position` вместе с обработанным событием. Ошибка `bad_cursor` значит, что позиция устарела:
     * начните без `after` и сверьте списки.
     */
    stream(given?: FeedQuery, options?: CallOptions): AsyncGenerator<FeedEvent, void, void>;
}
