import type { Instant } from '../../../platform/kernel/moscow-time.ts'
import type { Time } from '../calls/limits.ts'
import type { OzonClient } from './client.ts'
import type { OzonMemory } from './memory.ts'

/** What the parts of the connector share. */
export interface OzonContext {
  readonly client: OzonClient
  readonly memory: OzonMemory
  readonly time: Time
  readonly now: () => Instant
}
