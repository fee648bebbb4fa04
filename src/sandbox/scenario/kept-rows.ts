import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import type { Transaction } from '../../platform/db/connection.ts'
import { workAt } from '../../platform/db/work.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { fromTimestamp, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import { type Counters, setCounters } from '../../warehouse/clients/counters.ts'
import { columnsOfCopies } from '../copies.ts'
import { createSeller, layOutWarehouse } from './founding.ts'

/**
 * The scenario's rows, as they were when it was played: `node scripts/scenario.ts` keeps them in a file (read-rows.ts). Playing
 * takes ten thousand statements, restoring one for each table.
 */
export interface ScenarioRows {
  /** The last moment of the scenario. */
  readonly end: Timestamp
  readonly counters: Counters
  /** In the order in which they can be written. */
  readonly tables: readonly TableRows[]
}

export interface TableRows {
  readonly table: string
  readonly columns: readonly string[]
  /**
   * Values by column, except what the database numbers itself. An id is its number among the scenario's ids, a location its
   * code; the nil id of units that lie nowhere stays.
   */
  readonly rows: readonly (readonly unknown[])[]
}

/** The place of lots that lie neither in a box nor at a location. */
export const nowhere = '00000000-0000-0000-0000-000000000000'

export const keptRowsFile = new URL('kept-rows.json.br', import.meta.url)

interface KeptScenario {
  /** Differs when the rows differ: new sandboxes then copy the new ones. */
  readonly version: string
  read(): ScenarioRows
}

export function keptScenario(): KeptScenario {
  const file = readFileSync(keptRowsFile)
  return {
    version: createHash('sha256').update(file).digest('hex').slice(0, 16),
    read: () => JSON.parse(brotliDecompressSync(file).toString()) as ScenarioRows,
  }
}

/** Writes the scenario's rows for a new client, in the caller's transaction. Returns the client's id. */
export async function restoreScenario(
  tx: Transaction,
  { end, counters, tables }: ScenarioRows,
): Promise<string> {
  const lastMoment = fromTimestamp(end)
  const clientId = await createSeller(tx, lastMoment)
  const places = await layOutWarehouse(workAt(tx, lastMoment, { kind: 'robot' }))
  const locations = new Map(places.map(({ id, code }) => [code, id]))
  const ids: string[] = []
  const idOf = (number: number) => {
    ids[number] ??= newId()
    return ids[number]
  }
  const types = await columnsOfCopies(tx)
  for (const { table, columns, rows } of tables) {
    const ofIds = new Set(
      types.get(table)?.flatMap((each) => (each.data_type === 'uuid' ? [each.column_name] : [])),
    )
    const written = (column: string, value: unknown) => {
      if (!ofIds.has(column) || value === null || value === nowhere) return value
      return typeof value === 'number' ? idOf(value) : placeOf(locations, value)
    }
    const named = rows.map((row) =>
      Object.fromEntries(columns.map((column, at) => [column, written(column, row[at])])),
    )
    const names = columns.map((column) => `"${column}"`).join(', ')
    await tx.unsafe(
      `insert into "${table}" (client_id, ${names})
       select $1::uuid, ${names} from json_populate_recordset(null::"${table}", $2::json)`,
      [clientId, JSON.stringify(named)],
    )
  }
  await setCounters(tx, clientId, counters)
  // The planner knows nothing of tables that were empty, and would choose poor indexes for the copies.
  await tx.unsafe(`analyze ${tables.map(({ table }) => `"${table}"`).join(', ')}`)
  return clientId
}

/** @throws Error for a location that the warehouse does not have */
export function placeOf(locations: ReadonlyMap<string, string>, key: unknown): string {
  const found = locations.get(key as string)
  if (found === undefined) throw new Error(`the warehouse has no location ${key}`)
  return found
}
