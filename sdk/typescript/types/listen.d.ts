import type { Sklad } from './client.ts';
import { type Timing } from './time.ts';
/** What a receiver on the integrator's machine gets: the events of the feed, sent like webhooks. */
export interface ListenOptions {
    readonly sklad: Sklad;
    /** Where each event goes, for example `http://localhost:3000/hook`. */
    readonly forwardTo: string;
    readonly secret: string;
    /** Undefined: the oldest event that is kept. */
    readonly after: string | undefined;
    readonly types?: string | undefined;
    /** Ends the listening. */
    readonly signal: AbortSignal;
    /** Gets one line for each attempt. */
    readonly print: (line: string) => void;
    readonly timing: Timing;
}
/** Sends each event until it is received or eight attempts have failed. Resolves after the signal. */
export declare function listen(options: ListenOptions): Promise<void>;
