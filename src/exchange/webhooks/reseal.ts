import type { Database } from '../../platform/db/connection.ts'
import { resealColumn } from '../../platform/db/reseal.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'

export interface Resealing {
  readonly resealed: number
  /** Sealed with the newest key already. */
  readonly current: number
  /** No configured key opens them: the client has to create these subscriptions again. */
  readonly unreadable: readonly UnreadableSecret[]
}

export interface UnreadableSecret {
  readonly client: string
  readonly webhook: string
}

/** Seals all signing secrets with the newest key. Safe to repeat, and to run in several processes. */
export async function resealSecrets(db: Database, secretBox: SecretBox): Promise<Resealing> {
  const sealed = { table: 'webhook_subscriptions', column: 'secret' } as const
  const { unreadable, ...counts } = await resealColumn(db, secretBox, sealed)
  const named = unreadable.map(({ client_id, id }) => ({ client: client_id, webhook: id }))
  return { ...counts, unreadable: named }
}
