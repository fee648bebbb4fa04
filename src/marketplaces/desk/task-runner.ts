import type { Database } from '../../db/connection.ts'
import { perform, type Work } from '../../db/work.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError, conflict } from '../../kernel/errors.ts'
import { MarketplaceError } from '../calls/failure.ts'
import type { Cabinet } from '../connection.ts'
import { askForRound } from '../rounds/rounds.ts'
import { type Guards, guardedBy } from './task-guard.ts'
import {
  askTask,
  type Completion,
  completeTask,
  noteTry,
  outcomeOf,
  refuseTask,
  strandedSeconds,
  type Task,
  type TaskDraft,
} from './tasks.ts'

/** How what is asked of a marketplace is carried out, one at a time and to an end that is written down. */
export interface TaskRunnerParts {
  readonly db: Database
  readonly guards: Guards
  readonly clock: Clock
}

/** Runs a verb in the caller's own kind of transaction, with what else belongs into it. */
export type Run<Result, Answer> = (verb: (work: Work) => Promise<Result>) => Promise<Answer>

interface BothSides<Result, A> {
  readonly verb: (work: Work) => Promise<Result>
  readonly run: Run<Result, A>
  readonly ask: () => Promise<Completion>
}

export type TaskRunner = ReturnType<typeof openTaskRunner>

export function openTaskRunner({ db, guards, clock }: TaskRunnerParts) {
  /**
   * Writes the task down and, once nobody else is at the shipment, does what it asks, or what is left
   * to do where somebody has done it meanwhile. A refusal, here or there, ends it, unless an earlier
   * try may have done it after all.
   */
  async function doing<Draft extends TaskDraft, A>(
    cabinet: Cabinet,
    actor: string,
    draft: Draft,
    acts: {
      readonly act: (task: Task<Draft>, again: boolean) => Promise<A>
      readonly done: (shipmentId: string) => Promise<A>
    },
  ): Promise<A> {
    const task = await perform(db, clock, actor, (work) => askTask(work, cabinet, draft))
    return guards.holding(guardedBy(task), async () => {
      const { state, tried, shipmentId, message } = await outcomeOf(db, task)
      if (state === 'done') return acts.done(shipmentId ?? '')
      if (state === 'refused') throw conflict(message ?? 'Маркетплейс отказал')
      await noteTry(db, task)
      return settle(task, tried, () => acts.act(task, tried))
    })
  }

  async function settle<A>(task: Task, tried: boolean, act: () => Promise<A>): Promise<A> {
    try {
      return await act()
    } catch (error) {
      await perform(db, clock, task.actor, async (work) => {
        if (isRefusal(error) && !tried) await refuseTask(work, task, (error as Error).message)
        // What came of it, a round learns.
        else await askForRound(work.tx, task.clientId, task.cabinetId, strandedSeconds * 1000)
      })
      throw shownToStaff(error)
    }
  }

  /** Whether we would agree: the verb runs and is undone, so that the marketplace is not asked in vain. */
  async function tryOut(actor: string, verb: (work: Work) => Promise<unknown>): Promise<void> {
    const undone = new Error('it would go')
    const trial = perform(db, clock, actor, async (work) => {
      await verb(work)
      throw undone
    })
    await trial.catch((error: unknown) => {
      if (error !== undone) throw error
    })
  }

  /**
   * What both sides have to do to a shipment: the verb is tried out here, asked for there, and done
   * here. What `ask` answers is noted with the task.
   */
  function onBothSides<Result, A>(
    cabinet: Cabinet,
    actor: string,
    draft: TaskDraft,
    { verb, run, ask }: BothSides<Result, A>,
  ): Promise<A> {
    return doing(cabinet, actor, draft, {
      done: () => run(verb),
      async act(task) {
        await tryOut(actor, verb)
        const completion = await ask()
        return afterwards(
          run(async (work) => {
            const result = await verb(work)
            await completeTask(work, task, completion)
            return result
          }),
        )
      },
    })
  }

  return { doing, onBothSides }
}

/** Done there, and no longer possible here: closing the shipment deals with what is too much there. */
export function doneThereOnly(reason: string): string {
  return `На маркетплейсе выполнено, здесь нет: ${reason}`
}

/** What is done here once the marketplace has done its part; a refusal says that it has. */
async function afterwards<T>(done: Promise<T>): Promise<T> {
  return done.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, doneThereOnly(error.message), { cause: error })
  })
}

/** A marketplace's failure as a worker reads it. */
export async function asked<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw shownToStaff(error)
  }
}

/** Certainly nothing came of it. An answer that can't be read may have done what was asked. */
function isRefusal(error: unknown): boolean {
  if (error instanceof MarketplaceError) {
    return !error.perhapsDone && (error.kind === 'rejected' || error.kind === 'credentials')
  }
  return error instanceof ApiError
}

/** What a worker reads of a marketplace's failure. */
function shownToStaff(error: unknown): unknown {
  if (!(error instanceof MarketplaceError)) return error
  const code = error.kind === 'rejected' ? 'conflict' : 'marketplace_unavailable'
  return new ApiError(code, error.message, { cause: error })
}
