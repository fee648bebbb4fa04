import type { FakeAccount } from '../fake.ts'
import type { KnownRequest } from './format.ts'

/**
 * What a stand-in is asked to show one known answer: arranges its state and returns the request.
 * Without a path the request goes to the path of the known call.
 */
export type Turn<Stage> = (stage: Stage) => KnownRequest | Promise<KnownRequest>

export interface Turns<Stage> {
  /** Answered as the known successes. */
  readonly works: Turn<Stage>
  /** Refused as the known case of that name. */
  readonly refusals?: Readonly<Record<string, Turn<Stage>>>
}

export type TurnsByCall<Stage> = Readonly<Record<string, Turns<Stage>>>

export interface Staged<FakeOfMarketplace, Name extends 'WB' | 'OZON'> {
  readonly fake: FakeOfMarketplace
  readonly account: FakeAccount<Name>
  /** A POST before the one that counts; returns the answer. */
  ask(path: string, body: unknown): Promise<unknown>
}
