import type { FeedEvent } from './events.ts';
/** 262 random bits. Every fourth draw fits. */
export declare function newSecret(): string;
export interface Attempt {
    readonly event: Pick<FeedEvent, 'id' | 'type'>;
    readonly delivery: string;
    readonly secret: string;
    /** Unix time in whole seconds. */
    readonly timestamp: string;
    readonly body: Uint8Array;
}
export declare function deliveryHeaders(attempt: Attempt): Promise<Record<string, string>>;
