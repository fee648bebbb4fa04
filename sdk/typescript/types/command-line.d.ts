import { type Timing } from './time.ts';
/** The commands for integrators, of the package and of the service's own command line. */
export interface CommandContext {
    readonly print: (line: string) => void;
    readonly printError: (line: string) => void;
    /** Ctrl-C. */
    readonly signal: AbortSignal;
    /** A test hands in its own. */
    readonly timing?: Partial<Timing> | undefined;
}
/** Runs `listen …` or `trigger …` and resolves with the exit code. */
export declare function runClientCommand(args: readonly string[], context: CommandContext): Promise<number>;
