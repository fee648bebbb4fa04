import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Work } from '../db/work.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { moment } from '../kernel/schema.ts'
import type { Mode } from './mode.ts'

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

/** Throws conflict where the code is taken. */
export async function addWarehouse(
  work: Work,
  warehouse: { code: string; name: string; mode?: Mode },
): Promise<void> {
  const added = await work.tx`
    insert into warehouses (code, name, mode, created_at)
    values (${warehouse.code}, ${warehouse.name}, ${warehouse.mode ?? 'live'}, ${work.at})
    on conflict do nothing returning code`
  if (added.length === 0) throw conflict(`Склад с кодом ${warehouse.code} уже есть`)
}

/** The warehouse a client gets when none is named: the oldest, made on the spot if there is none. */
const defaultWarehouse = { code: 'MAIN', name: 'Основной склад' }

export async function oldestWarehouse(work: Work): Promise<string> {
  const first = await findOldest(work)
  if (first !== undefined) return first
  const { code, name } = defaultWarehouse
  // Two first clients may come at once.
  await work.tx`
    insert into warehouses (code, name, mode, created_at)
    values (${code}, ${name}, 'live', ${work.at}) on conflict do nothing`
  const made = await findOldest(work)
  if (made === undefined) throw conflict(`Склад с кодом ${code} уже есть`)
  return made
}

async function findOldest({ tx }: Work): Promise<string | undefined> {
  const [first] = await tx<{ code: string }[]>`
    select code from warehouses where mode = 'live' order by created_at, code limit 1`
  return first?.code
}

/** Opens or closes the intake of receipt requests. False: it was so before. */
export async function switchIntake(work: Work, code: string, open: boolean): Promise<boolean> {
  const { tx } = work
  const [known] = await tx<{ intake_open: boolean }[]>`
    select intake_open from warehouses where code = ${code} and mode = 'live' for no key update`
  if (known === undefined) throw notFound('Склад не найден')
  if (known.intake_open === open) return false
  await tx`update warehouses set intake_open = ${open} where code = ${code}`
  return true
}

/** A warehouse of live clients; locked against changes where that is asked for. */
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

/** Warehouses of live clients, by code. */
export async function listWarehouses(db: Queryable, page: PageRequest): Promise<Page<Warehouse>> {
  const total = db`select count(*) from warehouses where mode = 'live'`
  const rows = await db<(Warehouse & { total: number })[]>`
    select code, name, intake_open, created_at, (${total}) as total from warehouses
    where mode = 'live'
      ${page.after === undefined ? db`` : db`and code > ${String(page.after[0])}`}
    order by code limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ code, name, intake_open, created_at }) => ({ code, name, intake_open, created_at }),
    position: (row) => [row.code],
    count: () => countOf(db, total),
  })
}
