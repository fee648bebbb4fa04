import type { ClaimedLetter, LetterNotice, LetterOutcome } from './letters.ts'
import type { PersonRow } from './people.ts'

/** What a channel gets to send. */
export interface Letter {
  readonly claimed: ClaimedLetter
  readonly person: PersonRow
  readonly notices: readonly LetterNotice[]
  /** The user has several clients: each line says whose it is. */
  readonly namesClients: boolean
}

/** A way to a user. It sends once, within half a minute, and never throws for what the other side does. */
export interface Channel {
  send(letter: Letter): Promise<LetterOutcome>
}
