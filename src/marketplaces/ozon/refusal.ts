import { MarketplaceError } from '../failure.ts'

export function isRejected(error: unknown): error is MarketplaceError {
  return error instanceof MarketplaceError && error.kind === 'rejected'
}

/** What OZON would refuse, or has, in words that tell what to do. */
export function refused(message: string, code?: string): MarketplaceError {
  return new MarketplaceError('rejected', message, { code })
}

/** Undefined where OZON has no such thing, or no such call. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error) && error.status === 404) return undefined
    throw error
  })
}

export async function unlessRejected<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRejected(error)) return undefined
    throw error
  })
}
