import type { Database } from '../../../platform/db/connection.ts'
import { perform, type Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import type { Cabinet } from '../connecting/connected-cabinet.ts'
import { requestSyncRun } from '../connecting/sync-requests.ts'
import type { RefusedOrder } from '../connector.ts'
import type { AdvisoryLocks } from './advisory-locks.ts'
import {
  type CommandResult,
  completeCommand,
  recordAttempt,
  refuseCommand,
} from './command-progress.ts'
import { progressOf, strandedSeconds } from './command-queries.ts'
import { type CommandDraft, lockKeyOf, type RemoteCommand } from './remote-command.ts'
import { requestCommand } from './request-command.ts'
import { didNothing, markDoneRemotely, shownToStaff } from './staff-errors.ts'

export interface CommandRunnerParts {
  readonly db: Database
  readonly locks: AdvisoryLocks
  readonly clock: Clock
}

/** Runs a verb in a transaction of the caller's, together with what else the caller writes in it. */
export type RunVerb<Result, Answer> = (verb: (work: Work) => Promise<Result>) => Promise<Answer>

interface Steps<Draft extends CommandDraft, Answer> {
  /** Carries the command out; `again`: an earlier attempt may have done so at the marketplace. */
  readonly act: (command: RemoteCommand<Draft>, again: boolean) => Promise<Answer>
  /** Answers for a command that somebody else has completed meanwhile. */
  readonly done: (shipmentId: string, refused: readonly RefusedOrder[]) => Promise<Answer>
}

interface BothSides<Result, Answer> {
  /** `refused`: orders that the marketplace refused. */
  readonly verb: (work: Work, refused: readonly RefusedOrder[]) => Promise<Result>
  readonly run: RunVerb<Result, Answer>
  /** Calls the marketplace. */
  readonly call: () => Promise<CommandResult>
}

/**
 * Carries out remote commands, one at a time for each shipment. No transaction is open while the
 * marketplace is called. A failure that certainly had no effect refuses the command; where the outcome
 * is unknown the command stays open, and a sync run is requested that finds it out (resume.ts).
 */
export class CommandRunner {
  readonly #db: Database
  readonly #locks: AdvisoryLocks
  readonly #clock: Clock

  constructor({ db, locks, clock }: CommandRunnerParts) {
    this.#db = db
    this.#locks = locks
    this.#clock = clock
  }

  /** Records the command, waits for the lock of its shipment, and runs the steps that are left. */
  async run<Draft extends CommandDraft, Answer>(
    cabinet: Cabinet,
    actor: Actor,
    draft: Draft,
    { act, done }: Steps<Draft, Answer>,
  ): Promise<Answer> {
    const command = await this.#perform(actor, (work) => requestCommand(work, cabinet, draft))
    return this.#locks.withLock(lockKeyOf(command), async () => {
      const { state, attempted, shipmentId, message, refused } = await progressOf(this.#db, command)
      if (state === 'done') return done(shipmentId ?? '', refused)
      if (state === 'refused') throw conflict(message ?? 'Маркетплейс отказал')
      await recordAttempt(this.#db, command)
      return this.#settle(command, attempted, () => act(command, attempted))
    })
  }

  /**
   * Changes a shipment on both sides: the verb runs here and is rolled back, the marketplace is called,
   * and the verb runs again together with the completion of the command.
   */
  runOnBothSides<Result, Answer>(
    cabinet: Cabinet,
    actor: Actor,
    draft: CommandDraft,
    { verb, run, call }: BothSides<Result, Answer>,
  ): Promise<Answer> {
    return this.run(cabinet, actor, draft, {
      done: (_, refused) => run((work) => verb(work, refused)),
      act: async (command) => {
        await this.rehearse(actor, (work) => verb(work, []))
        const result = await call()
        return markDoneRemotely(
          run(async (work) => {
            const answer = await verb(work, result.refused ?? [])
            await completeCommand(work, command, result)
            return answer
          }),
        )
      },
    })
  }

  /** Throws what the verb throws, so that the marketplace is not called in vain; changes nothing. */
  async rehearse(actor: Actor, verb: (work: Work) => Promise<unknown>): Promise<void> {
    const rollback = new Error('the rehearsal is rolled back')
    const rehearsal = this.#perform(actor, async (work) => {
      await verb(work)
      throw rollback
    })
    await rehearsal.catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  }

  async #settle<Answer>(
    command: RemoteCommand,
    attemptedBefore: boolean,
    act: () => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await act()
    } catch (error) {
      const { clientId, cabinetId } = command
      await this.#perform(command.actor, async (work) => {
        // A refusal says nothing about an earlier attempt, which may have succeeded.
        if (didNothing(error) && !attemptedBefore) await refuseCommand(work, command, error.message)
        else await requestSyncRun(work.tx, clientId, cabinetId, strandedSeconds * 1000)
      })
      throw shownToStaff(error)
    }
  }

  #perform<T>(actor: Actor, verb: (work: Work) => Promise<T>): Promise<T> {
    return perform(this.#db, this.#clock, actor, verb)
  }
}
