import type { Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { excerpt, invalidField, notFound, ServiceError } from '../kernel/errors.ts'

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
  refuseOthers(own, wanted, user.warehouses)
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

function refuseOthers(
  own: readonly string[],
  wanted: readonly string[],
  before: readonly string[],
): void {
  if (isWithin(own, wanted) && isWithin(own, before)) return
  throw new ServiceError(
    'forbidden',
    `Вы работаете на складах ${own.join(', ')}: других не назначить`,
  )
}

/** Whether who works in `own` warehouses answers for all of `codes`. None means all warehouses, in both. */
export function isWithin(own: readonly string[], codes: readonly string[]): boolean {
  return own.length === 0 || (codes.length > 0 && codes.every((code) => own.includes(code)))
}
