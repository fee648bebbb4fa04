/**
 * Turns: actions of one key run one after the other, in the order in which they came. Actions of different keys run in parallel, at
 * most `atOnceMax`. An action that waits holds nothing: it takes a connection, and whatever else it needs, when it begins.
 *
 *   waits --its turn--> runs --> done
 *     |  ^---blocked-----'
 *     +--the time is over--> refused
 *
 * - Keys take turns: a key whose action has ended comes after the others that wait. An action that need not wait for others of a key
 *   gets a fresh symbol as its key.
 * - A call that names what it does (`as`) joins an action of its key that waits to do the same. It never joins one that has begun,
 *   so what it gets was done after it asked.
 * - An action that another process blocks gives its place to other keys, and is tried again.
 * - An action that waits for longer than `patienceMs`, or behind too many of its key, is refused. It has had no effect.
 */
export interface TurnRules {
  /** How many actions run at once, of all keys. */
  readonly atOnceMax: number
  /** How many of them may be long. Short actions pass long ones that wait. */
  readonly longAtOnceMax?: number
  /** How many actions of one key may wait. */
  readonly waitingMax: number
  readonly patienceMs: number
  /** The error of a refused call. */
  readonly refusal: () => Error
  /** Whether an action that threw this is to be tried again; it had no effect. */
  readonly isBlocked?: (error: unknown) => boolean
}

export interface TurnOptions {
  /** What the action does for its key, where calls may share one. */
  readonly as?: string
  readonly isLong?: boolean
}

type TurnKey = string | symbol

interface Turn {
  readonly key: TurnKey
  readonly as: string | undefined
  readonly isLong: boolean
  readonly deadline: number
  readonly timer: NodeJS.Timeout
  readonly action: () => Promise<unknown>
  readonly result: PromiseWithResolvers<unknown>
}

const pauseMs = 25

export class Turns {
  readonly #rules: Required<TurnRules>
  /** What waits, by key; keys without are absent. */
  readonly #waiting = new Map<TurnKey, Turn[]>()
  /** Keys whose first action may begin, in the order of their turns. */
  readonly #ready = new Set<TurnKey>()
  readonly #busy = new Set<TurnKey>()
  #running = 0
  #longRunning = 0

  constructor(rules: TurnRules) {
    this.#rules = { longAtOnceMax: rules.atOnceMax, isBlocked: () => false, ...rules }
  }

  /** Throws the refusal where there were too many before the action, or they took too long; it has had no effect then. */
  run<T>(
    key: TurnKey,
    action: () => Promise<T>,
    { as, isLong = false }: TurnOptions = {},
  ): Promise<T> {
    const waiting = this.#waiting.get(key) ?? []
    const same = as === undefined ? undefined : waiting.find((turn) => turn.as === as)
    if (same !== undefined) return same.result.promise as Promise<T>
    if (waiting.length >= this.#rules.waitingMax) return Promise.reject(this.#rules.refusal())
    const result = Promise.withResolvers<unknown>()
    const deadline = performance.now() + this.#rules.patienceMs
    const turn = this.#withTimer({ key, as, isLong, deadline, action, result })
    this.#waiting.set(key, [...waiting, turn])
    if (!this.#busy.has(key)) this.#ready.add(key)
    this.#begin()
    return result.promise as Promise<T>
  }

  #withTimer(given: Omit<Turn, 'timer'>): Turn {
    const timer = setTimeout(
      () => this.#giveUp(turn),
      Math.max(1, given.deadline - performance.now()),
    )
    const turn: Turn = { ...given, timer }
    return turn
  }

  /** Begins what may begin. */
  #begin(): void {
    for (const key of this.#ready) {
      if (this.#running >= this.#rules.atOnceMax) return
      const turn = this.#waiting.get(key)?.[0]
      if (turn === undefined) this.#ready.delete(key)
      else if (!turn.isLong || this.#longRunning < this.#rules.longAtOnceMax) this.#start(turn)
    }
  }

  #start(turn: Turn): void {
    const { key, isLong } = turn
    this.#ready.delete(key)
    this.#remove(turn)
    this.#busy.add(key)
    this.#running += 1
    if (isLong) this.#longRunning += 1
    void this.#settle(turn).then((isOver) => {
      this.#running -= 1
      if (isLong) this.#longRunning -= 1
      if (isOver) this.#leave(key)
      else setTimeout(() => this.#comeBack(turn), pauseMs * (1 + Math.random()))
      this.#begin()
    })
  }

  /** Runs the action. False where it was blocked and may be tried again. */
  async #settle({ action, deadline, result, timer }: Turn): Promise<boolean> {
    clearTimeout(timer)
    try {
      result.resolve(await action())
    } catch (error) {
      const isBlocked = this.#rules.isBlocked(error)
      if (isBlocked && performance.now() < deadline) return false
      result.reject(isBlocked ? this.#rules.refusal() : error)
    }
    return true
  }

  /** The key's turn is over. */
  #leave(key: TurnKey): void {
    this.#busy.delete(key)
    if (this.#waiting.has(key)) this.#ready.add(key)
  }

  #comeBack(turn: Turn): void {
    const { key } = turn
    const again = this.#withTimer({ ...turn, as: undefined })
    this.#waiting.set(key, [again, ...(this.#waiting.get(key) ?? [])])
    this.#leave(key)
    this.#begin()
  }

  #giveUp(turn: Turn): void {
    this.#remove(turn)
    turn.result.reject(this.#rules.refusal())
  }

  #remove(turn: Turn): void {
    const { key } = turn
    const others = (this.#waiting.get(key) ?? []).filter((each) => each !== turn)
    if (others.length > 0) this.#waiting.set(key, others)
    else this.#waiting.delete(key)
  }
}
