import type { Database } from '../../db/connection.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/cursor.ts'

/** What the staff API works with. */
export interface StaffDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly cursors: Cursors
  readonly baseUrl: string
}
