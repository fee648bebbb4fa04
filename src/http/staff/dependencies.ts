import type { Database } from '../../db/connection.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/cursor.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Desk } from '../../marketplaces/desk/desk.ts'

/** What the staff API works with. */
export interface StaffDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly cursors: Cursors
  readonly baseUrl: string
  /** Extension digit and company prefix of the numbers on boxes and pallets. */
  readonly ssccPrefix: string
  /** Seals what opens cabinets on their marketplaces. */
  readonly cabinetBox: SecretBox
  /** Where shipments are made, in connected cabinets too. */
  readonly desk: Desk
}
