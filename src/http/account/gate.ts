import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admitSession } from '../../identity/keys/admission.ts'
import { isRevoked } from '../../identity/keys/api-keys.ts'
import { coversSeller, sellerRoleLabels } from '../../identity/sellers/roles.ts'
import {
  findVisitor,
  isStillOpen,
  sellerSessionSecondsMax,
  type Visitor,
} from '../../identity/sellers/sessions.ts'
import type { Work } from '../../platform/db/work.ts'
import { rateLimited, ServiceError } from '../../platform/kernel/errors.ts'
import { recordStaffChange } from '../../warehouse/journal/staff.ts'
import type { ChangeWitness } from '../route/caller-changes.ts'
import { answerRequestedError, showBucket } from '../route/gate.ts'
import { secretInCookie, setMarkedCookie } from '../route/marked-cookies.ts'
import { isUnattended, refuseOtherSites } from '../route/page-requests.ts'
import { isNobody } from '../route/who.ts'
import type { AccountDependencies } from './dependencies.ts'
import { leastRoleOf } from './least-roles.ts'
import { notInAccount, sessionEnded } from './operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages ask for many at once, and each only once: such a call takes nothing from the bucket of its session. */
    uncounted?: boolean
  }
  interface FastifyRequest {
    /** Whose session sent the request; set by the gate of the account. */
    visitor?: Visitor
  }
}

/**
 * The gate of all paths below /account/v1. The session in the cookie says whose client it is, so the routes behind it
 * are those of the public API. Keys and sessions of staff open nothing here, and the cookie goes to no other path.
 * Requests that change something must not come from pages of other sites.
 */
export async function addAccountGate(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): Promise<void> {
  // Awaited: cookies are parsed before the hook below reads them.
  await app.register(cookies)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    refuseOtherSites(request, dependencies.baseUrl)
    if (request.routeOptions.config?.open) return
    try {
      await pass(dependencies, request, reply)
    } catch (error) {
      if (!isNobody(request, error)) throw error
      return reply.code(204).send()
    }
  })
}

async function pass(
  dependencies: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { db, clock, sandbox, sessionBucket } = dependencies
  const session = accountSessionOf(request)
  if (session === undefined) throw new ServiceError('unauthorized', notInAccount)
  const visitor = await findVisitor(db, clock.now(), session, { isUse: !isUnattended(request) })
  if (visitor === undefined) throw new ServiceError('unauthorized', sessionEnded)
  if (request.routeOptions.config?.uncounted) return admit(dependencies, request, visitor)
  const { bucket, passed } = await admitSession(db, sessionBucket, visitor.sessionId)
  showBucket(reply, bucket)
  if (!passed) throw rateLimited(bucket.retryAfterSeconds)
  admit(dependencies, request, visitor)
  refuseLesserRole(request, visitor)
  answerRequestedError(request, reply, visitor.mode, bucket)
  if (visitor.mode === 'live') return
  if (!visitor.dataReady) await sandbox.prepare(visitor.clientId)
  if (visitor.isSandboxStale) await sandbox.recordUse(visitor.clientId)
}

/** From here on the request is one of the visitor's client. */
function admit({ db }: AccountDependencies, request: FastifyRequest, visitor: Visitor): void {
  const { clientId, mode, user, keyId, role, accountReceipts, dataReady } = visitor
  request.visitor = visitor
  const actor =
    user === null
      ? ({ kind: 'key', keyId: keyId ?? '' } as const)
      : ({ kind: 'seller', userId: user.id } as const)
  const receiptsEnabled = accountReceipts && coversSeller(role, 'receipts')
  request.caller = { clientId, mode, actor, receiptsEnabled, dataReady }
  request.witness = witnessOf(request, visitor)
  request.refusalSince = async () =>
    (await isStillOpen(db, visitor)) ? undefined : new ServiceError('unauthorized', sessionEnded)
}

function refuseLesserRole(request: FastifyRequest, { role }: Visitor): void {
  const needed = leastRoleOf(request.routeOptions)
  if (coversSeller(role, needed)) return
  throw new ServiceError('forbidden', `Недостаточно прав: нужна роль «${sellerRoleLabels[needed]}»`)
}

/** Changes by a test key are in no journal, like those by the public API. */
function witnessOf(request: FastifyRequest, visitor: Visitor): ChangeWitness {
  return {
    async admit({ tx }: Work) {
      const { clientId, keyId } = visitor
      const isOpen = await isStillOpen(tx, visitor)
      if (!isOpen || (keyId !== null && (await isRevoked(tx, { clientId, keyId })))) {
        throw new ServiceError('unauthorized', sessionEnded)
      }
    },
    async record(work, { objectId, before, after }) {
      if (visitor.user === null) return
      await recordStaffChange(work, {
        action: String(request.routeOptions.schema?.operationId),
        login: visitor.user.login,
        clientId: visitor.clientId,
        objectId,
        before,
        after,
        requestId: request.id,
        ip: request.ip,
      })
    },
  }
}

/** Whose session sent the request, on a route behind the gate. */
export function visitorOn(request: FastifyRequest): Visitor {
  if (request.visitor === undefined)
    throw new Error('a route of the account was reached without a session')
  return request.visitor
}

/** The user of the session. Throws forbidden for whoever typed a test key. */
export function userOn(request: FastifyRequest): NonNullable<Visitor['user']> {
  const { user } = visitorOn(request)
  if (user === null) {
    throw new ServiceError('forbidden', 'Это песочница по тестовому ключу: пользователей у неё нет')
  }
  return user
}

export const accountCookie = 'sklad_account'
const browserCookie = 'sklad_account_browser'

export function accountSessionOf(request: FastifyRequest): string | undefined {
  return secretInCookie(request, accountCookie)
}

/** What the browser got at an earlier sign-in; undefined for none. */
export function browserOf(request: FastifyRequest): string | undefined {
  return secretInCookie(request, browserCookie)
}

type Cookies = Pick<AccountDependencies, 'baseUrl' | 'cell'>

/** Gives a session to the browser; undefined removes the browser's session. */
export function setAccountSession(
  reply: FastifyReply,
  given: Cookies,
  secret: string | undefined,
): void {
  const seconds = sellerSessionSecondsMax
  setMarkedCookie(reply, given, { name: accountCookie, secret, path: '/account', seconds })
}

/** Lets the browser be known at its next sign-in. */
export function setBrowser(reply: FastifyReply, given: Cookies, secret: string): void {
  setMarkedCookie(reply, given, { name: browserCookie, secret, path: '/account/v1' })
}
