import type { QueuedCall } from '../queue/queue.ts'
import type { Outcome } from './signal.ts'

/** What a task makes of a scanned code. */
export type Verdict =
  | Counts
  | WrongItem
  /** Nothing is counted: a place was chosen, or something else must be scanned first. */
  | { readonly kind: 'note'; readonly outcome: Outcome; readonly sentence: string }
  /** The page has taken the code itself, such as to ask something. */
  | { readonly kind: 'taken'; readonly outcome: Outcome }

/** Says something without counting; `surplus` where something else must come first. */
export function note(sentence: string, outcome: 'good' | 'surplus' = 'good') {
  return { kind: 'note', outcome, sentence } as const
}

/** The scan counts: its call is queued, and the task shows its effect at once. */
export interface Counts {
  readonly kind: 'counts'
  readonly call: QueuedCall
  readonly effect: unknown
  readonly outcome: Outcome
  /** Shown large: how many there are now. */
  readonly figure?: number
  /** Of how many; left out where there is no such number. */
  readonly of?: number
  /** One sentence, readable from two metres. */
  readonly sentence: string
  /** What was scanned, for the list of scans that wait; by default what undo names, or the sentence. */
  readonly title?: string
  /** A better text, once the service has answered: with the name of the goods, for example. */
  readonly whenAnswered?: (answer: unknown) => Answered
  /** Undoing it; left out where the service has no such verb. */
  readonly undo?: Undo
  /** What follows by itself, such as the print of a sticker; queued behind the scan. */
  readonly followUps?: (scanId: string) => readonly QueuedCall[]
}

/** A wrong item: the screen locks until the worker has read the sentence. */
export interface WrongItem {
  readonly kind: 'wrong'
  readonly sentence: string
  readonly stray?: Stray
}

/** What was scanned belongs elsewhere: the warehouse may know its name. */
export interface Stray {
  readonly code: string
  /** Whose goods the task handles; undefined where it is anybody's. */
  readonly clientId?: string | undefined
  /** Said after the name: why not. */
  readonly reason: string
  /** What to do with goods; a place or a label needs nothing done. */
  readonly action?: string
}

export interface Answered {
  readonly sentence: string
  /** What undoing it would undo. */
  readonly name: string
}

export interface Undo {
  /** The undo call of the scan with this id. */
  readonly call: (scanId: string) => QueuedCall
  /** Only once it is certain that the scan was done. */
  readonly onlyWhenDone?: boolean
  /** What is undone, such as «Чай зелёный». */
  readonly name: string
  /** How many there are afterwards, to be said after the undo; undefined where nobody knows. */
  readonly figureAfter: number | undefined
}

/** What the screen says at the moment. */
export interface Shown {
  readonly outcome: Outcome | 'undone'
  readonly figure?: number | undefined
  readonly of?: number | undefined
  readonly sentence: string
}
