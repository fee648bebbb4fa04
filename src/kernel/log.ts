/** What rooms that know no web server need of a log: a line for the operator about what went wrong. */
export interface ErrorLog {
  error(details: { readonly err: unknown }, message: string): void
}
