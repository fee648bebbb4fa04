import type { Queryable } from '../../platform/db/connection.ts'
import { StartError } from '../../platform/kernel/errors.ts'

/** How far a move has come, as the cell knows that the warehouse leaves: the only writer of warehouse_moves. */

export type MoveState = 'ANNOUNCED' | 'HELD' | 'CLOSED' | 'ARRIVED' | 'DONE'

export interface Move {
  readonly id: string
  readonly warehouse: string
  /** Its code in the other cell. */
  readonly otherCode: string
  readonly clients: readonly string[]
  readonly state: MoveState
}

/** The move of a warehouse that leaves this cell. */
export async function findLeaving(db: Queryable, warehouse: string): Promise<Move | undefined> {
  const [move] = await db<Move[]>`
    select id, warehouse_code as warehouse, other_code as "otherCode", clients, state
    from warehouse_moves where side = 'leaving' and warehouse_code = ${warehouse}`
  return move
}

export interface NewMove {
  readonly id: string
  readonly warehouse: string
  readonly otherCode: string
  readonly otherDatabase: string
}

export async function beginMove(db: Queryable, move: NewMove): Promise<void> {
  await db`
    insert into warehouse_moves (id, side, warehouse_code, other_code, other_database, clients, state, started_at)
    values (${move.id}, 'leaving', ${move.warehouse}, ${move.otherCode}, ${move.otherDatabase}, '{}', 'ANNOUNCED', now())`
}

export async function setMoveClients(
  db: Queryable,
  { id }: Pick<Move, 'id'>,
  clients: readonly string[],
): Promise<void> {
  await db`update warehouse_moves set clients = ${[...clients]}::uuid[] where id = ${id}`
}

/** @throws StartError where another command has brought the move on meanwhile */
export async function advanceMove(
  db: Queryable,
  { id }: Pick<Move, 'id'>,
  from: readonly MoveState[],
  to: MoveState,
): Promise<void> {
  const moved = await db`
    update warehouse_moves set state = ${to},
      held_at = case when ${to}::text = 'HELD' then coalesce(held_at, clock_timestamp()) else held_at end,
      ended_at = case when ${to}::text = 'DONE' then clock_timestamp() end
    where id = ${id} and side = 'leaving' and state = any(${[...from]}) returning id`
  if (moved.length === 0) throw new StartError('another command has changed the move: repeat')
}

/** For how many seconds writes have been held. */
export async function heldSeconds(db: Queryable, { id }: Pick<Move, 'id'>): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select extract(epoch from coalesce(ended_at, clock_timestamp()) - held_at)::float8 as seconds
    from warehouse_moves where id = ${id} and side = 'leaving'`
  return Math.round((row?.seconds ?? 0) * 10) / 10
}

export async function dropMove(db: Queryable, { id }: Pick<Move, 'id'>): Promise<void> {
  await db`delete from warehouse_moves where id = ${id} and side = 'leaving'`
}

/** Whether the other cell has it: the transaction of the copy writes this row. */
export async function hasArrived(other: Queryable, { id }: Pick<Move, 'id'>): Promise<boolean> {
  const rows = await other`select from warehouse_moves where id = ${id} and side = 'coming'`
  return rows.length > 0
}

/** Notes the move in the other cell, in place of an earlier arrival. Waits while an earlier copy of the same move has not ended. */
export async function recordComing(
  other: Queryable,
  { id, warehouse, otherCode, clients }: Move,
  from: string,
): Promise<void> {
  await other`
    delete from warehouse_moves
    where side = 'coming' and warehouse_code = ${otherCode} and id <> ${id}`
  await other`
    insert into warehouse_moves
      (id, side, warehouse_code, other_code, other_database, clients, state, started_at, ended_at)
    values (${id}, 'coming', ${otherCode}, ${warehouse}, ${from}, ${[...clients]}::uuid[], 'DONE', now(), now())`
}
