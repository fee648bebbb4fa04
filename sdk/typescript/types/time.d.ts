/** Time and chance of the client, so that a test can hand in its own. */
export interface Timing {
    /** Milliseconds that only grow. */
    readonly elapsedMs: () => number;
    /** From 0 up to 1. */
    readonly random: () => number;
    /** Rejects with the signal's reason as soon as it is aborted. */
    readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}
export declare const realTiming: Timing;
export interface Linked {
    readonly signal: AbortSignal;
    abort(reason: unknown): void;
    /** Lets go of the sources: a signal that lives long must not collect listeners. */
    release(): void;
}
/** A signal that is aborted with any of the sources. */
export declare function linked(sources: readonly (AbortSignal | undefined)[]): Linked;
/** A random pause of at most `baseMs`, 2 · `baseMs`, 4 · `baseMs`…, and never more than `maxMs`. */
export declare function growingPauseMs(attempt: number, { baseMs, maxMs }: {
    readonly baseMs: number;
    readonly maxMs: number;
}, random: () => number): number;
