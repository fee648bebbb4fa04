import type { Work } from '../../platform/db/work.ts'
import { makeCursors } from '../../platform/kernel/cursor.ts'
import { dropEmail } from './people.ts'

/**
 * The link of each letter that ends letters. It names its user and is signed; it opens nothing, so it works without signing
 * in, as often as somebody follows it, and as long as the secret is kept.
 */
export interface Unsubscribing {
  linkOf(userId: string): string
  /** Returns false for a link that the service did not make. */
  end(work: Pick<Work, 'tx'>, token: string): Promise<boolean>
}

const scope = ['unsubscribe']
export const unsubscribePath = '/notices/unsubscribe'

export function makeUnsubscribing(keys: readonly Buffer[], baseUrl: string): Unsubscribing {
  const tokens = makeCursors(keys)
  return {
    linkOf: (userId) => `${baseUrl}${unsubscribePath}?token=${tokens.issue(scope, [userId])}`,
    async end(work, token) {
      const [userId] = tokens.read(scope, token) ?? []
      if (typeof userId !== 'string') return false
      await dropEmail(work, userId)
      return true
    },
  }
}
