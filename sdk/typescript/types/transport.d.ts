import { SkladError } from './errors.ts';
import { type Timing } from './time.ts';
export interface SkladOptions {
    /** Ключ: `svc_live_…` или `svc_test_…`. */
    readonly key: string;
    /** Адрес сервиса, например `https://api.example.ru`. */
    readonly baseUrl: string;
    /** Чем делать запросы; без него — `fetch` среды. */
    readonly fetch?: typeof fetch | undefined;
    /** Сколько ждать одного ответа, миллисекунд; 30 000. */
    readonly timeoutMs?: number | undefined;
    /**
     * Сколько раз повторять то, что повторить можно; 4. `rate_limited` их не расходует: вызовы клиента ждут по очереди
     * до пяти минут. При 0 клиент ничего не повторяет и не ждёт.
     */
    readonly retries?: number | undefined;
    /** Прерывает все вызовы клиента. */
    readonly signal?: AbortSignal | undefined;
    /** Время и случай; нужно тестам. */
    readonly timing?: Partial<Timing> | undefined;
}
export interface CallOptions {
    /** Прерывает этот вызов, и его паузы тоже: вызов отклоняется с `signal.reason`. */
    readonly signal?: AbortSignal | undefined;
}
/**
 * Which failures a call may be repeated after. `always`: it changes nothing, or the same once more does no harm.
 * `refused`: only where the service has surely done nothing.
 */
export type Repeats = 'always' | 'refused';
export interface Call extends CallOptions {
    readonly method: string;
    /** Begins with `/v1/`. */
    readonly path: string;
    readonly query?: object | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly body?: unknown;
    /** Without it, GET `always` and everything else `refused`. */
    readonly repeats?: Repeats | undefined;
    /** What the answer has to be, where it is a file: its bytes are the body. */
    readonly media?: string | undefined;
    /** Overrides the client's. */
    readonly retries?: number | undefined;
    /** How long the service itself may hold the answer, added to the timeout. */
    readonly heldMs?: number | undefined;
    /** Asked after the pause and before a repeat; an answer ends the call. */
    readonly beforeRepeat?: ((error: SkladError) => Promise<Answer | undefined>) | undefined;
}
export interface Answer {
    readonly status: number;
    readonly headers: Headers;
    /** Undefined for an answer without a body. */
    readonly body: unknown;
}
/** Sends calls, and repeats what failed and may be repeated. */
export declare class Transport {
    #private;
    readonly timing: Timing;
    constructor(options: Omit<SkladOptions, 'key'> & {
        readonly key?: string;
    });
    /** Throws SkladError, or the reason of the signal that was aborted. */
    send(call: Call): Promise<Answer>;
    /** The body of the answer. */
    read<Body>(call: Call): Promise<Body>;
}
/** A part of a path. Throws TypeError for what could only name another path. */
export declare function segment(id: string): string;
