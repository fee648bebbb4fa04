import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, type Queryable } from '../../src/platform/db/connection.ts'
import { columnsOfCopies } from '../../src/sandbox/copies.ts'
import {
  keptScenario,
  restoreScenario,
  type ScenarioRows,
} from '../../src/sandbox/scenario/kept-rows.ts'
import { playForRows, readScenarioRows } from '../../src/sandbox/scenario/read-rows.ts'
import { ensureWarehouse } from '../../src/warehouse/clients/warehouses.ts'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase()
const stored = keptScenario().read()

/**
 * The rows of each table in an order and with names of ids that do not depend on how ids came out: an id is what its own row
 * says beside ids.
 */
async function comparable(tx: Queryable, { tables }: ScenarioRows): Promise<Map<string, string[]>> {
  const types = await columnsOfCopies(tx)
  const read = tables.map(({ table, columns, rows }) => {
    const ids = (types.get(table) ?? []).flatMap((column) =>
      column.data_type === 'uuid' && !column.column_name.endsWith('location_id')
        ? column.column_name
        : [],
    )
    const isId = columns.map((column) => ids.includes(column))
    const plain = rows.map((row) => JSON.stringify([table, row.filter((_, at) => !isId[at])]))
    return { table, columns, rows, isId, plain }
  })
  const named = new Map<unknown, string>()
  for (const { columns, rows, plain } of read) {
    const own = columns.indexOf('id')
    if (own >= 0) for (const [n, row] of rows.entries()) named.set(row[own], plain[n] ?? '')
  }
  return new Map(
    read.map(({ table, rows, isId, plain }) => [
      table,
      rows
        .map((row, n) => {
          const references = row
            .filter((_, at) => isId[at])
            .map((id) => named.get(id) ?? id === null)
          return JSON.stringify([plain[n], references])
        })
        .sort(),
    ]),
  )
}

async function assertSame(tx: Queryable, found: ScenarioRows, wanted: ScenarioRows): Promise<void> {
  const [ours, theirs] = [await comparable(tx, found), await comparable(tx, wanted)]
  assert.deepEqual([...ours.keys()], [...theirs.keys()])
  for (const [table, rows] of theirs) {
    assert.ok(table.endsWith('_facts') || table === 'return_lines' || rows.length > 0, table)
    const odd = ours.get(table)?.find((row, n) => row !== rows[n])
    assert.equal(odd, undefined, `${table} differs: "node scripts/scenario.ts" keeps its rows anew`)
    assert.equal(ours.get(table)?.length, rows.length, table)
  }
  assert.deepEqual(
    { end: found.end, counters: found.counters, columns: found.tables.map((each) => each.columns) },
    {
      end: wanted.end,
      counters: wanted.counters,
      columns: wanted.tables.map((each) => each.columns),
    },
  )
}

test('the kept scenario is the one that is played', async () => {
  await assertSame(db, await playForRows(db), stored)
})

test('a restored scenario has all kept rows', async () => {
  await inTransaction(db, async (tx) => {
    await ensureWarehouse({ tx, at: stored.end }, { code: 'DEMO', name: 'Склад', mode: 'test' })
    const clientId = await restoreScenario(tx, stored)
    await assertSame(tx, await readScenarioRows(tx, clientId), stored)
  })
})
