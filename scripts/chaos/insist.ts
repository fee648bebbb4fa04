import { setTimeout as sleep } from 'node:timers/promises'

/** Callers that repeat what got no answer, as shops and handhelds do, and how long they had to. */

export type Json = Record<string, unknown>

export interface Caller {
  /** Repeats a call until the service has done it; bytes are a photo. Throws if the service refuses it, or does not come back. */
  insist(method: string, path: string, body?: unknown): Promise<Json>
}

/** What the service refused, and with which status. */
export class Refused extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** What all callers of a scene share. */
export interface Calls {
  readonly silence: Silence
  /** Aborted when nobody needs an answer any more. */
  readonly ended: AbortSignal
}

/** From one thing that the service did to the next, over all callers. */
export interface Silence {
  longestMs: number
  lastAt: number
}

const pauseMs = 100
const answerWithinMs = 20_000
const patienceMs = 180_000

export function callerOf(
  baseUrl: string,
  prefix: string,
  token: string,
  { silence, ended }: Calls,
): Caller {
  const once = async (method: string, path: string, body: unknown) => {
    const signal = AbortSignal.timeout(answerWithinMs)
    const isPhoto = body instanceof Uint8Array
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': isPhoto ? 'image/jpeg' : 'application/json',
    }
    const bytes = isPhoto ? new Uint8Array(body) : JSON.stringify(body)
    const sent = body === undefined ? {} : { body: bytes }
    const answer = await fetch(`${baseUrl}${prefix}${path}`, { method, headers, signal, ...sent })
    return { status: answer.status, body: (await answer.json()) as Json }
  }
  return {
    async insist(method, path, body) {
      const end = performance.now() + patienceMs
      const answers: string[] = []
      for (;;) {
        const answer = await once(method, path, body).catch(reasonOf)
        if (typeof answer !== 'string' && answer.status < 300) {
          note(silence)
          return answer.body
        }
        ended.throwIfAborted()
        answers.push(JSON.stringify(answer))
        const what = `${method} ${path}: ${inShort(answers)}`
        if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) {
          throw new Refused(what, answer.status)
        }
        if (performance.now() > end) throw new Error(what)
        await sleep(pauseMs)
      }
    },
  }
}

/** Why there was no answer: node:net's code, or that none came in time. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name
}

/** Each answer with how often it came, in the order of their first time. */
function inShort(answers: readonly string[]): string {
  const same = Map.groupBy(answers, (answer) => answer)
  return [...same].map(([answer, { length }]) => `${length} × ${answer}`).join(', ')
}

function note(silence: Silence): void {
  const now = performance.now()
  silence.longestMs = Math.max(silence.longestMs, now - silence.lastAt)
  silence.lastAt = now
}

/** All pages of a list. */
export async function everything(caller: Caller, path: string): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const next = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await caller.insist('GET', `${path}limit=100${next}`)
    all.push(...(page.items as Json[]))
    cursor = page.next_cursor
  }
  return all
}
