import type { ClientTurns } from '../../access/client-turns.ts'
import type { Database } from '../../db/connection.ts'
import type { CallJournal } from '../../journal/calls.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/cursor.ts'
import type { BucketRule } from '../../kernel/token-bucket.ts'
import type { SandboxReceivers } from '../../sandbox/receivers.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** The dependencies of the public API. */
export interface PublicDependencies {
  readonly db: Database
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
