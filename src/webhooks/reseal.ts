import type { Database } from '../db/connection.ts'
import { resealColumn } from '../db/reseal.ts'
import type { SecretBox } from '../kernel/secret-box.ts'

export interface Resealing {
  readonly resealed: number
  /** Were sealed with the newest key before. */
  readonly current: number
  /** No key of the settings opens them: such a subscription has to be made again. */
  readonly unreadable: readonly UnreadableSecret[]
}

export interface UnreadableSecret {
  readonly client: string
  readonly webhook: string
}

/** Seals all signing secrets with the newest key. */
export async function resealSecrets(db: Database, secretBox: SecretBox): Promise<Resealing> {
  const sealed = { table: 'webhooks', column: 'secret' } as const
  const { unreadable, ...counts } = await resealColumn(db, secretBox, sealed)
  const named = unreadable.map(({ client_id, id }) => ({ client: client_id, webhook: id }))
  return { ...counts, unreadable: named }
}
