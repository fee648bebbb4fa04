import type { Timing } from './time.ts';
export interface Passing {
    readonly signal: AbortSignal;
    /** After so long a refusal is thrown. */
    readonly waitMaxMs: number;
    /** The service holds the answer: others need not wait for it. */
    readonly isHeld: boolean;
}
/**
 * Calls of one client that go too often wait together: in their order, and one at a time, so that a refused crowd
 * does not come back as a crowd.
 */
export declare class RateGate {
    #private;
    constructor(timing: Timing);
    /** Sends now, or in its turn; after `rate_limited` again as `Retry-After` says. Throws every other error. */
    pass<Result>(send: () => Promise<Result>, passing: Passing): Promise<Result>;
}
