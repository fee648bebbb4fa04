import type { Database } from '../../platform/db/connection.ts'
import { openCopySession } from '../../platform/db/copy-session.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { StartError } from '../../platform/kernel/start-error.ts'
import { closeLeaving, markLeaving, takeBackLeaving } from '../../warehouse/clients/leaving.ts'
import { findWarehouse } from '../../warehouse/clients/warehouses.ts'
import { auditClients } from '../audit/audit.ts'
import { type Cells, openCopy, refuseKnownCodes } from './conditions.ts'
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
import { mergePeople, mergeUnique, type Renamed, uniqueTables } from './merge.ts'
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
 * Whoever kills it repeats it: each step is done where it was left, and a copy that is not committed leaves nothing. At no
 * moment do both cells take writes of a client, and none reads here what may have changed there.
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
  await refuseKnownCodes(other, move, { otherCode, earlier: await earlierCodes(db, warehouse) })
  await beginMove(db, { ...move, otherDatabase: other.address })
  return move
}

/** Warehouses in which the clients of this one were before. */
export async function earlierCodes(db: Database, warehouse: string): Promise<string[]> {
  const rows = await db<{ code: string }[]>`
    select distinct h.warehouse_code as code from client_warehouses h
    join clients c on c.id = h.client_id and c.mode <> 'test'
    where c.warehouse_code = ${warehouse} and h.warehouse_code <> ${warehouse} order by 1`
  return rows.map(({ code }) => code)
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
  const source = await openCopySession(db)
  try {
    await source.run(`
      begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0`)
    const renamed = await copyAll(parts, { source, target }, move)
    await db.begin(async (tx) => {
      await closeLeaving(tx, move.warehouse, move.clients)
      await advanceMove(tx, move, ['HELD', 'CLOSED'], 'CLOSED')
    })
    parts.progress('closed: nobody reads the warehouse here')
    await target.run('commit')
    return renamed
  } catch (error) {
    throw target.causeOf(source.causeOf(error))
  } finally {
    await target.end()
    await source.end()
  }
}

/** Copies and compares; the transaction there stays open. */
async function copyAll(
  { db, progress }: MoveParts,
  ends: Ends,
  move: Move,
): Promise<readonly Renamed[]> {
  const { warehouse, otherCode, clients } = move
  const codes: Codes = { warehouse, otherCode, earlier: await earlierCodes(db, warehouse) }
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
