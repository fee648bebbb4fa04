import { MarketplaceError } from '../failure.ts'

export function isRejected(error: unknown): error is MarketplaceError {
  return error instanceof MarketplaceError && error.kind === 'rejected'
}

/** What OZON would refuse, or has, in words that tell what to do. */
export function refused(message: string, code?: string): MarketplaceError {
  return new MarketplaceError('rejected', message, { code })
}
