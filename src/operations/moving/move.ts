import type { Database } from '../../platform/db/connection.ts'
import { sqlStateOf } from '../../platform/db/connections/errors.ts'
import { openCopySession } from '../../platform/db/copy-session.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { closeLeaving, markLeaving, takeBackLeaving } from '../../warehouse/clients/leaving.ts'
import { findWarehouse } from '../../warehouse/clients/warehouses.ts'
import { auditClients } from '../audit/audit.ts'
import { type Cells, openCopy } from './conditions.ts'
import {
  advanceSequences,
  type Codes,
  checkReferences,
  compareRows,
  copyRows,
  type Ends,
  tableCopies,
} from './copy.ts'
import { awaitWorkers } from './drain.ts'
import { holdCommands, holdMembers, holdWriters, letWriters } from './fence.ts'
import { codesOf, liveClientsOf, refuseCollisions } from './known.ts'
import { mergePeople, mergeUnique, type Renamed, removeOld, uniqueTables } from './merge.ts'
import {
  advanceMove,
  beginMove,
  dropMove,
  findLeaving,
  type Move,
  setMoveClients,
} from './moves.ts'

/**
 * Moves a warehouse with all its clients to the database of another cell, while both work:
 *
 *   ANNOUNCED  workers begin nothing for the clients, and end what they have begun
 *   HELD       triggers refuse all writes of the clients' rows
 *   CLOSED     all rows are copied and compared in one transaction there, and nobody reads them here any more
 *   ARRIVED    that transaction is committed
 *   DONE       the proxy has the keys
 *
 * After a kill it is run again: it goes on with the step that it was at, and a copy that was not committed leaves nothing. At no
 * moment do both cells take writes of a client, and nobody reads here what may have changed there.
 */
export interface MoveParts extends Cells {
  readonly progress: (line: string) => void
}

export interface AskedMove {
  readonly warehouse: string
  readonly otherCode: string
}

/** Brings a move up to ARRIVED. @returns it, and who has another login in the other cell */
export async function moveWarehouse(
  parts: MoveParts,
  wanted: AskedMove,
): Promise<{ readonly move: Move; readonly renamed: readonly Renamed[] }> {
  const { db } = parts
  const move = (await findLeaving(db, wanted.warehouse)) ?? (await newMove(parts, wanted))
  if (move.otherCode !== wanted.otherCode) {
    throw new StartError(`the move has begun with --as ${move.otherCode}: repeat it so`)
  }
  await refuseHalfReturned(db, move)
  if (move.state === 'ARRIVED' || move.state === 'DONE') return { move, renamed: [] }
  await announce(parts, move)
  const known = (await findLeaving(db, move.warehouse)) ?? move
  await holdCommands(db, known)
  await awaitWorkers(db, known)
  parts.progress('announced: workers have ended what they had begun')
  await holdWriters(db, known, (table) => parts.progress(`held ${table}`))
  await advanceMove(
    db,
    known,
    ['ANNOUNCED', 'HELD', 'CLOSED'],
    known.state === 'CLOSED' ? 'CLOSED' : 'HELD',
  )
  parts.progress('held: writes of the warehouse are refused')
  const renamed = await copy(parts, known)
  await letReturned(parts.other, known)
  await advanceMove(db, known, ['HELD', 'CLOSED'], 'ARRIVED')
  parts.progress('arrived: the other cell has the warehouse')
  return { move: known, renamed }
}

async function newMove(
  { db, other }: MoveParts,
  { warehouse, otherCode }: AskedMove,
): Promise<Move> {
  if ((await findWarehouse(db, warehouse)) === undefined) {
    throw new StartError(`there is no warehouse ${warehouse}`)
  }
  const move = { id: newId(), warehouse, otherCode, clients: [], state: 'ANNOUNCED' } as const
  await refuseCollisions({ db, other }, move)
  await beginMove(db, { ...move, otherDatabase: other.address })
  return move
}

async function announce({ db }: MoveParts, move: Move): Promise<void> {
  if (move.state !== 'ANNOUNCED') return
  await holdMembers(db, move)
  await db.begin(async (tx) => {
    await setMoveClients(tx, move, await markLeaving(tx, move.warehouse))
  })
}

