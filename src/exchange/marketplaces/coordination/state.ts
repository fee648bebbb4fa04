/**
 * The states of a remote command and every transition between them. The writers of `remote_commands`
 * take from here the states that they may leave, so no other transition is possible.
 *
 *   (new) -----> requested
 *   requested --attempt---> requested   the marketplace may know of the command from here on
 *   requested --complete--> done        both sides carried it out
 *   requested --refuse----> refused     one side refused it, or the marketplace never carried it out
 *   refused ----complete--> done        a result arrives after a sync run gave the command up
 *   done -------withdraw--> refused     creations only: the marketplace no longer has the shipment
 *   (new) -----> done                   a hand-over or cancellation of this side alone, for managers to see
 *
 * A command is open while it is requested. An open command whose outcome is unknown stays requested
 * until a sync run asks the marketplace (resume.ts). How long that takes is not bounded: a marketplace
 * that stays unreachable keeps its commands open.
 */
export type CommandState = 'requested' | 'done' | 'refused'

export type CommandEvent = 'attempt' | 'complete' | 'refuse' | 'withdraw'

interface Transition {
  readonly from: readonly CommandState[]
  readonly to: CommandState
}

const transitions: Readonly<Record<CommandEvent, Transition>> = {
  attempt: { from: ['requested'], to: 'requested' },
  complete: { from: ['requested', 'refused'], to: 'done' },
  refuse: { from: ['requested'], to: 'refused' },
  withdraw: { from: ['done'], to: 'refused' },
}

/** The transition of an event: a command in none of the states `from` stays as it is. */
export function transitionOf(event: CommandEvent): Transition {
  return transitions[event]
}
