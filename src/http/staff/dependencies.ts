import type { CheckCredentials } from '../../exchange/marketplaces/connecting/check-credentials.ts'
import type { Connect } from '../../exchange/marketplaces/connecting/open-connector.ts'
import type { ShipmentCoordinator } from '../../exchange/marketplaces/coordination/coordinator.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { HeldPolls } from '../../platform/db/held-polls.ts'
import type { Reports } from '../../platform/db/reports.ts'
import type { CellMark } from '../../platform/kernel/api-key.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Cursors } from '../../platform/kernel/cursor.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import type { PhotoStore } from '../files/photo-bytes.ts'
import type { NoticeWays } from '../route/notices.ts'

/** The dependencies of the staff API. */
export interface StaffDependencies {
  readonly db: Database
  readonly reports: Reports
  readonly clock: Clock
  readonly cursors: Cursors
  readonly baseUrl: string
  /** Marks what is issued here. */
  readonly cell: CellMark
  /** Extension digit and GS1 company prefix of the SSCCs of boxes and pallets. */
  readonly ssccPrefix: string
  /** Encrypts the marketplace credentials of cabinets. */
  readonly cabinetBox: SecretBox
  /** Seals issued keys for their owners, who see them in the account. */
  readonly accountBox: SecretBox
  /** Asks the marketplace what credentials may do. */
  readonly checkCredentials: CheckCredentials
  /** Asks the marketplaces of connected cabinets. */
  readonly connect: Connect
  /** Where shipments are made, in connected cabinets too. */
  readonly coordinator: ShipmentCoordinator
  readonly noticeWays: NoticeWays
  readonly photoStore: PhotoStore
  /** Pages of print stations wait for jobs of their warehouse. */
  readonly printPolls: HeldPolls
}
