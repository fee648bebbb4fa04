import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Database } from '../../db/connection.ts'
import { perform, type Work } from '../../db/work.ts'
import { recordStaffChange } from '../../journal/staff.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type BodyReading, decodeBody } from '../body.ts'
import { memberOn } from './gate.ts'

/** The client and object of a change, for the journal. */
export interface Subject {
  readonly clientId?: string | undefined
  readonly objectId?: string | undefined
  /**
   * Reads the object inside the transaction, before and after the change. It may hold no secrets. A
   * read that locks the object keeps it unchanged between `before` and the change.
   */
  readonly look?: (work: Work) => Promise<unknown>
}

/** The result of a change by staff. */
export interface ChangeResult<T> {
  readonly answer: T
  /**
   * For the journal, what `look` cannot know: a created object, or another state after the change.
   */
  readonly made?: Subject & { readonly after?: unknown }
  /** False for a repeat that changed nothing: the journal gets no entry. */
  readonly changed?: boolean
}

/**
 * Runs verbs as the member who sent the request, and writes the journal entry in the same
 * transaction: who changed what, its state before and after.
 */
export function change<T>(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  request: FastifyRequest,
  subject: Subject,
  verbs: (work: Work) => Promise<ChangeResult<T>>,
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

/** The member who sent the request, as the actor of its changes. */
export function actorOf(request: FastifyRequest): Actor {
  return { kind: 'staff', userId: memberOn(request).id }
}

/** Reads the body of a request. */
export function bodyOf<S extends TSchema>(
  schema: S,
  request: FastifyRequest,
  reading?: BodyReading,
): Static<S> {
  return decodeBody(schema, request.bodyType, bytesOf(request), reading)
}

export function bytesOf(request: FastifyRequest): Buffer {
  return request.body instanceof Buffer ? request.body : Buffer.alloc(0)
}
