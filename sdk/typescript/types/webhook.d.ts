import type { Event } from './api.ts';
/** Заголовки запроса: `Headers` или объект с именами в любом регистре. */
export type HeadersGiven = {
    get(name: string): string | null;
} | Readonly<Record<string, string | readonly string[] | undefined>>;
export interface VerifyOptions {
    /** Тело, каким оно пришло: разобранный и собранный заново JSON — уже другие байты. */
    readonly body: Uint8Array | ArrayBuffer | string;
    readonly headers: HeadersGiven;
    /** Секрет подписки; несколько — на время смены секрета. */
    readonly secret: string | readonly string[];
    /** На сколько время попытки может отличаться от нашего; 300. */
    readonly toleranceSeconds?: number | undefined;
    /** Время сейчас, миллисекунд с 1970 года; нужно тестам. */
    readonly now?: (() => number) | undefined;
}
/** Событие, если подпись верна; иначе SkladError с кодом `signature_…`: ответьте 401. */
export declare function verifyWebhook(options: VerifyOptions): Promise<Event>;
/** The value of X-SVC-Signature. The timestamp is a Unix time in whole seconds. */
export declare function signatureOf(secret: string, timestamp: string, body: Uint8Array): Promise<string>;
/** One header, in whichever case; undefined if it came several times. */
export declare function headerOf(headers: HeadersGiven, name: string): string | undefined;
