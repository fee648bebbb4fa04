import pg from 'pg'

/** A connection could not be made, or was lost before its statements were answered. */
export class ConnectionError extends Error {
  /** `CONNECTION_CLOSED`, `CONNECTION_ENDED`, `CONNECT_TIMEOUT`, `SERVER_SILENT`, or the operating system's code. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ConnectionError'
    this.code = code
  }
}

/** The server is a standby, or its settings forbid writing. */
export const readOnlyServer = '25006'

const lockNotAvailable = '55P03'

/** Whether a statement waited for a lock for as long as it may. */
export function isLockWait(error: unknown): boolean {
  return sqlStateOf(error) === lockNotAvailable
}

/** The server's own code (SQLSTATE) of an error; undefined where the server did not report one. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/**
 * Whether the server ends the session with this error; other errors end the statement. A server that refuses to write has
 * become a standby, and its connections are of no use any more.
 */
export function endsSession(error: unknown): error is Error {
  const code = sqlStateOf(error) ?? ''
  return code.startsWith('57P') || code === '25P03' || code === readOnlyServer
}

/** Classes of errors: connection exceptions, no disk, memory or connections left, and an operator's intervention, cancelled statements included. */
const unavailableClasses = ['08', '53', '57']

/**
 * Whether the error says that the database was not there, not in time, or not the one that writes. Nothing was committed,
 * unless it came as the answer to the commit itself.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  const code = sqlStateOf(error) ?? ''
  return (
    isLockWait(error) ||
    code === readOnlyServer ||
    unavailableClasses.some((each) => code.startsWith(each))
  )
}

/** An attempt to connect that failed. What the server itself refused keeps its code. */
export function connectFailure(error: Error): Error {
  if (error instanceof pg.DatabaseError) return error
  if (error.message === 'timeout expired') {
    return new ConnectionError('CONNECT_TIMEOUT', 'the server did not answer in time', error)
  }
  return connectionLoss(error)
}

/** Turns any error of the driver that means a lost connection into ConnectionError. */
export function connectionLoss(error: Error): ConnectionError {
  if (error instanceof ConnectionError) return error
  const { code } = error as NodeJS.ErrnoException
  const system = error instanceof pg.DatabaseError ? undefined : code
  return new ConnectionError(system ?? 'CONNECTION_CLOSED', error.message, error)
}

/** The pool was ended, or what a tag stood for is over. */
export function ended(what: string): ConnectionError {
  return new ConnectionError('CONNECTION_ENDED', `${what} has ended`)
}
