import type { Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { excerpt, invalidField, notFound, ServiceError } from '../kernel/errors.ts'
import { refusalOfWarehouses } from './rights.ts'

/** The warehouses that users work in. A user without any works in all of them. */

/** The codes of the user `u`, as an array. */
export function warehousesOf(db: Queryable) {
  return db`array(
    select w.warehouse_code from staff_user_warehouses w where w.user_id = u.id order by 1)`
}

/**
 * Sets the warehouses of a user. Returns false where nothing differs. Who works in some warehouses gives no others.
 * Throws not_found, validation_error for an unknown code, and forbidden.
 */
export async function setWarehouses(
  { tx }: Work,
  userId: string,
  codes: readonly string[],
  own: readonly string[],
): Promise<boolean> {
  const [user] = await tx<{ warehouses: string[] }[]>`
    select ${warehousesOf(tx)} as warehouses from staff_users u
    where u.id = ${userId} for no key update of u`
  if (user === undefined) throw notFound('Пользователь не найден')
  const wanted = [...new Set(codes)].sort()
  const refusal = refusalOfWarehouses(own, user.warehouses, wanted)
  if (refusal !== undefined) throw new ServiceError('forbidden', refusal)
  const known = await tx<{ code: string }[]>`
    select code from warehouses where code = any(${wanted}) for key share`
  const missing = wanted.find((code) => !known.some((row) => row.code === code))
  if (missing !== undefined) {
    throw invalidField('warehouse_codes', `склада ${excerpt(missing)} нет`)
  }
  if (wanted.join() === user.warehouses.toSorted().join()) return false
  await tx`delete from staff_user_warehouses where user_id = ${userId}`
  await tx`
    insert into staff_user_warehouses (user_id, warehouse_code)
    select ${userId}, code from unnest(${wanted}::text[]) as code`
  return true
}
