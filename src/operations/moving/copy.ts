import { pipeline } from 'node:stream/promises'
import type { CopySession } from '../../platform/db/copy-session.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { tablesOf } from '../backup/catalog.ts'
import { literal, type MovedRows, type MovedTable, movedTables, textList } from './tables.ts'

/** Copies rows from one database to another as streams, of which a few chunks are in memory at a time. */

/** The snapshot of the leaving cell, and the one transaction in the other. */
export interface Ends {
  readonly source: CopySession
  readonly target: CopySession
}

export interface Codes {
  /** The code of the warehouse in this cell. */
  readonly warehouse: string
  /** Its code in the other cell. */
  readonly otherCode: string
  /** Warehouses in which its clients were before and whose rows come along. Their codes are the same in both cells. */
  readonly earlier: readonly string[]
  /** Whether it was in the other cell before, where it left rows. */
  readonly comesBack: boolean
}

export function movedFrom(clients: readonly string[], { warehouse, earlier }: Codes): MovedRows {
  return { clients, warehouse, warehouses: [warehouse, ...earlier] }
}

export function movedTo(clients: readonly string[], { otherCode, earlier }: Codes): MovedRows {
  return { clients, warehouse: otherCode, warehouses: [otherCode, ...earlier] }
}

export interface TableCopy {
  readonly name: string
  readonly columns: readonly string[]
  /** Reads the rows of the leaving cell, as they shall be in the other. */
  readonly from: string
  /** Reads them in the other cell. */
  readonly to: string
}

/** Every moved table, with the statements that read its rows in both cells. */
export async function tableCopies(
  source: CopySession,
  clients: readonly string[],
  codes: Codes,
): Promise<TableCopy[]> {
  const known = new Map((await tablesOf(source)).map(({ name, columns }) => [name, columns]))
  return Object.entries(movedTables).map(([name, rules]) => {
    const columns = (known.get(name) ?? []).filter((column) => !rules.without?.includes(column))
    const names = columns.join(', ')
    const values = columns.map((column) => shownValue(name, column, rules, codes)).join(', ')
    return {
      name,
      columns,
      from: `select ${values} from ${name} where ${rules.rows(movedFrom(clients, codes))}`,
      to: `select ${names} from ${name} where ${rules.rows(movedTo(clients, codes))}`,
    }
  })
}

function shownValue(
  table: string,
  column: string,
  { values }: MovedTable,
  { warehouse, otherCode }: Codes,
): string {
  const own = values?.[column]
  if (own !== undefined) return `${own} as ${column}`
  if (column === 'warehouse_code' || (table === 'warehouses' && column === 'code')) {
    return `case ${column} when ${literal(warehouse)} then ${literal(otherCode)} else ${column} end as ${column}`
  }
  if (table === 'warehouses' && column === 'mode') {
    // Earlier ones are there for their prices alone.
    return `case code when ${literal(warehouse)} then 'live' else 'moved' end as mode`
  }
  return column
}

export async function copyRows(
  { source, target }: Ends,
  { name, columns, from }: Pick<TableCopy, 'name' | 'columns' | 'from'>,
): Promise<void> {
  await pipeline(
    source.copyOut(`copy (${from}${name === 'staff_journal' ? ' order by id' : ''}) to stdout`),
    target.copyIn(`copy ${name} (${columns.join(', ')}) from stdin`),
  )
}

interface Sum {
  readonly rows: number
  readonly sum: string
}

/** Counts the rows in both cells, and adds up a checksum of each. @throws StartError where they differ */
export async function compareRows(ends: Ends, { name, from, to }: TableCopy): Promise<number> {
  const [here, there] = await Promise.all([sumOf(ends.source, from), sumOf(ends.target, to)])
  if (here.rows === there.rows && here.sum === there.sum) return here.rows
  throw new StartError(
    `${name}: ${here.rows} rows here and ${there.rows} there, and their checksums ${here.sum === there.sum ? 'agree' : 'differ'}`,
  )
}

async function sumOf(session: CopySession, rows: string): Promise<Sum> {
  const [sum] = await session.run<Sum>(`
    select count(*) as rows,
      coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint::numeric), 0)::text as sum
    from (${rows}) t`)
  if (sum === undefined) throw new Error('a count gave no row')
  return sum
}

interface Reference {
  readonly child: string
  readonly parent: string
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}

/** For foreign keys, which nothing checks while rows are copied. @throws StartError for a row that refers to no row */
export async function checkReferences(
  target: CopySession,
  copies: readonly TableCopy[],
): Promise<void> {
  const references = await target.run<Reference>(`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent,
      array(select quote_ident(a.attname) from unnest(conkey) with ordinality k (n, at)
        join pg_attribute a on a.attrelid = conrelid and a.attnum = k.n order by k.at) as columns,
      array(select quote_ident(a.attname) from unnest(confkey) with ordinality k (n, at)
        join pg_attribute a on a.attrelid = confrelid and a.attnum = k.n order by k.at) as "parentColumns"
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
      and conrelid::regclass::text = any(${textList(copies.map(({ name }) => name))})`)
  for (const { child, parent, columns, parentColumns } of references) {
    const rows = copies.find(({ name }) => name === child)?.to
    const isSet = columns.map((column) => `c.${column} is not null`).join(' and ')
    const isIt = columns.map((column, n) => `p.${parentColumns[n]} = c.${column}`).join(' and ')
    const [found] = await target.run<{ count: number }>(`
      select count(*) as count from (${rows}) c
      where ${isSet} and not exists (select from ${parent} p where ${isIt})`)
    if (found?.count !== 0) {
      throw new StartError(`${child}: ${found?.count} rows refer to no row of ${parent}`)
    }
  }
}

/** Each cell numbers the entries of its journals by itself. */
const ownSequences = ['call_journal_id_seq', 'staff_journal_id_seq']
/** More than the other cell draws while its sequence is set, so that no number is drawn twice. */
const gap = 100_000

/** From now on the other cell draws higher numbers than those of the rows that come. */
export async function advanceSequences({ source, target }: Ends): Promise<void> {
  const read = (session: CopySession) =>
    session.run<{ name: string; value: number }>(`
      select sequencename as name, last_value as value from pg_sequences
      where schemaname = current_schema() and last_value is not null
        and sequencename <> all(${textList(ownSequences)})`)
  const there = new Map((await read(target)).map(({ name, value }) => [name, value]))
  for (const { name, value } of await read(source)) {
    if ((there.get(name) ?? 0) > value) continue
    await target.run(`select setval(${literal(name)}, ${value + gap})`)
  }
}
