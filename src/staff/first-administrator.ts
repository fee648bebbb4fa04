import { randomBytes } from 'node:crypto'
import type { Database } from '../db/connection.ts'
import { perform } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { hashPassword } from './passwords.ts'
import { createUser } from './users.ts'

export const firstLogin = 'admin'

/**
 * On the first start somebody has to let the others in: an administrator is made unless there are
 * users. Returns the password that was made for it, where none was given.
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
  return perform(db, clock, 'first start', async (work) => {
    // Of several nodes that start at once, one makes it.
    await work.tx`lock table staff_users in share row exclusive mode`
    const [first] = await work.tx`select id from staff_users limit 1`
    if (first !== undefined) return undefined
    await createUser(work, { login: firstLogin, role: 'administrator', passwordHash })
    return given === undefined ? password : undefined
  })
}
