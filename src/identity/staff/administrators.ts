import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/**
 * Somebody has to be left who may do everything: an active administrator, and one of all warehouses. Two administrators
 * must not take that from each other at the same time, so a change locks all of them, with its user in one order.
 */

interface Administrators {
  readonly active: number
  readonly ofAll: number
}

/**
 * Locks a user and all active administrators. Returns what to ask after the change: it throws conflict where the change
 * takes the last one.
 */
export async function lockAdministrators(work: Work, userId: string): Promise<() => Promise<void>> {
  await work.tx`
    select id from staff_users where id = ${userId} or (role = 'administrator' and active)
    order by id for no key update`
  const before = await countAdministrators(work)
  return async () => {
    const after = await countAdministrators(work)
    if (before.active > 0 && after.active === 0) {
      throw conflict('Это последний действующий администратор')
    }
    if (before.ofAll > 0 && after.ofAll === 0) {
      throw conflict('Это последний администратор всех складов: сначала назначьте другого')
    }
  }
}

async function countAdministrators({ tx }: Work): Promise<Administrators> {
  const [counts] = await tx<[Administrators]>`
    select count(*) as active, count(*) filter (where not exists (
      select from staff_user_warehouses w where w.user_id = u.id)) as "ofAll"
    from staff_users u where role = 'administrator' and active`
  return counts
}
