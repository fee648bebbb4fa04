import type { ClientTurns } from '../../identity/keys/client-turns.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { Reports } from '../../platform/db/reports.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Cursors } from '../../platform/kernel/cursor.ts'
import type { BucketRule } from '../../platform/kernel/token-bucket.ts'
import type { SandboxReceivers } from '../../sandbox/receivers.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { CallJournal } from '../../warehouse/journal/calls.ts'

/** The dependencies of the public API. */
export interface PublicDependencies {
  readonly db: Database
  readonly reports: Reports
  readonly clock: Clock
  readonly turns: ClientTurns
  readonly cursors: Cursors
  readonly calls: CallJournal
  readonly sandbox: Sandbox
  readonly receivers: SandboxReceivers
  readonly sandboxKeyBucket: BucketRule
  /** Address of the API reference; the answer with a new sandbox key has it. */
  readonly docsUrl: string
}
