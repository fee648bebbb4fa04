/** A log for rooms that do not know the web server: it reports failures to the operator. */
export interface ErrorLog {
  error(details: { readonly err: unknown }, message: string): void
}

/** A log that also reports what is no failure but needs attention. */
export interface WarningLog extends ErrorLog {
  warn(details: Readonly<Record<string, unknown>>, message: string): void
}
