import type { Fragment } from './statements/fragment.ts'
import type { Tag } from './statements/tag.ts'

/**
 * Conditions on a column with a client's id, for statements that look at rows of all clients. A client whose warehouse goes
 * to another cell is left alone from the announcement on, and shown until it has gone (migrations/0053). A
 * statement reads each list once, and both are mostly empty.
 */

/** Workers may touch the client. */
export const isStaying = (db: Tag, column: string): Fragment =>
  db`${db(column)} <> all((select leaving_clients())::uuid[])`

/** The client's data are here. */
export const isHere = (db: Tag, column: string): Fragment =>
  db`${db(column)} <> all((select moved_clients())::uuid[])`

/** What the triggers of a move answer to whoever writes: the class of a server that is not there. */
export const leavingRefusal = '57M01'
