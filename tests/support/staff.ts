import { randomUUID } from 'node:crypto'
import type { Role } from '../../src/identity/staff/roles.ts'
import { createUser, issueToken } from '../../src/identity/staff/users.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { type Answer, openClient } from './client.ts'
import { assertDeclaredByStaff } from './declared-answers.ts'
import type { TestService } from './service.ts'

/** A staff user who calls with a token. Paths are relative to /staff/v1. */
export interface StaffClient {
  readonly userId: string
  readonly login: string
  readonly token: string
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

export async function staffClient({ db, baseUrl }: TestService, role: Role): Promise<StaffClient> {
  const login = `${role}-${randomUUID().slice(0, 8)}`
  const { userId, token } = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const id = await createUser(work, { login, role, passwordHash: null })
    return { userId: id, token: (await issueToken(work, id, login)).token }
  })
  return { userId, login, token, ...staffCalls(baseUrl, token) }
}

/** Calls below /staff/v1 with a token, or without any. Each answer must be one that its operation declares. */
export function staffCalls(baseUrl: string, token?: string) {
  const client = openClient(baseUrl, token, false)
  const send = (method: string) => async (path: string, body?: unknown) => {
    const given = body === undefined ? {} : { body }
    const answer = await client.call(`/staff/v1${path}`, { method, ...given })
    assertDeclaredByStaff(method, `/staff/v1${path}`, answer)
    return answer
  }
  return {
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  }
}
