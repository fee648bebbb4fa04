import assert from 'node:assert/strict'
import type { Random } from '../../src/platform/kernel/random.ts'
import type { Answer, Call } from '../support/client.ts'

/** A handheld that now and then queues its scans, and a manager who decides on those that came too late. */

/** Sent at once, queued, or queued by a user who has left. */
type Way = 'online' | 'queued' | 'left'

type Send = (path: string, call?: Call) => Promise<Answer>

export interface Queueing {
  readonly random: Random
  readonly worker: Send
  readonly manager: Send
  /** The login of a user who has left: nothing is done in this name before a manager accepts it. */
  readonly former: string
  /** Whether one action runs at a time: a manager then gets the refusal that the worker got. */
  readonly alone: () => boolean
}

const scans =
  /^\/(receipts|picking-tasks|shipments|returns|counts|locations)\/([^/]+\/)?(scans|picks|checks|put|take|move)$/
/** A claim lets its own user pick and no manager. */
const ofClaims = /picks$/

/** Sends what a worker does. The answer is as if nothing had been queued. */
export function queueing({ random, worker, manager, former, alone }: Queueing): Send {
  // Equal scans at once are queued alike, so that at most one of them is the first to be done.
  const ways = new Map<string, Way>()
  const wayOf = (path: string, call: Call): Way => {
    const name = `${path} ${Object(call.body).scan_id}`
    const draw = random.next()
    const drawn = draw < 0.8 ? 'online' : draw < 0.9 || ofClaims.test(path) ? 'queued' : 'left'
    const way = ways.get(name) ?? drawn
    ways.set(name, way)
    return way
  }
  return async (path, call) => {
    if (call?.method !== 'POST' || !scans.test(path)) return worker(path, call)
    const way = wayOf(path, call)
    if (way === 'online') return worker(path, call)
    const left = way === 'left'
    const queued = { queued_at: '2026-11-20T09:00:00Z', ...(left ? { queued_by: former } : {}) }
    const kept = await worker(path, { ...call, body: { ...Object(call.body), ...queued } })
    if (kept.status !== 202) return kept
    // A manager who has taken the task over would pick what the worker may not.
    const mayAccept = left || (alone() && !ofClaims.test(path))
    const accepted = mayAccept ? await decide(kept, 'accepted') : undefined
    if (accepted?.status === 200) return withoutRepeat(await worker(path, call))
    await decide(kept, 'dismissed')
    return worker(path, call)
  }

  async function decide(kept: Answer, decision: 'accepted' | 'dismissed'): Promise<Answer> {
    const { id } = kept.body as { id: string }
    const body = { decision, comment: 'Проверено' }
    const answer = await manager(`/exceptions/${id}/resolve`, { method: 'POST', body })
    assert.ok([200, 409].includes(answer.status), answer.text)
    return answer
  }
}

/** The scan was done when it was accepted, and this answer repeats it. */
function withoutRepeat(answer: Answer): Answer {
  assert.equal(answer.status, 200, answer.text)
  const { repeated } = answer.body as { repeated?: boolean }
  if (repeated !== undefined) assert.equal(repeated, true, 'an accepted scan was done')
  return { ...answer, body: { ...Object(answer.body), ...(repeated && { repeated: false }) } }
}
