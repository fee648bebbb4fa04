import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { byStatus, pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { byClient, clientsOf } from '../clients/list-conditions.ts'
import {
  type ReturnBatch,
  type ReturnBatchContent,
  type ReturnBatchRow,
  type ReturnLineRow,
  returnBatchContent,
  returnBatchView,
} from './batch-view.ts'
import { scansOfReturn } from './return-scans.ts'
import { type ReturnBatchStatus, returnBatchStatuses } from './state.ts'

/** Return batches as staff read them. */

/** The client that a return batch belongs to. Throws not_found. */
export const ownerOfReturnBatch = ownerLookup('return_batches', 'Приём возвратов не найден')

export interface ReturnBatchFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly cabinet_id: string | undefined
  readonly status: ReturnBatchStatus | undefined
  readonly number: string | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

function batchColumns(db: Queryable) {
  return db`
    b.id, b.client_id, owner.name as client_name, b.cabinet_id, b.number, b.status, b.day, b.comment,
    (
      select coalesce(sum(l.units), 0)::int from return_lines l
      where l.client_id = b.client_id and l.return_id = b.id
    ) as expected_qty, s.*, b.created_at, b.created_by, b.finished_at, b.finished_by`
}

/** Batches `b` with their owner and the figures of their scans. */
function batchTables(db: Queryable) {
  return db`
    return_batches b
    join clients owner on owner.id = b.client_id
    cross join lateral (
      select count(*)::int as came_qty, (count(*) filter (where s.line is null))::int as unexpected_qty,
        (count(*) filter (where s.condition = 'sellable'))::int as sellable_qty,
        (count(*) filter (where s.condition = 'damaged'))::int as damaged_qty,
        (count(*) filter (where s.condition = 'unknown'))::int as unknown_qty
      from return_scans s
      where s.client_id = b.client_id and s.return_id = b.id and s.undone_at is null
    ) s`
}

/** What return batches are listed by. */
export const returnSorts = ['created', 'client', 'status'] as const

/** Batches of one client or of all, without what they hold. */
export async function listReturnBatches(
  db: Database,
  {
    client_id: client,
    warehouses,
    created_from: from,
    created_to: to,
    ...filter
  }: ReturnBatchFilter,
  page: PageRequest,
): Promise<Page<ReturnBatch>> {
  if (!areIds(client, filter.cabinet_id)) return emptyPage
  const matching = db`true ${conditionsOf(db, filter, {
    cabinet_id: (id) => db`x.cabinet_id = ${id}`,
    status: (status) => db`x.status = ${status}`,
    number: (number) => db`x.number = ${number}`,
  })}`
  const clients = clientsOf(db, client, warehouses)
  const orders = {
    created: { column: 'created_at' },
    client: byClient(db, clients),
    status: byStatus(db, returnBatchStatuses),
  }
  const across = { clients, table: 'return_batches', where: matching, within: { from, to } }
  const tables = db`(${batchTables(db)}) on b.client_id = k.client_id and b.id = k.id`
  return pageInOrder(
    db,
    { across, orders, columns: batchColumns(db), tables, view: returnBatchView },
    page,
  )
}

async function findRow(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ReturnBatchRow | undefined> {
  const [row] = await db<ReturnBatchRow[]>`
    select ${batchColumns(db)} from ${batchTables(db)}
    where b.client_id = ${clientId} and b.id = ${id}`
  return row
}

/** A batch without what it holds, for the journal of changes. */
export async function findReturnBatch(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ReturnBatch | undefined> {
  const row = await findRow(db, clientId, id)
  return row && returnBatchView(row)
}

/** A batch with what was expected and what came; undefined where the client has none with this id. */
export async function findReturnBatchContent(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ReturnBatchContent | undefined> {
  const row = await findRow(db, clientId, id)
  if (row === undefined) return undefined
  const lines = await db<ReturnLineRow[]>`
    select l.external_id, l.order_id, l.barcode, p.name, l.units as qty, (
      select count(*)::int from return_scans s
      where s.client_id = l.client_id and s.return_id = l.return_id and s.line = l.line
        and s.undone_at is null
    ) as came_qty
    from return_lines l
    left join products p on p.client_id = l.client_id and p.barcode = l.barcode
    where l.client_id = ${clientId} and l.return_id = ${id} order by l.line`
  return returnBatchContent(row, lines, await scansOfReturn(db, clientId, id))
}
