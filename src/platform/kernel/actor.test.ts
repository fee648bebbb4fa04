import assert from 'node:assert/strict'
import test from 'node:test'
import { type Actor, actorText, parseActor } from './actor.ts'

const texts: readonly (readonly [Actor, string])[] = [
  [{ kind: 'key', keyId: '01' }, 'key:01'],
  [{ kind: 'staff', userId: '02' }, 'staff:02'],
  [{ kind: 'device', deviceId: '05' }, 'device:05'],
  [{ kind: 'sync', cabinetId: '03' }, 'marketplace:03'],
  [{ kind: 'robot' }, 'robot'],
  [{ kind: 'command-line' }, 'command-line'],
  [{ kind: 'service' }, 'service'],
]

test('each kind of actor has its own text and is parsed from it', () => {
  for (const [actor, text] of texts) {
    assert.equal(actorText(actor), text)
    assert.deepEqual(parseActor(text), actor)
  }
})

test('a text that names no actor is refused', () => {
  for (const text of ['', 'test', 'key', 'key:', 'staff:', 'robot:1', 'sync:03', ' robot']) {
    assert.throws(() => parseActor(text), /not an actor/, text)
  }
})
