import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Database } from '../../db/connection.ts'
import { perform, type Work } from '../../db/work.ts'
import { recordStaffChange } from '../../journal/staff.ts'
import type { Clock } from '../../kernel/clock.ts'
import { decodeBody } from '../body.ts'
import { memberOn } from './gate.ts'

/** What a change is about, for the journal. */
export interface Subject {
  readonly clientId?: string | undefined
  readonly objectId?: string | undefined
  /**
   * How it looks, in the transaction: asked before and after the change. No secrets. One that locks
   * what it looks at makes sure that nobody changes it between `before` and the change.
   */
  readonly look?: (work: Work) => Promise<unknown>
}

/** What a verb of staff ended in. */
export interface Outcome<T> {
  readonly answer: T
  /** What was made or came of it, where `look` could not know; for the journal. */
  readonly made?: Subject & { readonly after?: unknown }
  /** False: nothing was changed (a repeat), and so nothing is journalled. */
  readonly changed?: boolean
}

/**
 * Runs verbs as the member who asks, in one transaction with the entry of the journal that tells who
 * changed what, how it was and how it became.
 */
export function change<T>(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  request: FastifyRequest,
  subject: Subject,
  verbs: (work: Work) => Promise<Outcome<T>>,
): Promise<T> {
  const member = memberOn(request)
  return perform(db, clock, actorOf(request), async (work) => {
    const before = await subject.look?.(work)
    const { answer, made, changed } = await verbs(work)
    if (changed === false) return answer
    const after = made?.after ?? (await (made?.look ?? subject.look)?.(work))
    await recordStaffChange(work, {
      action: String(request.routeOptions.schema?.operationId),
      login: member.login,
      clientId: made?.clientId ?? subject.clientId,
      objectId: made?.objectId ?? subject.objectId,
      before,
      after,
      requestId: request.id,
      ip: request.ip,
    })
    return answer
  })
}

/** Who acts, as works and journals name them. */
export function actorOf(request: FastifyRequest): string {
  return `staff:${memberOn(request).id}`
}

/** The body of a request, read against its schema; terminals send null for what they don't know. */
export function bodyOf<S extends TSchema>(schema: S, request: FastifyRequest): Static<S> {
  return decodeBody(schema, request.bodyType, bytesOf(request), { nullIsAbsent: true })
}

export function bytesOf(request: FastifyRequest): Buffer {
  return request.body instanceof Buffer ? request.body : Buffer.alloc(0)
}
