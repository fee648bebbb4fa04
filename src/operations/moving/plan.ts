import { openCopySession } from '../../platform/db/copy-session.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { StartError } from '../../platform/kernel/start-error.ts'
import { findWarehouse } from '../../warehouse/clients/warehouses.ts'
import { type Cells, refuseKnownCodes } from './conditions.ts'
import { tableCopies } from './copy.ts'
import { type AskedMove, earlierCodes } from './move.ts'

export interface MovePlan {
  readonly warehouse: string
  readonly clients: number
  readonly rows: number
  /** The largest tables. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
}

const shownMax = 10

/** What a move would copy, where its conditions are met. @throws StartError */
export async function planOf(
  { db, other }: Cells,
  { warehouse, otherCode }: AskedMove,
): Promise<MovePlan> {
  if ((await findWarehouse(db, warehouse)) === undefined) {
    throw new StartError(`there is no warehouse ${warehouse}`)
  }
  const codes = { warehouse, otherCode, earlier: await earlierCodes(db, warehouse) }
  await refuseKnownCodes(other, { id: newId() }, codes)
  const clients = await db<{ id: string }[]>`
    select id from clients where warehouse_code = ${warehouse} and mode = 'live'`
  const ids = clients.map(({ id }) => id)
  const source = await openCopySession(db)
  try {
    const tables = []
    for (const { name, from } of await tableCopies(source, ids, codes)) {
      const [counted] = await source.run<{ rows: number }>(
        `select count(*) as rows from (${from}) t`,
      )
      tables.push({ table: name, rows: counted?.rows ?? 0 })
    }
    return {
      warehouse,
      clients: ids.length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      tables: tables.toSorted((one, other) => other.rows - one.rows).slice(0, shownMax),
    }
  } finally {
    await source.end()
  }
}
