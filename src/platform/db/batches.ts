import type { Transaction } from './connection.ts'
import type { Fragment } from './statements/fragment.ts'
import type { Tag } from './statements/tag.ts'

let cursors = 0

/** The rows of a query, at most `size` at a time, so that memory stays bounded however many there are. */
export async function* rowsInBatches<Row extends object>(
  tx: Transaction,
  query: Fragment,
  size: number,
): AsyncGenerator<Row[]> {
  cursors += 1
  const name = `batches_${cursors}`
  await tx`declare ${tx(name)} no scroll cursor for ${query}`
  try {
    let rows: Row[]
    do {
      rows = await fetchRows(tx, name, size)
      if (rows.length > 0) yield rows
    } while (rows.length === size)
  } finally {
    await tx.unsafe(`close ${name}`)
  }
}

/** The number of rows is no parameter to the server. */
function fetchRows<Row extends object>(tx: Tag, name: string, size: number): Promise<Row[]> {
  return tx.unsafe<Row[]>(`fetch forward ${Math.trunc(size)} from ${name}`)
}
