import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/db/connection.ts'
import { isLockWait } from '../../platform/db/connections/errors.ts'
import type { Move } from './moves.ts'
import { literal, type MovedTable, movedTables } from './tables.ts'

/**
 * Triggers refuse the rows of the leaving clients, from now on for ever. All other clients write on, and a service that moves
 * nobody pays nothing.
 *
 * Making a trigger waits for all transactions that have written to its table. So once it is made, all writes that it
 * did not stop are committed. While it waits, every later writer of the table queues behind it, whosever rows they
 * write. So it waits for moments only, and tries again.
 */

const lockMsMax = 200
const pauseMs = 100

interface Trigger {
  readonly name: string
  readonly table: string
  readonly when: string
  readonly condition: string
}

/** The tables whose writers the announcement holds already: nobody joins or leaves the warehouse. */
export async function holdMembers(db: Database, move: Move): Promise<void> {
  const table = 'clients'
  const isOf = (row: 'old' | 'new') => `${row}.warehouse_code = ${literal(move.warehouse)}`
  await makeAll(db, move, [
    { name: 'join', table, when: 'insert', condition: isOf('new') },
    { name: 'come', table, when: 'update', condition: isOf('new') },
    { name: 'leave', table, when: 'update', condition: isOf('old') },
  ])
}

/** No command to a marketplace begins. */
export async function holdCommands(db: Database, move: Move): Promise<void> {
  const name = 'remote_commands'
  const rules = movedTables[name]
  if (rules === undefined) throw new Error('commands are not moved')
  await makeAll(db, move, triggersOf(name, { ...rules, held: ['insert'] }, move))
}

/** @param progress hears of each table */
export async function holdWriters(
  db: Database,
  move: Move,
  progress: (table: string) => void,
): Promise<void> {
  for (const [table, rules] of Object.entries(movedTables)) {
    await makeAll(db, move, triggersOf(table, rules, move))
    progress(table)
  }
}

function triggersOf(
  table: string,
  { rows, held }: MovedTable,
  { warehouse, clients }: Move,
): Trigger[] {
  const which = rows({ clients, warehouse, warehouses: [warehouse] })
  return held.map((when) => ({
    name: when.split(' ')[0] ?? '',
    table,
    when,
    condition: `${when === 'delete' ? 'old' : 'new'}.${which}`,
  }))
}

async function makeAll(db: Database, move: Move, triggers: readonly Trigger[]): Promise<void> {
  for (const { name: what, table, when, condition } of triggers) {
    const name = `${prefixOf(move)}${what}`
    const made = await db`
      select from pg_trigger where tgrelid = ${table}::regclass and tgname = ${name}`
    if (made.length > 0) continue
    await whenFree(
      db,
      `create trigger ${name} before ${when} on ${table}
        for each row when (${condition}) execute function refuse_leaving()`,
    )
  }
}

/** Of one move: a later one has other names. */
const prefixOf = ({ id }: Pick<Move, 'id'>) => `leaving_${id.slice(-12)}_`

/** Takes the triggers away. */
export async function letWriters(db: Database, move: Move): Promise<void> {
  const rows = await db<{ table: string; name: string }[]>`
    select tgrelid::regclass::text as table, tgname as name from pg_trigger
    where tgparentid = 0 and starts_with(tgname, ${prefixOf(move)}) order by 1, 2`
  for (const { table, name } of rows) await whenFree(db, `drop trigger ${name} on ${table}`)
}

async function whenFree(db: Database, statement: string): Promise<void> {
  for (;;) {
    try {
      await db.begin({ lockWaitMsMax: lockMsMax }, async (tx) => {
        await tx.unsafe(statement)
      })
      return
    } catch (error) {
      if (!isLockWait(error)) throw error
      await sleep(pauseMs)
    }
  }
}
