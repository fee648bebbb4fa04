/**
 * Keeps calls within a marketplace's limits. Each account has a bucket of calls in the database
 * (account-buckets.ts), shared by all processes.
 *
 * - A call reserves a place in the bucket and learns how long to wait for it. It waits in its own
 *   process and holds no connection and no lock meanwhile.
 * - Calls of an account start in the order in which they reserved. Accounts do not wait for each
 *   other.
 * - Calls of a part may have to start some time apart: then the part has a bucket of its own, too.
 * - A call never waits longer than `waitMsMax` for a place: it fails at once and takes nothing.
 *
 * Where the marketplace's headers say that no call is left, the next one waits a second or as long as they say, because
 * others may use the account too. After a refused call, which may cost more than we think, no more calls follow at once
 * than they name. Other numbers in the headers are ignored: they do not say which bucket they count (the account's or a
 * host's), or which calls in flight. If our count is wrong, a 429 corrects it.
 */
export interface LimitRule {
  /** Calls at once from a full bucket. */
  readonly burst: number
  /** The bucket regains one call every so many milliseconds. */
  readonly intervalMs: number
}

export interface Limits {
  /**
   * Resolves when a call that takes `cost` places (1 by default) may start. `part` names a part of
   * the account's calls that can be held separately; its calls start at least `apartMs` apart.
   *
   * @throws AccountHeld at once, and takes nothing, if the wait would exceed `waitMsMax`
   */
  take(account: string, cost?: number, part?: string, apartMs?: number): Promise<void>
  /** Takes calls that the marketplace charges for a refusal. */
  charge(account: string, calls: number): Promise<void>
  /** Lets no more than so many calls follow at once; the others at the usual intervals. */
  leave(account: string, calls: number): Promise<void>
  /** Stops the calls of the account, or of the part, for so many milliseconds; an hour at most. */
  hold(accountOrPart: string, ms: number): Promise<void>
  /**
   * Stops the calls of the part. The account is stopped, too, where another part of it is stopped
   * already: then the marketplace limits more than one kind of call.
   */
  holdPart(account: string, part: string, ms: number): Promise<void>
}

export const waitMsMax = 60_000
/** Longer waits that a marketplace asks for are cut. */
export const holdMsMax = 3_600_000

/** The account has no place for the call within `waitMsMax`. */
export class AccountHeld extends Error {
  override readonly name = 'AccountHeld'
}

/** Stores buckets. Each method is atomic. */
export interface Buckets {
  /**
   * Takes a place and returns the milliseconds until it; undefined, and takes none, beyond
   * `waitMsMax`. `rule` is that of a part; by default that of the accounts.
   */
  reserve(accountOrPart: string, cost: number, rule?: LimitRule): Promise<number | undefined>
  /** Milliseconds until the hold ends; 0 if there is none. */
  heldMs(accountOrPart: string): Promise<number>
  charge(account: string, calls: number): Promise<void>
  leave(account: string, calls: number): Promise<void>
  hold(accountOrPart: string, ms: number): Promise<void>
  /** Whether a part of the account other than this one is held. Parts begin with the account's name. */
  isOtherPartHeld(account: string, part: string): Promise<boolean>
}

export interface Time {
  wait(ms: number): Promise<void>
}

export const realTime: Time = {
  // A call that waits for its place keeps no process alive that has stopped: nobody takes its answer any more.
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
}

export function limitsOf(buckets: Buckets, { wait }: Time): Limits {
  async function waitForPart(part: string): Promise<void> {
    for (;;) {
      const waitMs = await buckets.heldMs(part)
      if (waitMs <= 0) return
      if (waitMs > waitMsMax) throw new AccountHeld()
      await wait(waitMs)
    }
  }

  async function waitForTurn(part: string, apartMs: number): Promise<void> {
    const waitMs = await buckets.reserve(part, 1, { burst: 1, intervalMs: apartMs })
    if (waitMs === undefined) throw new AccountHeld()
    if (waitMs > 0) await wait(waitMs)
  }

  const hold = (name: string, ms: number) => buckets.hold(name, Math.min(ms, holdMsMax))

  return {
    async take(account, cost = 1, part, apartMs = 0) {
      if (part !== undefined && apartMs > 0) {
        // Calls that wait out a hold of the account would start together after it.
        await waitForPart(account)
        await waitForTurn(part, apartMs)
      }
      for (;;) {
        if (part !== undefined) await waitForPart(part)
        const waitMs = await buckets.reserve(account, cost)
        if (waitMs === undefined) throw new AccountHeld()
        if (waitMs <= 0) return
        await wait(waitMs)
        // Another call may have been refused meanwhile. A hold voids the place: reserve another
        // one.
        const held = [account, ...(part === undefined ? [] : [part])].map(buckets.heldMs)
        if ((await Promise.all(held)).every((ms) => ms <= 0)) return
      }
    },
    charge: buckets.charge,
    leave: buckets.leave,
    hold,
    async holdPart(account, part, ms) {
      const limitsMore = await buckets.isOtherPartHeld(account, part)
      await hold(part, ms)
      if (limitsMore) await hold(account, ms)
    },
  }
}
