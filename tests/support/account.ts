import { randomUUID } from 'node:crypto'
import { addMember, createSellerUser } from '../../src/identity/sellers/members.ts'
import type { SellerRole } from '../../src/identity/sellers/roles.ts'
import { openSellerSession } from '../../src/identity/sellers/sessions.ts'
import { hashPassword } from '../../src/identity/sign-in/passwords.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { type Clock, systemClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { type Answer, type Client, newSandbox, openClient } from './client.ts'
import { assertDeclaredByAccount } from './declared-answers.ts'

/** Calls below /account/v1 with a session's cookie. Each answer must be one that its operation declares. */
export interface AccountClient {
  readonly cookie: string
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
}
type Headers = Readonly<Record<string, string>>

export function accountClient(baseUrl: string, cookie = ''): AccountClient {
  const client = openClient(baseUrl, undefined, false)
  const call: AccountClient['call'] = async (method, path, body, headers = {}) => {
    const answer = await client.call(`/account/v1${path}`, {
      method,
      headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    assertDeclaredByAccount(method, `/account/v1${path}`, answer)
    return answer
  }
  return {
    cookie,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  }
}

export const sellersPassword = 'верный пароль 1'
const hashed = hashPassword(sellersPassword)

export interface AccountUser extends AccountClient {
  readonly userId: string
  readonly login: string
}

/** A user with a role for each client, signed in for the first of them, without the cost of a password. */
export async function accountUser(
  {
    db,
    baseUrl,
    clock = systemClock,
  }: { readonly db: Database; readonly baseUrl: string; readonly clock?: Clock },
  roles: Readonly<Record<string, SellerRole>>,
): Promise<AccountUser> {
  const login = `seller-${randomUUID().slice(0, 8)}`
  const passwordHash = await hashed
  const [first = ''] = Object.keys(roles)
  const made = await perform(db, clock, { kind: 'service' }, async (work) => {
    const userId = await createSellerUser(work, login, passwordHash)
    for (const [clientId, role] of Object.entries(roles)) {
      await addMember(work, clientId, userId, role)
    }
    const origin = { address: '192.0.2.1', browser: 'test' }
    const session = await openSellerSession(work, newId(), { clientId: first, userId, ...origin })
    return { userId, session }
  })
  const client = accountClient(baseUrl, `sklad_account=${made.session}`)
  return { ...client, userId: made.userId, login }
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

/** A sandbox of its own, by its key and in the account. */
export async function openSandboxAccount(service: {
  readonly baseUrl: string
}): Promise<{ readonly api: Client; readonly account: AccountClient }> {
  const api = await newSandbox(service)
  const entered = await accountClient(service.baseUrl).post('/session/key', { key: api.key })
  return { api, account: accountClient(service.baseUrl, cookiesOf(entered)) }
}
