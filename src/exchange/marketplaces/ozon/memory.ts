import type { Instant } from '../../../platform/kernel/moscow-time.ts'

/**
 * What all OZON connectors of a process remember between calls: printing tasks that are under way,
 * and calls that OZON has withdrawn, which are never tried again. It ends with the process, after
 * which a task is started anew and a withdrawn call is tried once.
 */
export interface OzonMemory {
  /** The task that prints the label of a posting, while OZON may still be at it. */
  labelTask(account: string, number: string, now: Instant): LabelTask | undefined
  keepLabelTask(account: string, number: string, task: LabelTask): void
  dropLabelTask(account: string, number: string): void
  isWithdrawn(path: string): boolean
  noteWithdrawn(path: string): void
}

export interface LabelTask {
  readonly id: string
  readonly startedAt: Instant
}

/** OZON prints a label within a minute; a task that is older has failed. */
const taskAgeMsMax = 10 * 60_000
const tasksMax = 10_000

/** `report` gets the path of a withdrawn call, once. */
export function openOzonMemory(report: (path: string) => void = () => {}): OzonMemory {
  const tasks = new Map<string, LabelTask>()
  const withdrawn = new Set<string>()
  const keyOf = (account: string, number: string) => `${account} ${number}`
  return {
    labelTask(account, number, now) {
      const task = tasks.get(keyOf(account, number))
      return task !== undefined && now - task.startedAt < taskAgeMsMax ? task : undefined
    },
    keepLabelTask(account, number, task) {
      const [oldest] = tasks.keys()
      if (tasks.size >= tasksMax && oldest !== undefined) tasks.delete(oldest)
      tasks.set(keyOf(account, number), task)
    },
    dropLabelTask: (account, number) => void tasks.delete(keyOf(account, number)),
    isWithdrawn: (path) => withdrawn.has(path),
    noteWithdrawn(path) {
      if (withdrawn.has(path)) return
      withdrawn.add(path)
      report(path)
    },
  }
}
