import type { Database } from '../../platform/db/connection.ts'
import { isLockWait, sqlStateOf } from '../../platform/db/connections/errors.ts'
import { type CopySession, openCopySession } from '../../platform/db/copy-session.ts'
import { readApplied } from '../../platform/db/migrate.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { recordedFingerprints } from '../../platform/process/secrets.ts'
import { hasArrived, type Move, recordComing } from './moves.ts'

/** What must be so before anything moves. */

const insufficientPrivilege = '42501'
const uniqueViolation = '23505'

export interface Cells {
  readonly db: Database
  readonly other: Database
}

/** @throws StartError where the cells are of two versions, have other secrets, or are one */
export async function refuseStrangers(
  { db, other }: Cells,
  fingerprints: readonly string[],
): Promise<void> {
  const own = await readApplied(db)
  const others = await readApplied(other)
  const shown = (applied: typeof own) =>
    applied?.map(({ name, checksum }) => `${name} ${checksum}`).join()
  if (shown(own) !== shown(others)) {
    throw new StartError('the other cell is of another version: bring both to the same one')
  }
  if ((await identityOf(db)) === (await identityOf(other))) {
    throw new StartError('--to names the database of this cell')
  }
  const known = await recordedFingerprints(other)
  if (known.length === 0) {
    throw new StartError('start the service of the other cell once: it notes its SECRET_KEY')
  }
  if (fingerprints.every((each) => known.includes(each))) return
  throw new StartError(
    'the other cell could not open what comes: add the keys in SECRET_KEY of this cell behind its own, and restart it',
  )
}

const leavingOut =
  'leave triggers out; run there as a superuser: grant set on parameter session_replication_role to <role>'

/** @throws StartError where a role may not do what a move does: nothing has begun yet */
export async function refuseWithoutRights({ db, other }: Cells): Promise<void> {
  for (const [cell, where] of [
    [db, 'DATABASE_URL'],
    [other, '--to'],
  ] as const) {
    const [row] = await cell<[{ owns: boolean; leavesOut: boolean }]>`
      select pg_has_role(relowner, 'usage') as owns,
        has_parameter_privilege('session_replication_role', 'set') as "leavesOut"
      from pg_class where oid = 'clients'::regclass`
    if (!row.owns) {
      throw new StartError(
        `the role in ${where} must own the tables, because a move makes triggers: name that of sklad migrate`,
      )
    }
    if (cell === other && !row.leavesOut) {
      throw new StartError(`the role in --to may not ${leavingOut}`)
    }
  }
}

/** What stays the same under every name and address of a database. */
async function identityOf(db: Database): Promise<string> {
  const [row] = await db<[{ identity: string }]>`
    select format('%s %s', (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database())) as identity`
  return row.identity
}

/** Also opens the transaction. @throws StartError where the role may not leave triggers out */
async function openTarget(other: Database): Promise<CopySession> {
  const session = await openCopySession(other)
  try {
    // The rows that triggers keep are copied, too; foreign keys are checked in the end.
    await session.run(`
      begin; set local idle_in_transaction_session_timeout = 0; set local session_replication_role = replica;
      set local work_mem = '64MB'; set local plan_cache_mode = force_custom_plan`)
    return session
  } catch (error) {
    await session.end()
    if (sqlStateOf(error) !== insufficientPrivilege) throw session.causeOf(error)
    throw new StartError(`the role in --to may not ${leavingOut}`, { cause: error })
  }
}

/** How long a killed copy may take to end in the other cell. */
const earlierCopyMsMax = 60_000

/** Begins the copy. Undefined if an earlier copy of this move was committed. @throws StartError if an earlier one has not ended */
export async function openCopy({ db, other }: Cells, move: Move): Promise<CopySession | undefined> {
  if (await hasArrived(other, move)) return undefined
  const session = await openTarget(other)
  try {
    await session.run(`set local lock_timeout = ${earlierCopyMsMax}`)
    await recordComing(session.tag, move, db.address)
    await session.run('set local lock_timeout = 0')
    return session
  } catch (error) {
    await session.end()
    if (sqlStateOf(error) === uniqueViolation) return undefined
    if (isLockWait(error)) {
      throw new StartError('an earlier copy has not ended in the other cell: repeat', {
        cause: error,
      })
    }
    throw session.causeOf(error)
  }
}
