import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { performTogether, type SharedVerbs } from '../../platform/db/together.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { isClientOf } from '../../warehouse/clients/clients.ts'
import { recordStaffChange, recordStaffChanges } from '../../warehouse/journal/staff.ts'
import { type BodyReading, bytesOf, decodeBody } from '../route/body.ts'
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

/** A change, and how its transaction runs. */
export interface ChangeOptions extends Subject {
  /** Its statements are good for values of any kind, and many such changes come: see TransactionMode. */
  readonly planOnce?: boolean
}

/** The result of a change by staff. */
export interface ChangeResult<T> {
  readonly answer: T
  /**
   * For the journal, what `look` cannot know: a created object, or another state before or after the change.
   */
  readonly made?: Subject & { readonly before?: unknown; readonly after?: unknown }
  /** Another object that it changed, with an entry of its own. */
  readonly also?: { readonly objectId: string; readonly before: unknown; readonly after: unknown }
  /** False for a repeat that changed nothing: the journal gets no entry. */
  readonly changed?: boolean
}

interface Surroundings {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Runs verbs as the member who sent the request, and writes the journal entry in the same
 * transaction: who changed what, its state before and after.
 */
export function change<T>(
  { db, clock }: Surroundings,
  request: FastifyRequest,
  { planOnce = false, ...subject }: ChangeOptions,
  verbs: (work: Work) => Promise<ChangeResult<T>>,
): Promise<T> {
  const run = async (work: Work) => {
    await refuseOthersClient(work.tx, request, subject.clientId)
    const before = await subject.look?.(work)
    const { answer, made, also, changed } = await verbs(work)
    if (changed === false) return answer
    const after = made?.after ?? (await (made?.look ?? subject.look)?.(work))
    const entry = { ...originOf(request), clientId: made?.clientId ?? subject.clientId }
    const objectId = made?.objectId ?? subject.objectId
    await recordStaffChange(work, { ...entry, objectId, before: made?.before ?? before, after })
    if (also !== undefined) await recordStaffChange(work, { ...entry, ...also })
    return answer
  }
  return perform(db, clock, actorOf(request), run, { planOnce })
}

/** A change that was made on a route that needs no credentials. */
export interface OpenChange {
  /** Who turned out to have made it; undefined where no user did. */
  readonly member?: { readonly id: string; readonly login: string }
  /** The changed object; the member by default. */
  readonly objectId?: string
  readonly after: unknown
}

/** Runs verbs of a route that the gate leaves open. They return undefined where nothing is to be journalled. */
export function changeOpenly(
  { db, clock }: Surroundings,
  request: FastifyRequest,
  verbs: (work: Work) => Promise<OpenChange | undefined>,
): Promise<void> {
  return perform(db, clock, { kind: 'service' }, async (work) => {
    const made = await verbs(work)
    if (made === undefined) return
    const { member, after } = made
    const actor: Actor = member ? { kind: 'staff', userId: member.id } : work.actor
    const objectId = made.objectId ?? member?.id
    const origin = originOf(request, member?.login ?? null)
    await recordStaffChanges(work, [{ ...origin, actor, objectId, after }])
  })
}

/** A change that shares its transaction with others, and who makes it. */
export type SharedChange<Input, ObjectId = string> = Input & {
  readonly actor: Actor
  readonly clientId: string
  /** Undefined where the change finds it. */
  readonly objectId: ObjectId
}

export interface SharedResult<T> {
  readonly answer: T
  /** The changed object, where the request does not name it. */
  readonly objectId?: string
  /** For the journal; undefined where the change made something new. */
  readonly before?: unknown
  /** For the journal; undefined for a repeat that changed nothing, which gets no entry. */
  readonly after: unknown
}

/**
 * Lets small changes of many workers share transactions (`platform/db/together.ts`). Each is made by the member
 * who sent its request, with a journal entry of its own in the same transaction.
 */
export function changeTogether<Input extends object, T, Id extends string | undefined = string>(
  { db, clock }: Surroundings,
  verbs: SharedVerbs<SharedChange<Input, Id>, SharedResult<T>>,
): (request: FastifyRequest, change: Omit<SharedChange<Input, Id>, 'actor'> & Input) => Promise<T> {
  interface Requested {
    readonly request: FastifyRequest
    readonly change: SharedChange<Input, Id>
  }
  const run = performTogether<Requested, T>(db, clock, async (work, requested) => {
    const verdicts = await verbs(
      work,
      requested.map(({ change }) => change),
    )
    const entries = requested.flatMap(({ request, change: { actor, clientId, objectId } }, n) => {
      const verdict = verdicts[n]
      if (verdict?.kind !== 'done' || verdict.result.after === undefined) return []
      const { objectId: found, before, after } = verdict.result
      return [{ ...originOf(request), actor, clientId, objectId: objectId ?? found, before, after }]
    })
    await recordStaffChanges(work, entries)
    return verdicts.map((verdict) =>
      verdict.kind === 'done' ? { kind: 'done', result: verdict.result.answer } : verdict,
    )
  })
  return async (request, change) => {
    await refuseOthersClient(db, request, change.clientId)
    return run({ request, change: { ...change, actor: actorOf(request) } })
  }
}

/** For a user of some warehouses the clients of others do not exist. Throws not_found. */
async function refuseOthersClient(
  db: Queryable,
  request: FastifyRequest,
  clientId: string | undefined,
): Promise<void> {
  const { warehouses } = memberOn(request)
  if (warehouses.length === 0 || clientId === undefined) return
  if (await isClientOf(db, clientId, warehouses)) return
  throw notFound()
}

/** What the journal keeps of a request. */
function originOf(request: FastifyRequest, login: string | null = loginOn(request)) {
  return {
    action: String(request.routeOptions.schema?.operationId),
    login,
    requestId: request.id,
    ip: request.ip,
  }
}

function loginOn(request: FastifyRequest): string | null {
  const { device, login } = memberOn(request)
  return device === undefined ? login : null
}

/** The member who sent the request, as the actor of its changes. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, device } = memberOn(request)
  return device === undefined ? { kind: 'staff', userId: id } : { kind: 'device', deviceId: id }
}

/** Reads the body of a request. */
export function bodyOf<S extends TSchema>(
  schema: S,
  request: FastifyRequest,
  reading?: BodyReading,
): Static<S> {
  return decodeBody(schema, request.bodyType, bytesOf(request), reading)
}

/** Like `bodyOf`, of a call that may have none: all fields are optional then. */
export function bodyIfAny<S extends TSchema>(
  schema: S,
  request: FastifyRequest,
  reading?: BodyReading,
): Partial<Static<S>> {
  return bytesOf(request).length === 0 ? {} : bodyOf(schema, request, reading)
}
