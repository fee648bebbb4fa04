import assert from 'node:assert/strict'
import test from 'node:test'
import { Sightings } from './sightings.ts'

/** What counts of frames a tenth of a second apart; a dot shows no code. */
function counted(frames: string): string {
  const sightings = new Sightings()
  return [...frames]
    .map((frame, n) => sightings.see(frame === '.' ? undefined : frame, n * 100) ?? '')
    .join('')
}

test('a code that stays in view, trembling, counts once', () => {
  assert.equal(counted('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a')
  assert.equal(counted('aa....aa...a....aa'), 'a')
})

test('a code counts again when it was away, or after another', () => {
  assert.equal(counted('aa.............aa'), 'aa')
  assert.equal(counted('aabbaa'), 'aba')
})

test('one misread frame counts nothing', () => {
  assert.equal(counted('x.aaxaa'), 'a')
  assert.equal(counted('abababab'), '')
})
