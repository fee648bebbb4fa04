/**
 * A marketplace's own limits, kept before they are hit: a bucket of calls an account. A call reserves its
 * place in the bucket, is told how far off that is, and waits in its process, holding nothing. Calls go in
 * the order in which they asked; accounts wait for their own bucket only. The buckets are in the database
 * (account-buckets.ts).
 *
 * How many calls are left, by the marketplace's own headers, is not read: they do not say of which
 * bucket they speak, the account's or that of one of its hosts, nor which calls on the way they count;
 * and each answer would cost one statement more. Where the books differ a 429 says so.
 */
export interface LimitRule {
  /** Calls at once from a full bucket. */
  readonly burst: number
  /** A call comes back every so many milliseconds. */
  readonly intervalMs: number
}

export interface Limits {
  /**
   * Resolves when a call may go that costs as much as so many, one unless told. It may be of a part of
   * the account's calls that is held by its own name.
   *
   * @throws AccountHeld at once, taking nothing, where that is more than `waitMsMax` off
   */
  take(account: string, cost?: number, part?: string): Promise<void>
  /** Takes calls away that the marketplace charges on top. */
  charge(account: string, calls: number): Promise<void>
  /** No call of the account, or of the part, goes within so many milliseconds; an hour at most. */
  hold(accountOrPart: string, ms: number): Promise<void>
}

/** A call that would have to wait for longer is given up: who asked is told, and asks again later. */
export const waitMsMax = 60_000
/** What a marketplace says of longer waits is not believed. */
const holdMsMax = 3_600_000

/** The account's next call is further off than anybody waits. */
export class AccountHeld extends Error {
  override readonly name = 'AccountHeld'
}

/** Where buckets are kept; each of these is one step that no other can come between. */
export interface Buckets {
  /** Takes a place and tells in how many milliseconds it is; undefined and none where it is too far off. */
  reserve(account: string, cost: number): Promise<number | undefined>
  /** For how many milliseconds yet no call may go, whatever place it has; 0 where any may. */
  heldMs(accountOrPart: string): Promise<number>
  charge(account: string, calls: number): Promise<void>
  hold(accountOrPart: string, ms: number): Promise<void>
}

export interface Time {
  wait(ms: number): Promise<void>
}

export const realTime: Time = {
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

export function limitsOf(buckets: Buckets, { wait }: Time): Limits {
  /** Resolves when the part is held no more. */
  async function release(part: string): Promise<void> {
    for (;;) {
      const waitMs = await buckets.heldMs(part)
      if (waitMs <= 0) return
      if (waitMs > waitMsMax) throw new AccountHeld()
      await wait(waitMs)
    }
  }

  return {
    async take(account, cost = 1, part) {
      for (;;) {
        if (part !== undefined) await release(part)
        const waitMs = await buckets.reserve(account, cost)
        if (waitMs === undefined) throw new AccountHeld()
        if (waitMs <= 0) return
        await wait(waitMs)
        // The marketplace may have told another call to wait meanwhile: then the place is void.
        const held = [account, ...(part === undefined ? [] : [part])].map(buckets.heldMs)
        if ((await Promise.all(held)).every((ms) => ms <= 0)) return
      }
    },
    charge: buckets.charge,
    hold: (name, ms) => buckets.hold(name, Math.min(ms, holdMsMax)),
  }
}
