import type { FastifyRequest } from 'fastify'
import type { ClientTurns } from '../../identity/keys/client-turns.ts'
import type { Database } from '../../platform/db/connection.ts'
import type { TransactionMode } from '../../platform/db/transaction.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Requester } from '../../warehouse/journal/receipt-journal.ts'
import { callerOf } from './gate.ts'

/**
 * Changes that a seller makes, by a program or in the account. The gate of the account gives its requests a witness:
 * it lets only open sessions change something, and writes who changed what.
 */
export interface ChangeWitness {
  /** In the transaction of the change, before it. Throws unauthorized where the session has ended. */
  admit(work: Work): Promise<void>
  /** In the same transaction, after the change. */
  record(work: Work, made: MadeChange): Promise<void>
}

/** What a change did, for the journal. It holds no secrets. */
export interface MadeChange {
  readonly objectId?: string | undefined
  readonly before?: unknown
  readonly after?: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    witness?: ChangeWitness
  }
}

export interface ChangeDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly turns: ClientTurns
}

/** Runs verbs in one transaction as the caller of the request, in the turn of the client. */
export function performAs<T>(
  { db, clock, turns }: ChangeDependencies,
  request: FastifyRequest,
  verbs: (work: Work, mode: TransactionMode) => Promise<T>,
  describe: (result: T) => MadeChange,
): Promise<T> {
  const caller = callerOf(request)
  const verbsOfCaller = (mode: TransactionMode) => async (work: Work) => {
    await request.witness?.admit(work)
    const result = await verbs(work, mode)
    await request.witness?.record(work, describe(result))
    return result
  }
  return turns.of(caller)((mode) => perform(db, clock, caller.actor, verbsOfCaller(mode), mode))
}

/** Who announces a receipt. */
export function requesterOn(request: FastifyRequest): Requester {
  const { clientId, actor } = callerOf(request)
  const origin = { clientId, requestId: request.id }
  return actor.kind === 'key'
    ? { ...origin, keyId: actor.keyId }
    : { ...origin, userId: actor.userId }
}
