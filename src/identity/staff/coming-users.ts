import type { Transaction } from '../../platform/db/connection.ts'

/**
 * Users of a warehouse that comes from another cell. operations/moving/merge.ts has put all of them into `coming_staff_users`,
 * those who work in the warehouse into `coming_staff_user_warehouses`, and those who were unknown here into `added_staff_users`.
 * Who works in the warehouse gets a way in; all others stay names in journals. A user who works in all warehouses here keeps them.
 */
export async function letComingUsersWork(tx: Transaction, warehouse: string): Promise<void> {
  await tx`
    update staff_users t set active = true, password_hash = c.password_hash, pin_hash = c.pin_hash,
      pin_failures = c.pin_failures, badge_hash = c.badge_hash, badge_issued_at = c.badge_issued_at
    from coming_staff_users c join coming_staff_user_warehouses w on w.user_id = c.id
    where t.id = c.id and not t.active and t.password_hash is null and t.pin_hash is null`
  await tx`
    insert into staff_user_warehouses (user_id, warehouse_code)
    select c.id, ${warehouse} from coming_staff_users c
    where c.id in (select id from added_staff_users)
      or c.id in (select user_id from coming_staff_user_warehouses)
        and exists (select from staff_user_warehouses w where w.user_id = c.id)
    on conflict do nothing`
}

/** Users who had left with the warehouse that comes back, and work in no other here, get access, password, PIN and badge as they were there. */
export async function takeReturnedUsers(tx: Transaction, warehouse: string): Promise<void> {
  await tx`
    update staff_users t set active = c.active, password_hash = c.password_hash, pin_hash = c.pin_hash,
      pin_failures = c.pin_failures, badge_hash = c.badge_hash, badge_issued_at = c.badge_issued_at
    from coming_staff_users c
    where t.id = c.id and t.role <> 'administrator' and c.role <> 'administrator'
      and array[${warehouse}] = array(select w.warehouse_code from staff_user_warehouses w where w.user_id = t.id)`
}
