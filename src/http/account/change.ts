import type { FastifyRequest } from 'fastify'
import { confirmPassword } from '../../identity/sellers/sign-in.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import { recordStaffChange } from '../../warehouse/journal/staff.ts'
import { type MadeChange, performAs } from '../route/caller-changes.ts'
import { callerOf } from '../route/gate.ts'
import type { AccountDependencies } from './dependencies.ts'
import { browserOf, userOn } from './gate.ts'

/** The result of a change in the account, and its entry in the journal. */
export interface AccountChange<T> extends MadeChange {
  readonly answer: T
}

/** Runs verbs as the user of the session, with their journal entry in the same transaction. */
export async function changeInAccount<T>(
  dependencies: AccountDependencies,
  request: FastifyRequest,
  verbs: (work: Work) => Promise<AccountChange<T>>,
): Promise<T> {
  const { answer } = await performAs(dependencies, request, verbs, (made) => made)
  return answer
}

/** Runs verbs that concern the user of the session alone: they leave no entry in the journal. */
export function markInAccount<T>(
  { db, clock }: AccountDependencies,
  request: FastifyRequest,
  verbs: (work: Work) => Promise<T>,
): Promise<T> {
  return perform(db, clock, callerOf(request).actor, async (work) => {
    await request.witness?.admit(work)
    return verbs(work)
  })
}

/** Asks the user of the session for the password again, and for a one-time code where one is given. Throws validation_error. */
export function confirmUser(
  dependencies: AccountDependencies,
  request: FastifyRequest,
  given: { readonly password: string; readonly code?: string },
): Promise<void> {
  const { id, login } = userOn(request)
  const origin = { login, address: request.ip, browserCookie: browserOf(request) }
  return confirmPassword(dependencies, id, origin, given)
}

/** Writes the journal entry of a change that needs no session, such as the use of an invitation. */
export function recordOpenChange(
  work: Work,
  request: FastifyRequest,
  login: string,
  made: MadeChange & { readonly clientId: string },
): Promise<void> {
  return recordStaffChange(work, {
    ...made,
    action: String(request.routeOptions.schema?.operationId),
    login,
    requestId: request.id,
    ip: request.ip,
  })
}
