import type { CellMark } from '../../platform/kernel/api-key.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import type { BucketRule } from '../../platform/kernel/token-bucket.ts'
import type { PhotoStore } from '../files/photo-bytes.ts'
import type { SellerDependencies } from '../public/v1/routes.ts'
import type { NoticeWays } from '../route/notices.ts'

/** The dependencies of the account: those of the public API, whose routes it mounts, and its own. */
export interface AccountDependencies extends SellerDependencies {
  readonly baseUrl: string
  /** Marks what is issued here. */
  readonly cell: CellMark
  /** Of each session. */
  readonly sessionBucket: BucketRule
  readonly noticeWays: NoticeWays
  readonly photoStore: PhotoStore
  /** Seals the secrets of one-time codes, and opens keys for their owners. */
  readonly box: SecretBox
}
