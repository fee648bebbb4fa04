import type { Database, Queryable } from '../db/connection.ts'
import { clientsOf } from '../db/newest-of-all.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import { inSnapshot } from '../db/snapshot.ts'
import { isId } from '../kernel/ids.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { linesOfTask, missesOfTask } from './content.ts'
import {
  type PickingTask,
  type PickResult,
  type TaskRow,
  type TaskStatus,
  taskView,
} from './view.ts'

type Fragment = ReturnType<Queryable>

export interface TaskFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  readonly status: TaskStatus | undefined
  readonly shipment_id: string | undefined
}

/**
 * Tasks t with their shipments and the counts of their orders. Those that left with the shipment were
 * all packed, and count so whatever has become of them since.
 */
function taskSelect(db: Queryable, tasks: Fragment) {
  return db`
    select t.id, t.client_id, t.shipment_id, s.external_id as shipment_external_id, t.status,
      t.opened_at, t.done_at, coalesce(t.shipped_count, o.alive) as orders_count,
      coalesce(t.shipped_count, o.packed) as packed_count,
      o.all_orders - coalesce(t.shipped_count, o.alive) as cancelled_count
    from ${tasks} t
    join shipments s on s.client_id = t.client_id and s.id = t.shipment_id
    cross join lateral (
      select count(*) as all_orders, count(*) filter (where o.status <> 'CANCELLED') as alive,
        count(*) filter (where o.status <> 'CANCELLED' and o.packed_at is not null) as packed
      from orders o where o.client_id = t.client_id and o.shipment_id = t.shipment_id
    ) o`
}

/** Picking tasks of one client or of all, the newest first, without what is in them. */
export async function listTasks(
  db: Database,
  filter: TaskFilter,
  page: PageRequest,
): Promise<Page<PickingTask>> {
  const { client_id: client, status, shipment_id: shipment } = filter
  if ((client !== undefined && !isId(client)) || (shipment !== undefined && !isId(shipment))) {
    return { items: [], total: 0, next: null }
  }
  const where = db`
    x.client_id = c.id
    ${status === undefined ? db`` : db`and x.status = ${status}`}
    ${shipment === undefined ? db`` : db`and x.shipment_id = ${shipment}`}`
  const total = db`
    select count(*) from ${clientsOf(db, client)} cross join picking_tasks x where ${where}`
  const newest: Fragment = db`(
    select k.* from ${clientsOf(db, client)} cross join lateral (
      select x.* from picking_tasks x where ${where} ${afterTask(db, page)}
      order by x.opened_at desc, x.id desc limit ${page.limit + 1}
    ) k
    order by k.opened_at desc, k.id desc limit ${page.limit + 1})`
  const rows = await db<(TaskRow & { total: number })[]>`
    select tasks.*, (${total}) as total from (${taskSelect(db, newest)}) tasks
    order by opened_at desc, id desc`
  return pageOf(rows, page, {
    view: (row) => taskView(row),
    position: (row) => [row.opened_at, row.id],
    count: () => countOf(db, total),
  })
}

function afterTask(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const [openedAt, id] = after.map(String) as [string, string]
  return db`and (x.opened_at, x.id) < (${openedAt}::timestamptz, ${id}::uuid)`
}

/** A task as it is in a list, or undefined where the client has none of that id. */
export async function findTaskAlone(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<PickingTask | undefined> {
  const row = await taskRow(db, clientId, id)
  return row && taskView(row)
}

/** A task with its lines, where to find them, and what was not found. */
export async function findTask(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<PickingTask | undefined> {
  return inSnapshot(db, async (tx) => {
    const row = await taskRow(tx, clientId, id)
    if (row === undefined) return undefined
    const [lines, misses] = await Promise.all([
      linesOfTask(tx, clientId, row.shipment_id),
      missesOfTask(tx, clientId, id),
    ])
    return taskView(row, { lines, misses })
  })
}

async function taskRow(db: Queryable, clientId: string, id: string): Promise<TaskRow | undefined> {
  const one: Fragment = db`(select * from picking_tasks where client_id = ${clientId} and id = ${id})`
  const [row] = await db<TaskRow[]>`${taskSelect(db, one)}`
  return row
}

interface PickRow {
  scan_id: string
  order_id: string
  barcode: string
  undone: boolean
  packed_at: Timestamp | null
}

/** What came of a scan that was taken. */
export async function findPick(
  db: Queryable,
  clientId: string,
  taskId: string,
  scanId: string,
): Promise<Omit<PickResult, 'repeated'> | undefined> {
  const [row] = await db<PickRow[]>`
    select p.scan_id, p.order_id, p.barcode, p.undone_at is not null as undone, o.packed_at
    from picks p join orders o on o.client_id = p.client_id and o.id = p.order_id
    where p.client_id = ${clientId} and p.task_id = ${taskId} and p.scan_id = ${scanId}`
  return row && { ...row, order_packed: row.packed_at !== null }
}
