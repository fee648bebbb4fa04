/** What rooms that know no web server need of a log: a line for the operator about what went wrong. */
export interface ErrorLog {
  error(details: { readonly err: unknown }, message: string): void
}

/** And one about what went well but wants somebody's eyes. */
export interface WarningLog extends ErrorLog {
  warn(details: Readonly<Record<string, unknown>>, message: string): void
}
