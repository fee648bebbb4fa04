/**
 * What can go wrong with a marketplace, told apart by what is to be done:
 *
 * - `unreachable`: it did not answer, or said that it can't now. Later it may.
 * - `credentials`: it does not know the key. Nothing helps but a new one.
 * - `rejected`: it understood and refused. The same again would be refused again.
 * - `malformed`: its answer is not what it documents; the field is named.
 */
export type FailureKind = 'unreachable' | 'credentials' | 'rejected' | 'malformed'

/**
 * The message is Russian and fit for staff to read: no secrets, no more of an answer than a line. The
 * marketplace's own words follow it, in whatever language they are.
 */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError'
  readonly kind: FailureKind
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined
  /** The marketplace's own code of the error, such as SupplyHasZeroOrders. */
  readonly code: string | undefined
  /** The message as sellers read it: words of the marketplace's only where they are Russian. */
  readonly forSeller: string

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    const { said } = options
    const whole = said === undefined ? message : `${message}: ${said}`
    super(whole, options)
    this.kind = kind
    this.forSeller = said !== undefined && /\p{Script=Cyrillic}/u.test(said) ? whole : message
    this.status = options.status
    this.code = options.code
  }
}

export interface FailureOptions extends ErrorOptions {
  readonly status?: number
  readonly code?: string | undefined
  /** The marketplace's own words, which are put behind the message. */
  readonly said?: string | undefined
}

/** Some of what was told can't be read, and the first failure of it is this; all else was told. */
export class PartlyMalformed extends MarketplaceError {
  constructor(message: string, options?: ErrorOptions) {
    super('malformed', message, options)
  }
}

export function isRejected(error: unknown): error is MarketplaceError {
  return error instanceof MarketplaceError && error.kind === 'rejected'
}

/** Undefined where the marketplace has no such thing, or no such call. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error) && error.status === 404) return undefined
    throw error
  })
}
