import { openCopySession } from '../../platform/db/copy-session.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { findWarehouse } from '../../warehouse/clients/warehouses.ts'
import type { Cells } from './conditions.ts'
import { tableCopies } from './copy.ts'
import { liveClientsOf, refuseCollisions } from './known.ts'
import type { AskedMove } from './move.ts'

export interface MovePlan {
  readonly warehouse: string
  readonly clients: number
  /** Whether it was in the other cell before. */
  readonly comes_back: boolean
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
  const codes = await refuseCollisions({ db, other }, { id: newId(), warehouse, otherCode })
  const ids = await liveClientsOf(db, warehouse)
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
      comes_back: codes.comesBack,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      tables: tables.toSorted((one, other) => other.rows - one.rows).slice(0, shownMax),
    }
  } finally {
    await source.end()
  }
}
