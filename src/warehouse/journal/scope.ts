import type { Queryable } from '../../platform/db/connection.ts'

/** Whose entries of a journal a viewer sees. */
export interface JournalScope {
  /** Whether also entries that concern no client, such as changes of users. */
  readonly all: boolean
  /** Codes of the viewer's warehouses; empty: all. */
  readonly warehouses: readonly string[]
}

/** The condition on rows with a client_id. */
export function scopeCondition(db: Queryable, { all, warehouses }: JournalScope) {
  if (warehouses.length > 0) {
    return db`and client_id in (
      select c.id from clients c where c.warehouse_code = any(${[...warehouses]}))`
  }
  return all ? db`` : db`and client_id is not null`
}
