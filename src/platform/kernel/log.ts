import { maskKeys } from './api-key.ts'

/** A log for rooms that do not know the web server: it reports failures to the operator. */
export interface ErrorLog {
  error(details: { readonly err: unknown }, message: string): void
}

/** A log that also reports what is no failure but needs attention. */
export interface WarningLog extends ErrorLog {
  warn(details: Readonly<Record<string, unknown>>, message: string): void
}

/** The output of the process's log: keys and tokens are masked, wherever they come from. */
export function maskedOutput(write: (line: string) => void): { write(line: string): void } {
  return { write: (line) => write(maskKeys(line)) }
}
