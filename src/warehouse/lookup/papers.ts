import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { isId } from '../../platform/kernel/ids.ts'
import type { LookupMatch } from './view.ts'

/** Orders, shipments, receipts and returns that a code names: by id, by number, or by a label. */

export interface LookupBounds {
  /** The condition on clients k that the viewer sees. */
  readonly seen: Fragment
  /** Matches at most. */
  readonly limit: number
  /** Whether receipts that nobody has confirmed are found, too. */
  readonly withRequests: boolean
}

interface Owned {
  id: string
  client_id: string
  client_name: string
  status: string
}

/** The rows of `table` x with this number, or with this id where the code is one. */
function named(db: Queryable, column: string, code: string) {
  return isId(code) ? db`x.id = ${code}` : db`${db(`x.${column}`)} = ${code}`
}

export async function ordersOf(
  db: Queryable,
  code: string,
  { seen, limit }: Omit<LookupBounds, 'withRequests'>,
): Promise<LookupMatch[]> {
  const labelled = db`
    union
    select f.client_id, f.order_id as id from order_facts f where f.label_codes @> ${[code]}::text[]`
  const rows = await db<
    (Owned & { number: string; marketplace: string; shipment_id: string | null; units: number })[]
  >`
    select o.id, o.client_id, k.name as client_name, o.status, o.external_id as number, o.marketplace,
      o.shipment_id, (
        select coalesce(sum(l.quantity), 0)::bigint from order_lines l
        where l.client_id = o.client_id and l.order_id = o.id) as units
    from (
      select x.client_id, x.id from orders x where ${named(db, 'external_id', code)}
      ${isId(code) ? db`` : labelled}
    ) known
    join orders o on o.client_id = known.client_id and o.id = known.id
    join clients k on k.id = o.client_id and ${seen}
    order by o.created_at desc, o.id limit ${limit}`
  return rows.map(({ number, marketplace, ...row }) => ({
    kind: 'order',
    title: `Заказ ${marketplace} ${number}`,
    ...row,
  }))
}

/** Rows of a table, called x, with their clients; `columns` begin with the status and the number. */
function rowsOf<T>(
  db: Queryable,
  { seen, limit }: LookupBounds,
  { table, columns, where }: { table: string; columns: Fragment; where: Fragment },
) {
  return db<(Owned & { number: string } & T)[]>`
    select x.id, x.client_id, k.name as client_name, ${columns}
    from ${db(table)} x join clients k on k.id = x.client_id and ${seen}
    where ${where}
    order by x.created_at desc, x.id limit ${limit}`
}

export async function shipmentsOf(
  db: Queryable,
  code: string,
  bounds: LookupBounds,
): Promise<LookupMatch[]> {
  const rows = await rowsOf<{ marketplace: string; units: number }>(db, bounds, {
    table: 'shipments',
    columns: db`x.status, x.external_id as number, x.marketplace, x.units`,
    where: named(db, 'external_id', code),
  })
  return rows.map(({ number, marketplace, ...row }) => ({
    kind: 'shipment',
    title: `Отгрузка ${marketplace} ${number}`,
    ...row,
  }))
}

export async function receiptsOf(
  db: Queryable,
  code: string,
  bounds: LookupBounds,
): Promise<LookupMatch[]> {
  const rows = await rowsOf(db, bounds, {
    table: 'receipts',
    columns: db`x.status, x.number`,
    where: db`${named(db, 'number', code)} ${
      bounds.withRequests ? db`` : db`and x.status <> 'PENDING_CONFIRMATION'`
    }`,
  })
  return rows.map(({ number, ...row }) => ({ kind: 'receipt', title: `Приёмка ${number}`, ...row }))
}

export async function returnsOf(
  db: Queryable,
  code: string,
  bounds: LookupBounds,
): Promise<LookupMatch[]> {
  const labelled = isId(code) ? db`` : db`or x.label_code = ${code}`
  type Expected = { order_id: string | null; name: string | null; units: number }
  const rows = await rowsOf<Expected>(db, bounds, {
    table: 'expected_returns',
    columns: db`x.state as status, x.external_id as number, x.order_id, x.name, x.units`,
    where: db`${named(db, 'external_id', code)} ${labelled}`,
  })
  return rows.map(({ number, ...row }) => ({
    kind: 'return',
    title: `Ожидаемый возврат ${number}`,
    ...row,
  }))
}

/** Batches in which returns come, by number or id. */
export async function returnBatchesOf(
  db: Queryable,
  code: string,
  bounds: LookupBounds,
): Promise<LookupMatch[]> {
  const rows = await rowsOf(db, bounds, {
    table: 'return_batches',
    columns: db`x.status, x.number`,
    where: named(db, 'number', code),
  })
  return rows.map(({ number, ...row }) => ({ kind: 'return', title: `Возвраты ${number}`, ...row }))
}
