import { MarketplaceError } from '../../../src/exchange/marketplaces/calls/failure.ts'

/** Matches the failure of a response whose field is missing or wrong. */
export function malformedAt(field: string) {
  return (error: unknown) =>
    error instanceof MarketplaceError &&
    error.kind === 'malformed' &&
    error.message.endsWith(` ${field}`)
}
