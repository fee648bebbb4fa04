import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'

/**
 * The maker of an invitation or of a link for a new password must have power over the person whom it serves. This is
 * checked when it is made and again when it is used: meanwhile the person may work for other clients, and the maker
 * may have lost the role, access or warehouses.
 *
 * An owner has power over the client, and over the persons who work for it alone. Staff have it over the clients of their
 * warehouses, and over the persons who work for no others.
 */

/** The user who makes something; null for what no user makes. */
export function makerOf({ actor }: Pick<Work, 'actor'>): string | null {
  return actor.kind === 'staff' || actor.kind === 'seller' ? actor.userId : null
}

/** Whether the maker of the row `l` has power over its client. */
export function makerAnswersForClient(db: Queryable) {
  return db`(
    exists (
      select from seller_members o
      where o.client_id = l.client_id and o.user_id = l.made_by and o.role = 'owner')
    or exists (
      select from clients c join staff_users u on u.id = l.made_by
      where c.id = l.client_id and ${answersForClient(db)}))`
}

/** Whether the maker of the row `l` has power over its user, whose password opens all clients of the user. */
export function makerAnswersForUser(db: Queryable) {
  return db`(
    exists (
      select from seller_members o
      where o.client_id = l.client_id and o.user_id = l.made_by and o.role = 'owner'
        and not exists (
          select from seller_members m where m.user_id = l.user_id and m.client_id <> l.client_id))
    or exists (
      select from staff_users u
      where u.id = l.made_by and not exists (
        select from seller_members m join clients c on c.id = m.client_id
        where m.user_id = l.user_id and not ${answersForClient(db)})))`
}

/** Whether the staff user `u` has power over the client `c`. A user without warehouses works in all. */
function answersForClient(db: Queryable) {
  return db`(u.active and u.role <> 'worker' and (
    not exists (select from staff_user_warehouses w where w.user_id = u.id)
    or exists (
      select from staff_user_warehouses w
      where w.user_id = u.id and w.warehouse_code = c.warehouse_code)))`
}
