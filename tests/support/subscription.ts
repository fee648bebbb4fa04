import { randomBytes } from 'node:crypto'
import { newSecret } from '../../src/exchange/webhooks/signature.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { makeSecretBox } from '../../src/platform/kernel/secret-box.ts'
import { type SubscribableType, subscribableTypes } from '../../src/warehouse/events/catalogue.ts'
import { noon } from './warehouse.ts'

export const secretBox = makeSecretBox([randomBytes(32)])

export interface TestSubscription {
  readonly id: string
  readonly secret: string
}

/** Inserts a subscription as it is after its ping, without sending one. */
export async function addSubscription(
  db: Database,
  clientId: string,
  given: {
    readonly url?: string
    readonly events?: readonly SubscribableType[]
    readonly secret?: string
  } = {},
): Promise<TestSubscription> {
  const { url = 'http://127.0.0.1:9/hook', events = subscribableTypes } = given
  const { secret = newSecret() } = given
  const id = newId()
  await db`
    insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
    values (${clientId}, ${id}, ${url}, ${[...events]}, ${secretBox.seal(secret, id)},
      ${toTimestamp(noon)})`
  return { id, secret }
}
