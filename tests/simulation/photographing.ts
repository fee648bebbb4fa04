import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer } from '../support/client.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import type { Client } from './model.ts'
import { type Actor, note, some } from './world.ts'

interface Photo {
  readonly id: string
}

/** A worker photographs an order or a return; the queue of the device repeats, and now and then a manager removes it. */
export async function photograph(actor: Actor, client: Client): Promise<void> {
  const { world, random, newName } = actor
  const objects = [
    ...[...client.orders.values()].map(({ id }) => `/orders/${id}`),
    ...[...client.returns.values()].map(({ id }) => `/returns/${id}`),
  ]
  const object = some(random, objects)
  if (object === undefined) return
  const name = newName('photo')
  const path = `${object}/photos/${randomUUID()}`
  const bytes = fakePhoto(name)
  const times = random.next() < 0.4 ? 3 : 1
  const sent = await Promise.all(Array.from({ length: times }, () => send(path)))
  note(world, `photograph ${object} ${name}`, sent)
  const ids = new Set(sent.map(({ body }) => (body as Photo).id))
  assert.equal(ids.size, 1, path)
  const kept = await world.worker(`${object}/photos`)
  const { items } = kept.body as { items: readonly Photo[] }
  assert.equal(items.filter((photo) => ids.has(photo.id)).length, 1, path)
  if (random.next() < 0.3) {
    const removed = await world.manager(path, { method: 'DELETE' })
    assert.equal(removed.status, 204, removed.text)
  }

  /** As a device does, again where the service takes others. */
  async function send(to: string): Promise<Answer> {
    for (;;) {
      const answer = await world.worker(to, { method: 'PUT', body: bytes })
      if (answer.status === 503) continue
      assert.equal(answer.status, 200, answer.text)
      return answer
    }
  }
}
