/**
 * Failures of marketplace calls, by what the caller can do about them:
 *
 * - `unreachable`: no response, or the marketplace cannot serve the call now. A later call may
 *   succeed.
 * - `credentials`: the marketplace refuses the key or the account. Only a new key helps, or what
 *   `meaning` says.
 * - `rejected`: the marketplace understood and refused. The same call would be refused again.
 * - `malformed`: the response differs from the documentation; the message names the field.
 */
export type FailureKind = 'unreachable' | 'credentials' | 'rejected' | 'malformed'

/**
 * What the text of an error response adds to its status:
 *
 * - `rights`: the key is valid but may not make this call.
 * - `keyType`: keys of this type may not make this call, whatever their rights.
 * - `addresses`: the key is valid but not for our IP address.
 * - `offer`: the seller has not signed the marketplace's newest offer; nothing works until then.
 * - `blocked`: the marketplace has blocked the seller's account.
 * - `unpaid`: the marketplace wants to be paid for this call.
 * - `tooOften`: the marketplace limits calls or is down, and says so with another status.
 * - `obsolete`: the marketplace has withdrawn the call.
 * - `unpacked`: the marketplace creates a shipment only when one of its orders is packed.
 * - `needless`: the marketplace wants no shipment for these orders.
 */
export type Meaning =
  | 'rights'
  | 'keyType'
  | 'addresses'
  | 'offer'
  | 'blocked'
  | 'unpaid'
  | 'tooOften'
  | 'obsolete'
  | 'unpacked'
  | 'needless'

/**
 * The message is Russian and may be shown to staff: no secrets, and at most one line of the
 * response. The marketplace's own text follows it, in any language.
 */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError'
  readonly kind: FailureKind
  /** HTTP status, if there was a response. */
  readonly status: number | undefined
  /** The marketplace's own error code, such as SupplyHasZeroOrders. */
  readonly code: string | undefined
  readonly meaning: Meaning | undefined
  /** Seconds after which the same call may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined
  /** The call that failed: its path, for the log. */
  call: string | undefined
  /** The message for sellers: it has the marketplace's own text only if that is Russian. */
  readonly forSeller: string
  /**
   * The marketplace may have carried out the call: an earlier attempt got no response, or this
   * failure is about a call of which that is true. `kind` describes the last attempt.
   */
  outcomeUnknown: boolean

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    const { remoteText } = options
    const whole = remoteText === undefined ? message : `${message}: ${remoteText}`
    super(whole, options)
    this.kind = kind
    const isRussian = remoteText !== undefined && /\p{Script=Cyrillic}/u.test(remoteText)
    this.forSeller = options.forSeller ?? (isRussian ? whole : message)
    this.status = options.status
    this.code = options.code
    this.meaning = options.meaning
    this.retryAfterSeconds = options.retryAfterSeconds
    const { cause } = options
    const remote = cause instanceof MarketplaceError ? cause : undefined
    this.outcomeUnknown = remote?.outcomeUnknown ?? false
    this.call = remote?.call
  }
}

export interface FailureOptions extends ErrorOptions {
  readonly status?: number
  readonly code?: string | undefined
  readonly meaning?: Meaning | undefined
  readonly retryAfterSeconds?: number
  /** The marketplace's own text, which follows the message. */
  readonly remoteText?: string | undefined
  /** What sellers read instead of the message. */
  readonly forSeller?: string
}

/** An `unreachable` failure. Staff read that they should retry, sellers that the service will. */
export function temporaryFailure(what: string, options: FailureOptions = {}): MarketplaceError {
  const forSeller = `${what}, повторим позже`
  return new MarketplaceError('unreachable', `${what}, повторите позже`, { ...options, forSeller })
}

/** A `rejected` failure with a message of our own that says what to do. */
export function rejection(message: string, code?: string): MarketplaceError {
  return new MarketplaceError('rejected', message, { code })
}

/**
 * Part of a response could not be read; the rest was used. The message is that of the first
 * failure.
 */
export class PartlyMalformed extends MarketplaceError {
  constructor(message: string, options?: ErrorOptions) {
    super('malformed', message, options)
  }
}

/**
 * Whether an error is a marketplace failure of one of these kinds, or of any kind if none is given.
 */
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

/**
 * A call that finds out more about a refusal. If it fails too, its failure keeps the refusal's
 * `outcomeUnknown`.
 */
export function followUp<T>(refusal: MarketplaceError, response: Promise<T>): Promise<T> {
  return response.catch((error: unknown) => {
    if (isFailure(error) && refusal.outcomeUnknown) error.outcomeUnknown = true
    throw error
  })
}

/**
 * The marketplace has withdrawn the call, or has no such object: the status alone does not tell
 * which.
 */
export function isObsolete(error: unknown): error is MarketplaceError {
  return isRejected(error) && (error.status === 404 || isWithdrawn(error))
}

/** The account is closed to us, whatever its key: no other call would succeed either. */
export function isAccountClosed(error: unknown): error is MarketplaceError {
  return (
    isFailure(error, 'credentials') && (error.meaning === 'offer' || error.meaning === 'blocked')
  )
}

/** The marketplace says that it has withdrawn the call. */
export function isWithdrawn(error: unknown): error is MarketplaceError {
  return isRejected(error) && error.meaning === 'obsolete'
}

/** The shipment can be created once its orders are packed, and was not created now. */
export function isTooEarly(error: unknown): boolean {
  return isRejected(error) && error.meaning === 'unpacked' && !error.outcomeUnknown
}

/** The orders are handed over without a shipment at the marketplace. */
export function isNeedless(error: unknown): boolean {
  return isRejected(error) && error.meaning === 'needless' && !error.outcomeUnknown
}

/** Undefined if the marketplace has no such object or no such call. */
export function unlessMissing<T>(response: Promise<T>): Promise<T | undefined> {
  return unless(response, (error) => isRejected(error) && error.status === 404)
}

/** Undefined if the marketplace refused. */
export function unlessRejected<T>(response: Promise<T>): Promise<T | undefined> {
  return unless(response, isRejected)
}

function unless<T>(response: Promise<T>, is: (error: unknown) => boolean): Promise<T | undefined> {
  return response.catch((error: unknown) => {
    if (is(error)) return undefined
    throw error
  })
}
