import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CommandEvent,
  type CommandState,
  commandEvents,
  commandStates,
  nextCommandState,
  transitionOf,
} from './state.ts'

/** The state after each event in each state; null: the event is not allowed. */
const expected: Readonly<
  Record<CommandState, Readonly<Record<CommandEvent, CommandState | null>>>
> = {
  requested: { attempt: 'requested', complete: 'done', refuse: 'refused', withdraw: null },
  done: { attempt: null, complete: null, refuse: null, withdraw: 'refused' },
  refused: { attempt: null, complete: 'done', refuse: null, withdraw: null },
}

for (const state of commandStates) {
  for (const event of commandEvents) {
    const next = expected[state][event]
    test(`a ${state} command ${next === null ? 'forbids' : 'allows'} "${event}"`, () => {
      assert.equal(nextCommandState(state, event) ?? null, next)
      assert.equal(transitionOf(event).from.includes(state), next !== null)
    })
  }
}

test('the tables list every state and every event', () => {
  assert.deepEqual([...commandStates].sort(), Object.keys(expected).sort())
  for (const row of Object.values(expected)) {
    assert.deepEqual(Object.keys(row).sort(), [...commandEvents].sort())
  }
})
