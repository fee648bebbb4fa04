import { isRejected, MarketplaceError } from '../failure.ts'

/** What OZON would refuse, or has, in words that tell what to do. */
export function refused(message: string, code?: string): MarketplaceError {
  return new MarketplaceError('rejected', message, { code })
}

export async function unlessRejected<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error)) return undefined
    throw error
  })
}
