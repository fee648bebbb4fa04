import type { SecretBox } from '../kernel/secret-box.ts'
import { type Database, inTransaction, type Transaction } from './connection.ts'

/**
 * Seals a column of secrets with the newest key, so that the operator can remove older keys from the
 * settings. It goes through the rows in the order of their keys, one transaction per batch: run it again
 * after an interruption. It disturbs no running service, provided that every process already has the
 * newest key.
 */

/** A column of sealed values, each bound to the id of its row. The table has columns client_id and id. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
}

export interface ResealedColumn {
  readonly resealed: number
  /** Values that the newest key had sealed before. */
  readonly current: number
  /** Rows whose value no key of the settings opens. */
  readonly unreadable: readonly RowKey[]
}

interface RowKey {
  readonly client_id: string
  readonly id: string
}

interface SealedRow extends RowKey {
  readonly secret: Buffer
}

const batchMax = 500
const zero = '00000000-0000-0000-0000-000000000000'
const beforeAll: RowKey = { client_id: zero, id: zero }

export async function resealColumn(
  db: Database,
  box: SecretBox,
  sealed: SealedColumn,
): Promise<ResealedColumn> {
  let resealed = 0
  let current = 0
  const unreadable: RowKey[] = []
  let last: RowKey | undefined = beforeAll
  while (last !== undefined) {
    const after: RowKey = last
    const batch = await inTransaction(db, (tx) => resealAfter(tx, box, sealed, after))
    resealed += batch.resealed
    current += batch.current
    unreadable.push(...batch.unreadable)
    last = batch.last
  }
  return { resealed, current, unreadable }
}

async function resealAfter(
  tx: Transaction,
  box: SecretBox,
  { table, column }: SealedColumn,
  after: RowKey,
) {
  const rows = await tx<SealedRow[]>`
    select client_id, id, ${tx(column)} as secret from ${tx(table)}
    where (client_id, id) > (${after.client_id}, ${after.id}) and ${tx(column)} is not null
    order by client_id, id limit ${batchMax} for no key update`
  const old = rows.filter(({ secret }) => !box.isNewest(secret))
  const opened = old.map((row) => ({ row, text: openOf(box, row) }))
  const fresh = opened.flatMap(({ row: { client_id, id }, text }) =>
    text === undefined ? [] : [{ client_id, id, secret: box.seal(text, id).toString('hex') }],
  )
  if (fresh.length > 0) {
    await tx`
      update ${tx(table)} t set ${tx(column)} = decode(f.secret, 'hex')
      from jsonb_to_recordset(${tx.json(fresh)}) as f (client_id uuid, id uuid, secret text)
      where t.client_id = f.client_id and t.id = f.id`
  }
  return {
    resealed: fresh.length,
    current: rows.length - old.length,
    unreadable: opened
      .filter(({ text }) => text === undefined)
      .map(({ row: { client_id, id } }) => ({ client_id, id })),
    last: rows.length < batchMax ? undefined : rows.at(-1),
  }
}

function openOf(box: SecretBox, { secret, id }: SealedRow): string | undefined {
  try {
    return box.open(secret, id)
  } catch {
    return undefined
  }
}
