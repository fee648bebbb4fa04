import type { Work } from '../../platform/db/work.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { Random } from '../../platform/kernel/random.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import type { Shelves } from './shelves.ts'

/** What every part of the scenario plays on. */
export interface Stage {
  readonly clientId: string
  readonly cabinets: Readonly<Record<Marketplace, string>>
  readonly random: Random
  /** The last moment of the scenario. */
  readonly end: Instant
  readonly shelves: Shelves
}

/** One action at one moment. */
export interface Step {
  readonly at: Instant
  run(work: Work): Promise<void>
}