async function copy(parts: MoveParts, move: Move): Promise<readonly Renamed[]> {
  const { db } = parts
  const target = await openCopy(parts, move)
  if (target === undefined) return []
  const codes = await codesOf(parts, move)
  const source = await openCopySession(db)
  try {
    await source.run(`
      begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0`)
    const renamed = await copyAll(parts, { source, target }, move.clients, codes)
    await db.begin(async (tx) => {
      await closeLeaving(tx, move.warehouse, move.clients)
      await advanceMove(tx, move, ['HELD', 'CLOSED'], 'CLOSED')
    })
    parts.progress('closed: nobody reads the warehouse here')
    await target.run('commit')
    return renamed
  } catch (error) {
    throw twiceThere(target.causeOf(source.causeOf(error)))
  } finally {
    await target.end()
    await source.end()
  }
}

const uniqueViolation = '23505'

/** What is looked for before anything is held may have come meanwhile. */
function twiceThere(error: unknown): unknown {
  if (sqlStateOf(error) !== uniqueViolation) return error
  const { table, constraint } = error as { readonly table?: string; readonly constraint?: string }
  return new StartError(
    `${table}: the other cell has a row that must be there once (${constraint}); give the move up with --cancel, or repeat it`,
    { cause: error },
  )
}

/** Copies and compares; the transaction there stays open. */
async function copyAll(
  { progress }: MoveParts,
  ends: Ends,
  clients: readonly string[],
  codes: Codes,
): Promise<readonly Renamed[]> {
  await removeOld(ends, clients, codes)
  const copies = await tableCopies(ends.source, clients, codes)
  for (const each of copies) {
    if (!uniqueTables.includes(each.name)) await copyRows(ends, each)
    progress(`copied ${each.name}`)
  }
  const renamed = await mergePeople(ends, clients, codes)
  await mergeUnique(ends, clients)
  await advanceSequences(ends)
  progress('copied: all rows')
  // The audit reads what nobody has looked at yet.
  await ends.target.run(`analyze ${copies.map(({ name }) => name).join(', ')}`)
  const compared = copies.filter(({ name }) => !uniqueTables.includes(name))
  let rows = 0
  for (const each of compared) rows += await compareRows(ends, each)
  await checkReferences(ends.target, copies)
  await auditArrived(ends, clients)
  progress(`compared: ${rows} rows, and the audit finds no difference`)
  return renamed
}

async function auditArrived({ target }: Ends, clients: readonly string[]): Promise<void> {
  const { findings, omitted } = await auditClients(target.tag, clients)
  const [first] = findings
  if (first === undefined) return
  throw new StartError(
    `the audit of what came finds ${findings.length + omitted} differences: ${first.check}: ${first.object} ${first.what}; ` +
      'sklad audit here says whether they were here before',
  )
}

/** Of a warehouse that came back: the triggers that kept its writers out since it left. */
async function letReturned(other: Database, { otherCode }: Move): Promise<void> {
  const left = await findLeaving(other, otherCode)
  if (left === undefined) return
  await letWriters(other, left)
  await dropMove(other, left)
}

/** @throws StartError where the warehouse has come back, and the triggers of its leaving are still here */
async function refuseHalfReturned(db: Database, move: Move): Promise<void> {
  if (move.state !== 'DONE' || (await liveClientsOf(db, move.warehouse)).length === 0) return
  throw new StartError(
    `the move by which warehouse ${move.warehouse} came back has not ended: repeat its command in the other cell`,
  )
}

/** Gives a move up that has not arrived: writes go on here. */
export async function cancelMove(cells: Cells, warehouse: string): Promise<void> {
  const { db } = cells
  const move = await findLeaving(db, warehouse)
  if (move === undefined) throw new StartError(`warehouse ${warehouse} does not move`)
  // The beginning of a copy: after it no other one is under way.
  const target = move.state === 'DONE' ? undefined : await openCopy(cells, move)
  if (target === undefined) {
    throw new StartError('the other cell has the warehouse: repeat the command without --cancel')
  }
  await target.end()
  await db.begin((tx) => takeBackLeaving(tx, warehouse, move.clients))
  await letWriters(db, move)
  await dropMove(db, move)
}
