import { MarketplaceError } from '../calls/failure.ts'

/** What OZON would refuse, or has, in words that tell what to do. */
export function refused(message: string, code?: string): MarketplaceError {
  return new MarketplaceError('rejected', message, { code })
}

/** Names of errors come as a code or, with the number of the kind of error as code, as the words. */
export function says({ code, message }: MarketplaceError, words: RegExp): boolean {
  return words.test(message) || (code !== undefined && words.test(code))
}
