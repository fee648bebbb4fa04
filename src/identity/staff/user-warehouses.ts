import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { excerpt, invalidField, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { lockAdministrators } from './administrators.ts'
import { refusalOfWarehouses } from './rights.ts'

/** The warehouses that users work in. A user without any works in all of them. */

/** The codes of the user `u`, as an array. */
export function warehousesOf(db: Queryable) {
  return db`array(
    select w.warehouse_code from staff_user_warehouses w where w.user_id = u.id order by 1)`
}

/** Whether somebody of these warehouses sees the user `u`, as `isSeen` says. */
export function isColleague(db: Queryable, warehouses: readonly string[]) {
  if (warehouses.length === 0) return db`true`
  return db`(
    not exists (select from staff_user_warehouses w where w.user_id = u.id)
    or exists (
      select from staff_user_warehouses w
      where w.user_id = u.id and w.warehouse_code = any(${[...warehouses]})))`
}

/**
 * Sets the warehouses of a user. Returns false where nothing differs. A user of some warehouses gives only these.
 * Throws not_found, validation_error for an unknown code, forbidden, and conflict where no administrator of all
 * warehouses would be left.
 */
export async function setWarehouses(
  work: Work,
  userId: string,
  codes: readonly string[],
  own: readonly string[],
): Promise<boolean> {
  const { tx } = work
  const left = await lockAdministrators(work, userId)
  const [user] = await tx<{ warehouses: string[] }[]>`
    select ${warehousesOf(tx)} as warehouses from staff_users u where u.id = ${userId}`
  if (user === undefined) throw notFound('Пользователь не найден')
  const wanted = [...new Set(codes)].sort()
  const refusal = refusalOfWarehouses(own, wanted)
  if (refusal !== undefined) throw new ServiceError('forbidden', refusal)
  const known = await tx<{ code: string }[]>`
    select code from warehouses where code = any(${wanted}) for key share`
  const missing = wanted.find((code) => !known.some((row) => row.code === code))
  if (missing !== undefined) {
    throw invalidField('warehouse_codes', `склада ${excerpt(missing)} нет`)
  }
  if (wanted.join() === user.warehouses.toSorted().join()) return false
  await tx`delete from staff_user_warehouses where user_id = ${userId}`
  await giveWarehouses(work, userId, wanted)
  await left()
  return true
}

/** Gives warehouses to a user who has none of them. */
export async function giveWarehouses(
  { tx }: Work,
  userId: string,
  codes: readonly string[],
): Promise<void> {
  await tx`
    insert into staff_user_warehouses (user_id, warehouse_code)
    select ${userId}, code from unnest(${[...codes]}::text[]) as code`
}
