import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandEvent, type CommandState, transitionOf } from './state.ts'

/** The state after each event in each state; null: the event is not allowed. */
const expected: Readonly<
  Record<CommandState, Readonly<Record<CommandEvent, CommandState | null>>>
> = {
  requested: { attempt: 'requested', complete: 'done', refuse: 'refused', withdraw: null },
  done: { attempt: null, complete: null, refuse: null, withdraw: 'refused' },
  refused: { attempt: null, complete: 'done', refuse: null, withdraw: null },
}

for (const [state, events] of Object.entries(expected)) {
  for (const [event, next] of Object.entries(events)) {
    test(`a ${state} command ${next === null ? 'forbids' : 'allows'} "${event}"`, () => {
      const { from, to } = transitionOf(event as CommandEvent)
      assert.equal(from.includes(state as CommandState) ? to : null, next)
    })
  }
}
