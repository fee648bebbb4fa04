import { hour, type Instant } from '../../../platform/kernel/moscow-time.ts'

/**
 * What all OZON connectors of a process remember between calls: printing tasks that are under way,
 * and calls that OZON has withdrawn. It ends with the process, after which a task is started anew
 * and a withdrawn call is tried once more.
 */
export interface OzonMemory {
  /** The task that prints the label of a posting, while OZON may still be at it. */
  labelTask(account: string, number: string, now: Instant): LabelTask | undefined
  keepLabelTask(account: string, number: string, task: LabelTask): void
  dropLabelTask(account: string, number: string): void
  /** Whether a call is not to be tried, because OZON withdrew it less than an hour ago. */
  isWithdrawn(path: string, now: Instant): boolean
  noteWithdrawn(path: string, now: Instant): void
}

export interface LabelTask {
  readonly id: string
  readonly startedAt: Instant
}

/** OZON prints a label within a minute; a task that is older has failed. */
const taskAgeMsMax = 10 * 60_000
const tasksMax = 10_000
const withdrawnForMs = hour

/** `report` gets the path of a withdrawn call, at most once an hour each. */
export function openOzonMemory(report: (path: string) => void = () => {}): OzonMemory {
  const tasks = new Map<string, LabelTask>()
  const withdrawnUntil = new Map<string, Instant>()
  const keyOf = (account: string, number: string) => `${account} ${number}`
  const isWithdrawn = (path: string, now: Instant) => (withdrawnUntil.get(path) ?? 0) > now
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
    isWithdrawn,
    noteWithdrawn(path, now) {
      if (isWithdrawn(path, now)) return
      withdrawnUntil.set(path, now + withdrawnForMs)
      report(path)
    },
  }
}
