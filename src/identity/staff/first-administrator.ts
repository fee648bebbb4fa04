import { randomBytes } from 'node:crypto'
import type { Database } from '../../platform/db/connection.ts'
import { perform } from '../../platform/db/work.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import { createUser } from './users.ts'

export const firstLogin = 'admin'

/**
 * Creates an administrator if there are no users, so that somebody can create the others. Returns
 * the generated password; undefined where one was given or users exist.
 */
export async function makeFirstAdministrator(
  db: Database,
  clock: Clock,
  given: string | undefined,
): Promise<string | undefined> {
  const [known] = await db`select id from staff_users limit 1`
  if (known !== undefined) return undefined
  const password = given ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  return perform(db, clock, { kind: 'service' }, async (work) => {
    // Of several processes that start at once, one creates the administrator.
    await work.tx`lock table staff_users in share row exclusive mode`
    const [first] = await work.tx`select id from staff_users limit 1`
    if (first !== undefined) return undefined
    await createUser(work, { login: firstLogin, role: 'administrator', passwordHash })
    return given === undefined ? password : undefined
  })
}
