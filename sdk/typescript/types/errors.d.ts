import type { ApiError } from './api.ts';
/** Коды ошибок самого клиента: ответа сервиса нет, или он непонятен, или не сошлась подпись. */
export type ClientErrorCode = 'connection_lost' | 'timeout' | 'unexpected_answer' | 'signature_missing' | 'signature_stale' | 'signature_mismatch' | 'body_invalid' | 'body_already_read';
export type SkladErrorCode = ApiError['error']['code'] | ClientErrorCode;
export interface SkladErrorFacts {
    readonly status?: number;
    readonly requestId?: string | undefined;
    readonly retryAfterSeconds?: number | undefined;
    readonly cause?: unknown;
}
/** Ошибка вызова. Логику стройте на `code`: он не меняется, `message` — для человека. */
export declare class SkladError extends Error {
    readonly name = "SkladError";
    readonly code: SkladErrorCode;
    /** Код HTTP; 0, если ответа не было. */
    readonly status: number;
    /** Назовите его, если обратитесь за помощью. */
    readonly requestId: string | undefined;
    /** Через сколько секунд повторить: из заголовка `Retry-After`. */
    readonly retryAfterSeconds: number | undefined;
    constructor(code: SkladErrorCode, message: string, facts?: SkladErrorFacts);
}
export declare function isPassingRefusal({ code }: SkladError): boolean;
/** Whether the service may have done the work although its answer did not come. */
export declare function isOutcomeUnknown({ code, status }: SkladError): boolean;
