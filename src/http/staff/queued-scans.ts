import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { isSeen } from '../../identity/staff/rights.ts'
import { findUserByLogin } from '../../identity/staff/users.ts'
import type { Work } from '../../platform/db/work.ts'
import { invalidField } from '../../platform/kernel/errors.ts'
import { named } from '../../platform/kernel/schema.ts'
import { readTimeField } from '../../platform/kernel/time-field.ts'
import type { ExceptionScan } from '../../warehouse/exceptions/queries.ts'
import { runQueuedScan } from '../../warehouse/exceptions/queued-scans.ts'
import { keepRefusedScan } from '../../warehouse/exceptions/verbs.ts'
import { ScanException } from '../../warehouse/exceptions/view.ts'
import { change } from './change.ts'
import type { StaffDependencies } from './dependencies.ts'
import { memberOn } from './gate.ts'

/** Requests of scans, also of those that a handheld queued (`warehouse/exceptions/queued-scans.ts`). */

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

export interface SentScan<T> extends Omit<ExceptionScan, 'scanId'> {
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

/** Runs a scan. One from a queue that is kept as an exception is answered with 202. */
export async function runScan<T>(
  dependencies: StaffDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { draft, find, run, ...of }: SentScan<T>,
): Promise<T | FastifyReply> {
  if (draft.queued_at === undefined) {
    if (draft.hand_over !== true) return run()
    throw invalidField('queued_at', 'нужно вместе с hand_over')
  }
  const subject = { ...of, scanId: draft.scan_id }
  const answer = await runQueuedScan(dependencies.db, {
    ...subject,
    scan: draft,
    queuedAt: readTimeField('queued_at', draft.queued_at),
    queuedBy: draft.queued_by,
    isHandedOver: draft.hand_over ?? false,
    isFormer: (login) => isFormer(dependencies, request, login),
    find,
    run,
    keep: (refused) =>
      change(dependencies, request, subject, async (work) => {
        const { exception, isNew } = await keepRefusedScan(work, refused)
        const made = { objectId: exception.id, after: exception }
        return { answer: exception, made, changed: isNew }
      }),
  })
  return 'done' in answer ? answer.done : reply.code(202).send(answer.kept)
}

export interface MaybeNamedScan<T> extends Omit<SentScan<T>, 'draft'> {
  readonly draft: Partial<SentScan<T>['draft']>
}

/** Like runScan, of a verb that may be called without a scan's name, but not from a queue. */
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

/** Whether nobody of the sender's warehouses has the login. */
async function isFormer(
  { db }: StaffDependencies,
  request: FastifyRequest,
  login: string,
): Promise<boolean> {
  const user = await findUserByLogin(db, login)
  return user?.active !== true || !isSeen(memberOn(request).warehouses, user)
}
