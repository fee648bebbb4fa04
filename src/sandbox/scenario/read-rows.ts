import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { readCounters } from '../../warehouse/clients/counters.ts'
import { ensureWarehouse } from '../../warehouse/clients/warehouses.ts'
import { columnsOfCopies, copiedTables } from '../copies.ts'
import { playScenario } from './build.ts'
import { warehouse } from './goods.ts'
import { nowhere, placeOf, type ScenarioRows, type TableRows } from './kept-rows.ts'

/** The last moment of the scenario. Copies move to the present, so any moment does. */
const end = Date.parse('2026-11-20T12:00:00+03:00')

/** Plays the scenario for a client of its own and returns its rows. */
export async function playForRows(db: Database): Promise<ScenarioRows> {
  return inTransaction(db, async (tx) => {
    await ensureWarehouse({ tx, at: toTimestamp(end) }, { ...warehouse, mode: 'test' })
    return readScenarioRows(tx, await playScenario(tx, end))
  })
}

/** The rows of the client for whom the scenario was played or restored. */
export async function readScenarioRows(tx: Transaction, clientId: string): Promise<ScenarioRows> {
  const types = await columnsOfCopies(tx)
  const known = await tx<{ id: string; code: string }[]>`select id, code from locations`
  const locations = new Map(known.map(({ id, code }) => [id, code]))
  const numbers = new Map<string, number>()
  const numberOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size
    numbers.set(id, number)
    return number
  }
  const tables: TableRows[] = []
  for (const table of copiedTables) {
    const all = (types.get(table) ?? []).filter(({ column_name }) => column_name !== 'client_id')
    const columns = all.filter(({ is_identity }) => is_identity === 'NO')
    const numbered = all.find(({ is_identity }) => is_identity === 'YES')
    const order = numbered === undefined ? tx`` : tx`order by ${tx(numbered.column_name)}`
    const found = await tx<{ row: Record<string, unknown> }[]>`
      select to_json(t) as row from ${tx(table)} t where client_id = ${clientId} ${order}`
    const rows = found.map(({ row }) =>
      columns.map(({ column_name: name, data_type: type }) => {
        if (row[name] === null) return null
        const isLocation = name === 'place_id' && row.place === 'location'
        if (name.endsWith('location_id') || isLocation) return placeOf(locations, row[name])
        if (row[name] === nowhere) return nowhere
        if (type === 'ARRAY' && (row[name] as unknown[]).some((each) => isId(String(each)))) {
          throw new Error(`${table}.${name} is a list of ids, which no rule keeps`)
        }
        return type === 'uuid' ? numberOf(row[name] as string) : row[name]
      }),
    )
    tables.push({ table, columns: columns.map(({ column_name }) => column_name), rows })
  }
  return { end: toTimestamp(end), counters: await readCounters(tx, clientId), tables }
}
