import type { Marketplace } from '../clients/marketplace.ts'
import type { Database } from '../db/connection.ts'
import { perform, type Work } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, conflict } from '../kernel/errors.ts'
import type { Cabinet } from './connection.ts'
import { MarketplaceError } from './failure.ts'
import { askForRound } from './rounds.ts'
import { holdingTask } from './task-guard.ts'
import {
  askTask,
  outcomeOf,
  refuseTask,
  strandedSeconds,
  type Task,
  type TaskDraft,
} from './tasks.ts'
import { openTurns, type Turns } from './turns.ts'

/** How what is asked of a marketplace is carried out, one at a time and to an end that is written down. */
export interface TaskRunnerParts {
  readonly db: Database
  readonly clock: Clock
  /** Of each marketplace: whoever asks it holds a connection meanwhile, and others need some too. */
  readonly atOnceMax: number
}

export type TaskRunner = ReturnType<typeof openTaskRunner>

export function openTaskRunner({ db, clock, atOnceMax }: TaskRunnerParts) {
  const turns: Readonly<Record<Marketplace, Turns>> = {
    WB: openTurns(atOnceMax),
    OZON: openTurns(atOnceMax),
  }

  /**
   * Writes the task down and, once nobody else is at it, does what it asks, or what is left to do
   * where somebody has done it meanwhile. A refusal, here or there, ends it.
   */
  function doing<Draft extends TaskDraft, A>(
    cabinet: Cabinet,
    actor: string,
    draft: Draft,
    acts: {
      readonly act: (task: Task<Draft>, again: boolean) => Promise<A>
      readonly done: (shipmentId: string) => Promise<A>
    },
  ): Promise<A> {
    return turns[cabinet.marketplace](cabinet.clientId, async () => {
      const { task, again } = await perform(db, clock, actor, (work) =>
        askTask(work, cabinet, draft),
      )
      return holdingTask(db, task, async () => {
        const { state, shipmentId, message } = await outcomeOf(db, task)
        if (state === 'done') return acts.done(shipmentId ?? '')
        if (state === 'refused') throw conflict(message ?? 'Маркетплейс отказал')
        return settle(task, () => acts.act(task, again))
      })
    })
  }

  async function settle<A>(task: Task, act: () => Promise<A>): Promise<A> {
    try {
      return await act()
    } catch (error) {
      await perform(db, clock, task.actor, async (work) => {
        if (isRefusal(error)) await refuseTask(work, task, (error as Error).message)
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

  return { doing, tryOut }
}

/** A marketplace's failure as a worker reads it. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw shownToStaff(error)
  }
}

/** Certainly nothing came of it. An answer that can't be read may have done what was asked. */
function isRefusal(error: unknown): boolean {
  if (error instanceof MarketplaceError) {
    return error.kind === 'rejected' || error.kind === 'credentials'
  }
  return error instanceof ApiError
}

/** What a worker reads of a marketplace's failure. */
function shownToStaff(error: unknown): unknown {
  if (!(error instanceof MarketplaceError)) return error
  const code = error.kind === 'rejected' ? 'conflict' : 'marketplace_unavailable'
  return new ApiError(code, error.message, { cause: error })
}
