/**
 * What can go wrong with a marketplace, told apart by what is to be done:
 *
 * - `unreachable`: it did not answer, or said that it can't now. Later it may.
 * - `credentials`: it does not let the key in. Nothing helps but a new one, or what `meaning` tells.
 * - `rejected`: it understood and refused. The same again would be refused again.
 * - `malformed`: its answer is not what it documents; the field is named.
 */
export type FailureKind = 'unreachable' | 'credentials' | 'rejected' | 'malformed'

/**
 * What a marketplace says of a refusal in words, where its status does not tell:
 *
 * - `rights`: the key is good, but not for this call.
 * - `addresses`: the key is good, but not from where we are.
 * - `tooOften`: it is asked too often, or is down, and answers with another status than that.
 * - `obsolete`: the call is withdrawn.
 */
export type Meaning = 'rights' | 'addresses' | 'tooOften' | 'obsolete'

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
  readonly meaning: Meaning | undefined
  /** The message as sellers read it: words of the marketplace's only where they are Russian. */
  readonly forSeller: string
  /**
   * Whether what was asked may be done all the same: an earlier attempt at it got no answer, or this
   * is about one that did not. The kind is that of the last attempt.
   */
  perhapsDone: boolean

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    const { said } = options
    const whole = said === undefined ? message : `${message}: ${said}`
    super(whole, options)
    this.kind = kind
    const isRussian = said !== undefined && /\p{Script=Cyrillic}/u.test(said)
    this.forSeller = options.forSeller ?? (isRussian ? whole : message)
    this.status = options.status
    this.code = options.code
    this.meaning = options.meaning
    const { cause } = options
    this.perhapsDone = cause instanceof MarketplaceError && cause.perhapsDone
  }
}

export interface FailureOptions extends ErrorOptions {
  readonly status?: number
  readonly code?: string | undefined
  readonly meaning?: Meaning | undefined
  /** The marketplace's own words, which are put behind the message. */
  readonly said?: string | undefined
  /** What sellers read instead. */
  readonly forSeller?: string
}

/**
 * It passes by itself. A worker asks again, as nobody does it for him; a seller reads of rounds, which
 * do.
 */
export function passing(what: string, options: FailureOptions = {}): MarketplaceError {
  const forSeller = `${what}, повторим позже`
  return new MarketplaceError('unreachable', `${what}, повторите позже`, { ...options, forSeller })
}

/** Some of what was told can't be read, and the first failure of it is this; all else was told. */
export class PartlyMalformed extends MarketplaceError {
  constructor(message: string, options?: ErrorOptions) {
    super('malformed', message, options)
  }
}

/** Whether it is a failure of one of the kinds; of any, where none is named. */
export function isFailure(
  error: unknown,
  ...kinds: readonly FailureKind[]
): error is MarketplaceError {
  if (!(error instanceof MarketplaceError)) return false
  return kinds.length === 0 || kinds.includes(error.kind)
}

export function isRejected(error: unknown): error is MarketplaceError {
  return isFailure(error, 'rejected')
}

/** What is asked after a refusal: where it fails too, what was refused may be done as before. */
export function following<T>(refusal: MarketplaceError, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (error instanceof MarketplaceError && refusal.perhapsDone) error.perhapsDone = true
    throw error
  })
}

/** The marketplace has no such call any more, as far as it says; or has no such thing. */
export function isObsolete(error: unknown): error is MarketplaceError {
  return isRejected(error) && (error.status === 404 || error.meaning === 'obsolete')
}

/** Undefined where the marketplace has no such thing, or no such call. */
export function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return unless(answer, (error) => isRejected(error) && error.status === 404)
}

/** Undefined where the marketplace refused. */
export function unlessRejected<T>(answer: Promise<T>): Promise<T | undefined> {
  return unless(answer, isRejected)
}

function unless<T>(answer: Promise<T>, is: (error: unknown) => boolean): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (is(error)) return undefined
    throw error
  })
}
