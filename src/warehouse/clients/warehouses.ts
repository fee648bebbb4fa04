import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { moment } from '../../platform/kernel/schema.ts'

/** Warehouses, and whether they take receipt requests. This file alone writes them. */

export const Warehouse = Type.Object(
  {
    code: Type.String({ description: 'Короткий код склада.' }),
    name: Type.String({ description: 'Название склада.' }),
    intake_open: Type.Boolean({
      description: 'Принимает ли склад заявки; если нет, `POST /v1/receipts` отвечает 502.',
    }),
    created_at: moment('Когда заведён.'),
  },
  { $id: 'Warehouse', description: 'Склад.' },
)
export type Warehouse = Static<typeof Warehouse>

interface NewWarehouse {
  readonly code: string
  readonly name: string
  /** Whose goods lie in it: of live clients, or of sandboxes. */
  readonly mode: Mode
}

/** Adds a warehouse unless its code exists. Returns whether it was added. */
export async function ensureWarehouse(
  { tx, at }: Pick<Work, 'tx' | 'at'>,
  { code, name, mode }: NewWarehouse,
): Promise<boolean> {
  const added = await tx`
    insert into warehouses (code, name, mode, created_at) values (${code}, ${name}, ${mode}, ${at})
    on conflict do nothing returning code`
  return added.length > 0
}

/** Adds a warehouse of live clients. Throws conflict for a code that exists. */
export async function addWarehouse(
  work: Work,
  { code, name }: Omit<NewWarehouse, 'mode'>,
): Promise<void> {
  if (!(await ensureWarehouse(work, { code, name, mode: 'live' }))) throw taken(code)
}

function taken(code: string): Error {
  return conflict(`Склад с кодом ${code} уже есть`)
}

/** The first warehouse of the service, added when the first client needs one. */
const firstWarehouse = { code: 'MAIN', name: 'Основной склад', mode: 'live' } as const

/** The warehouse of a client for whom none is named: the oldest one. */
export async function oldestWarehouse(work: Work): Promise<string> {
  const oldest = await findOldest(work)
  if (oldest !== undefined) return oldest
  await ensureWarehouse(work, firstWarehouse)
  // Two first clients may be created at once: then the other one added it.
  const added = await findOldest(work)
  if (added === undefined) throw taken(firstWarehouse.code)
  return added
}

async function findOldest({ tx }: Work): Promise<string | undefined> {
  const [first] = await tx<{ code: string }[]>`
    select code from warehouses where mode = 'live' order by created_at, code limit 1`
  return first?.code
}

/** Opens or closes a warehouse for receipt requests. Returns false where it is so already. */
export async function switchIntake(work: Work, code: string, open: boolean): Promise<boolean> {
  const { tx } = work
  const [known] = await tx<{ intake_open: boolean }[]>`
    select intake_open from warehouses where code = ${code} and mode = 'live' for no key update`
  if (known === undefined) throw notFound('Склад не найден')
  if (known.intake_open === open) return false
  await tx`update warehouses set intake_open = ${open} where code = ${code}`
  return true
}

/** Finds a warehouse of live clients; with `lock` nobody else changes it until the transaction ends. */
export async function findWarehouse(
  db: Queryable,
  code: string,
  lock = false,
): Promise<Warehouse | undefined> {
  const [row] = await db<Warehouse[]>`
    select code, name, intake_open, created_at from warehouses
    where code = ${code} and mode = 'live' ${lock ? db`for no key update` : db``}`
  return row
}

/** Throws not_found. */
export async function refuseMissingWarehouse(db: Queryable, code: string): Promise<void> {
  if ((await findWarehouse(db, code)) === undefined) throw notFound('Склада с таким кодом нет')
}

/** Lists the warehouses of live clients by code: all, or those with some codes. */
export async function listWarehouses(
  db: Queryable,
  page: PageRequest,
  codes: readonly string[],
): Promise<Page<Warehouse>> {
  const where = db`mode = 'live' ${codes.length === 0 ? db`` : db`and code = any(${[...codes]})`}`
  const total = db`select count(*) from warehouses where ${where}`
  const rows = await db<(Warehouse & { total: number })[]>`
    select code, name, intake_open, created_at, ${totalFor(db, total, page)} as total from warehouses
    where ${where}
      ${page.after === undefined ? db`` : db`and code > ${String(page.after[0])}`}
    order by code limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ code, name, intake_open, created_at }) => ({ code, name, intake_open, created_at }),
    position: (row) => [row.code],
    count: () => countOf(db, total),
  })
}
