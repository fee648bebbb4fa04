import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { momentOfId } from '../../platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * Entries of journals by the id of a request. An id begins with the moment in which its request came, so the journals'
 * order by time finds them: an index of random ids would cost every call.
 */

/** A clock that is set back or ahead meanwhile, by no more than this, hides no entry. */
const beforeMs = 60_000
/** The longest request, and the same again. */
const afterMs = 180_000

/**
 * The condition on `request_id` and `at`. People may copy an id with spaces or capitals; a text of another form is the
 * id of nothing.
 */
function ofRequest(db: Queryable, given: string): Fragment {
  const id = given.trim().toLowerCase()
  const came = momentOfId(id)
  if (came === undefined) return db`false`
  return db`(request_id = ${id} and at >= ${toTimestamp(came - beforeMs)}::timestamptz
    and at < ${toTimestamp(came + afterMs)}::timestamptz)`
}

/** The conditions that filters of all journals have. */
export function entryConditions(db: Queryable) {
  return {
    request_id: (id: string) => ofRequest(db, id),
    created_from: (from: Instant) => db`at >= ${toTimestamp(from)}`,
    created_to: (to: Instant) => db`at < ${toTimestamp(to)}`,
  }
}
