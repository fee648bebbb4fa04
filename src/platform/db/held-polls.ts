import { WakeSignal } from '../concurrency/wake-signal.ts'
import type { Listener } from './connection.ts'

/**
 * Polls that wait for a notification. They hold no connection of the database and no transaction.
 *
 * NOTIFY wakes the polls of the topic that its payload names. A look every few seconds, and one whenever the listening connection
 * is made again, finds what a lost notification announced. The topics look one slice after the other, so that their reads do not
 * come together. Listening begins with the first poll that waits.
 */
export interface HeldPolls {
  /**
   * To be entered before the first look, so that no event is missed in between, and left afterwards. Undefined where the holder
   * has `pollsMax` polls.
   */
  enter(topic: string, holder: string): HeldPoll | undefined
  /** Ends all polls, now and later. */
  stop(): Promise<void>
}

export interface HeldPoll {
  /** Begins a look, which deals with all signs of before it. */
  look(): void
  /** Resolves to true at the next sign since the look, or at the end of the poll; to false after the time. */
  wait(ms: number): Promise<boolean>
  /** Ends the poll: its caller is gone. */
  end(): void
  readonly isEnded: boolean
  leave(): void
}

/** Polls of one holder, such as a key: its program needs one, and one that hung up may be noticed late. */
export const pollsMax = 5
const lookEveryMs = 5_000
const slices = 20

export function openHeldPolls(
  db: Listener,
  channel: string,
  onError: (error: unknown) => void,
): HeldPolls {
  const polls = new Map<string, Set<Poll>>()
  const held = new Map<string, number>()
  let slice = 0
  let isStopped = false
  let listening: Promise<{ unlisten(): Promise<void> } | undefined> | undefined

  const wake = (topic: string) => {
    for (const poll of polls.get(topic) ?? []) poll.signal.set()
  }
  const wakeAll = () => {
    for (const topic of polls.keys()) wake(topic)
  }
  const timer = setInterval(() => {
    if (polls.size > 0) listen()
    for (const topic of [...polls.keys()].filter((_, index) => index % slices === slice))
      wake(topic)
    slice = (slice + 1) % slices
  }, lookEveryMs / slices)
  timer.unref()

  function listen(): void {
    listening ??= db.listen(channel, wake, wakeAll).catch((error: unknown) => {
      onError(error)
      listening = undefined
      return undefined
    })
  }

  function leave(topic: string, holder: string, poll: Poll): void {
    const ofTopic = polls.get(topic)
    if (!ofTopic?.delete(poll)) return
    if (ofTopic.size === 0) polls.delete(topic)
    const others = (held.get(holder) ?? 0) - 1
    if (others > 0) held.set(holder, others)
    else held.delete(holder)
  }

  return {
    enter(topic, holder) {
      const others = held.get(holder) ?? 0
      if (others >= pollsMax) return undefined
      held.set(holder, others + 1)
      const poll = new Poll(() => leave(topic, holder, poll))
      if (isStopped) poll.end()
      else listen()
      polls.set(topic, (polls.get(topic) ?? new Set()).add(poll))
      return poll
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      for (const poll of [...polls.values()].flatMap((ofTopic) => [...ofTopic])) poll.end()
      await (await listening)?.unlisten().catch(() => {})
    },
  }
}

class Poll implements HeldPoll {
  readonly signal = new WakeSignal()
  readonly leave: () => void
  isEnded = false

  constructor(leave: () => void) {
    this.leave = leave
  }

  look(): void {
    if (!this.isEnded) this.signal.reset()
  }

  async wait(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const time = setTimeout(resolve, ms, false)
    const signalled = await Promise.race([this.signal.whenSet.then(() => true), promise])
    clearTimeout(time)
    return signalled
  }

  end(): void {
    this.isEnded = true
    this.signal.set()
  }
}
