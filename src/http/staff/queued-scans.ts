import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { isSeen } from '../../identity/staff/rights.ts'
import { findUserByLogin } from '../../identity/staff/users.ts'
import type { Work } from '../../platform/db/work.ts'
import { type ErrorCode, invalidField, ServiceError } from '../../platform/kernel/errors.ts'
import { named } from '../../platform/kernel/schema.ts'
import { asSentences } from '../../platform/kernel/sentences.ts'
import { readTimeField } from '../../platform/kernel/time-field.ts'
import { type ExceptionScan, findExceptionOfScan } from '../../warehouse/exceptions/queries.ts'
import { keepRefusedScan } from '../../warehouse/exceptions/verbs.ts'
import { ScanException } from '../../warehouse/exceptions/view.ts'
import { change } from './change.ts'
import type { StaffDependencies } from './dependencies.ts'
import { memberOn } from './gate.ts'

/**
 * Scans that a handheld queued while it had no connection. Whoever works on it sends them later. One that is refused
 * then becomes an exception, and 202 lets the handheld take it off its queue.
 */

export const scanId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Номер скана от терминала: тот же номер ничего не меняет.',
})

/** What the scanner read off a unit. */
export const unitCode = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Штрихкод товара или код маркировки единицы, как его прочитал сканер.',
})

export const queuedFields = {
  queued_at: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Скан ждал в очереди терминала: когда его сделали, время RFC 3339. Если его уже нельзя ' +
        'принять, он становится исключением для менеджера, ответ 202.',
    }),
  ),
  queued_by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Логин того, кто сделал скан из очереди. Отключённого — решит менеджер.',
    }),
  ),
  hand_over: Type.Optional(
    Type.Boolean({
      description:
        'true — скан ушедшего сотрудника: не принимать, а передать менеджеру исключением, ответ 202. Если ' +
        'склад уже принял этот скан, он остаётся принятым.',
    }),
  ),
}

/** Does a kept scan after all, by the verb of its kind, as the manager who accepts it. */
export type LateScan<Draft> = (
  work: Work,
  kept: { readonly clientId: string; readonly objectId: string; readonly draft: Draft },
) => Promise<unknown>

export const keptAnswer = {
  description: 'Скан из очереди не принят и передан менеджеру: уберите его из очереди.',
  schema: named(ScanException),
}

export interface QueuedScan<T> extends Omit<ExceptionScan, 'scanId'> {
  readonly draft: {
    readonly scan_id: string
    readonly queued_at?: string
    readonly queued_by?: string
    readonly hand_over?: boolean
  }
  /** The answer of a scan that was done before; undefined for none. */
  readonly find: () => Promise<T | undefined>
  readonly run: () => Promise<T>
}

/** Errors that a repeated scan would get again. */
const lasting: readonly ErrorCode[] = ['conflict', 'validation_error', 'not_found']

/** Runs a scan. One from a queue that is refused is kept as an exception, and answered with 202. */
export async function runScan<T>(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { draft, find, run, ...subject }: QueuedScan<T>,
): Promise<T | FastifyReply> {
  if (draft.queued_at === undefined) {
    if (draft.hand_over !== true) return run()
    throw invalidField('queued_at', 'нужно вместе с hand_over')
  }
  const { db } = dependencies
  const queuedAt = readTimeField('queued_at', draft.queued_at)
  const scan = { ...subject, scanId: draft.scan_id }
  const known = await findExceptionOfScan(db, scan)
  if (known !== undefined) return reply.code(202).send(known)
  try {
    const reason = await reasonToKeep(dependencies, request, draft)
    if (reason !== undefined) {
      const done = await find()
      if (done !== undefined) return done
      throw new ServiceError('conflict', reason)
    }
    return await run()
  } catch (error) {
    if (!(error instanceof ServiceError) || !lasting.includes(error.code)) throw error
    const refused = {
      ...scan,
      scan: draft,
      queuedAt,
      queuedBy: draft.queued_by,
      reason: reasonOf(error),
    }
    const exception = await change(dependencies, request, scan, async (work) => {
      const { exception, isNew } = await keepRefusedScan(work, refused)
      const made = { objectId: exception.id, after: exception }
      return { answer: exception, made, changed: isNew }
    })
    return reply.code(202).send(exception)
  }
}

export interface MaybeNamedScan<T> extends Omit<QueuedScan<T>, 'draft'> {
  readonly draft: Partial<QueuedScan<T>['draft']>
}

/** As runScan, of a verb that may be called without a scan's name, but not from a queue. */
export async function runMaybeNamedScan<T>(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { draft, ...scan }: MaybeNamedScan<T>,
): Promise<T | FastifyReply> {
  const { scan_id } = draft
  if (scan_id !== undefined) {
    return runScan(dependencies, request, reply, { ...scan, draft: { ...draft, scan_id } })
  }
  if (draft.queued_at === undefined && draft.hand_over !== true) return scan.run()
  throw invalidField('scan_id', 'нужен у скана из очереди: пришлите его вместе с queued_at')
}

/** For people on the floor, who do not know how the fields of the call are named. */
function reasonOf({ message, breaches }: ServiceError): string {
  return asSentences(breaches.map(({ rule }) => rule)) || message
}

/** Why a scan is a manager's to decide, whatever the warehouse could do with it. */
async function reasonToKeep(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  { queued_by: login, hand_over: isHandedOver = false }: QueuedScan<unknown>['draft'],
): Promise<string | undefined> {
  if (await isFormer(dependencies, request, login)) return `Сотрудник ${login} отключён`
  if (!isHandedOver) return undefined
  return `${login === undefined ? 'Сотрудник' : `Сотрудник ${login}`} ушёл и не отправил скан сам`
}

/** Whether nobody of the sender's warehouses has the login. */
async function isFormer(
  { db }: StaffDependencies,
  request: FastifyRequest,
  login: string | undefined,
): Promise<boolean> {
  if (login === undefined) return false
  const user = await findUserByLogin(db, login)
  return user?.active !== true || !isSeen(memberOn(request).warehouses, user)
}
