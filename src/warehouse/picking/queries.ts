import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { countAcrossClients } from '../../platform/db/lists/list-order.ts'
import { newestAcrossClients } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { inSnapshot } from '../../platform/db/work.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { clientsOf } from '../clients/list-conditions.ts'
import type { PickedCode } from './checked-unit.ts'
import { claimEnd } from './claims.ts'
import { linesOfTask, missesOfTask } from './content.ts'
import { marksOfTask } from './mark-proof-queries.ts'
import { notesOn } from './required-marks.ts'
import type { PickingTaskStatus } from './state.ts'
import { type PickingTask, type PickingTaskRow, type PickResult, pickingTaskView } from './view.ts'

/** The client that a picking task belongs to. Throws not_found. */
export const ownerOfPickingTask = ownerLookup('picking_tasks', 'Задание на сборку не найдено')

export interface PickingTaskFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly status: PickingTaskStatus | undefined
  readonly shipment_id: string | undefined
}

/**
 * The rows (PickingTaskRow) of tasks; `tasks` is a query of picking_tasks in parentheses. The claim is the one that
 * lasts at the moment `at`. Once the shipment has left, its orders count as they left: all packed, even if cancelled
 * since.
 */
function selectTasks(db: Queryable, tasks: Fragment, at: Timestamp) {
  return db`
    select t.id, t.client_id, c.name as client_name, s.marketplace, t.shipment_id,
      s.external_id as shipment_external_id, t.status,
      t.opened_at, t.done_at, coalesce(t.shipped_count, o.alive) as orders_count,
      coalesce(t.shipped_count, o.packed) as packed_count,
      o.all_orders - coalesce(t.shipped_count, o.alive) as cancelled_count, o.deadline,
      u.id as claimed_by, u.login as claim_login, u.shown_name as claim_name,
      t.claimed_at, ${claimEnd(db)} as claim_ends_at
    from ${tasks} t
    join shipments s on s.client_id = t.client_id and s.id = t.shipment_id
    join clients c on c.id = t.client_id
    cross join lateral (
      select count(*) as all_orders, count(*) filter (where o.status <> 'CANCELLED') as alive,
        count(*) filter (where o.status <> 'CANCELLED' and o.packed_at is not null) as packed,
        min(o.deadline_at) filter (where o.status in ('NEW', 'ASSEMBLING')) as deadline
      from orders o where o.client_id = t.client_id and o.shipment_id = t.shipment_id
    ) o
    left join staff_users u on u.id = t.claimed_by and ${claimEnd(db)} > ${at}::timestamptz`
}

/** Picking tasks of one client or of all, the newest first, without lines and misses. */
export async function listPickingTasks(
  db: Database,
  { client_id: client, warehouses, ...filter }: PickingTaskFilter,
  page: PageRequest,
  at: Timestamp,
): Promise<Page<PickingTask>> {
  if (!areIds(client, filter.shipment_id)) return emptyPage
  const where = db`true ${conditionsOf(db, filter, {
    status: (status) => db`x.status = ${status}`,
    shipment_id: (shipment) => db`x.shipment_id = ${shipment}`,
  })}`
  const clients = clientsOf(db, client, warehouses)
  const across = { clients, table: 'picking_tasks', time: 'opened_at', where }
  const total = countAcrossClients(db, across)
  const newest = db`(
    select x.* from (${newestAcrossClients(db, across, page)}) k
    join picking_tasks x on x.client_id = k.client_id and x.id = k.id)`
  const rows = await db<(PickingTaskRow & { total: number })[]>`
    select tasks.*, ${totalFor(db, total, page)} as total from (${selectTasks(db, newest, at)}) tasks
    order by opened_at desc, id desc`
  return pageOf(rows, page, {
    view: (row) => pickingTaskView(row),
    position: (row) => [row.opened_at, row.id],
    count: () => countOf(db, total),
  })
}

/** A task as lists show it, or undefined where the client has none of that id. */
export async function findPickingTaskSummary(
  db: Queryable,
  clientId: string,
  id: string,
  at: Timestamp,
): Promise<PickingTask | undefined> {
  const row = await taskRow(db, clientId, id, at)
  return row && pickingTaskView(row)
}

/** A task with its lines, the boxes of their goods, and its misses. */
export async function findPickingTask(
  db: Queryable,
  clientId: string,
  id: string,
  at: Timestamp,
): Promise<PickingTask | undefined> {
  return inSnapshot(db, async (tx) => {
    const row = await taskRow(tx, clientId, id, at)
    if (row === undefined) return undefined
    const [lines, misses, marks] = await Promise.all([
      linesOfTask(tx, clientId, row.shipment_id, at),
      missesOfTask(tx, clientId, id),
      marksOfTask(tx, clientId, id),
    ])
    return pickingTaskView(row, { lines, misses, ...marks })
  })
}

async function taskRow(
  db: Queryable,
  clientId: string,
  id: string,
  at: Timestamp,
): Promise<PickingTaskRow | undefined> {
  const one: Fragment = db`(select * from picking_tasks where client_id = ${clientId} and id = ${id})`
  const [row] = await db<PickingTaskRow[]>`${selectTasks(db, one, at)}`
  return row
}

interface PickRow {
  scan_id: string
  order_id: string
  order_external_id: string
  barcode: string
  name: string
  order_units: number
  order_picked: number
  put_back: NonNullable<PickResult['put_back']>
  undone: boolean
  packed_at: Timestamp | null
  marks: GivenMarks
  required: string[]
}

/** The result of a recorded scan, or undefined where the task has no such scan. */
export async function findPick(
  db: Queryable,
  clientId: string,
  taskId: string,
  scanId: string,
): Promise<Omit<PickResult, 'repeated'> | undefined> {
  const [row] = await db<PickRow[]>`
    select p.scan_id, p.order_id, o.external_id as order_external_id, p.barcode, g.name,
      p.undone_at is not null as undone, o.packed_at, p.marks, u.order_units, u.order_picked,
      coalesce(l.required_marks, '{}') as required,
      json_build_object('box_id', p.box_id, 'sscc', n.sscc, 'location_id', p.location_id,
        'location_code', w.code) as put_back
    from picks p join orders o on o.client_id = p.client_id and o.id = p.order_id
    join products g on g.client_id = p.client_id and g.barcode = p.barcode
    cross join lateral (
      select coalesce(sum(quantity), 0)::bigint as order_units,
        coalesce(sum(picked), 0)::bigint as order_picked
      from order_lines where client_id = p.client_id and order_id = p.order_id
    ) u
    left join storage_numbers n on n.client_id = p.client_id and n.object_id = p.box_id
    left join locations w on w.id = p.location_id
    left join order_lines l on l.client_id = p.client_id and l.order_id = p.order_id
      and l.line = p.line
    where p.client_id = ${clientId} and p.task_id = ${taskId} and p.scan_id = ${scanId}`
  if (row === undefined) return undefined
  const { required, put_back, ...pick } = row
  return {
    ...pick,
    order_packed: row.packed_at !== null,
    notes: notesOn(required),
    ...(row.undone ? { put_back } : {}),
  }
}

/** The units that are picked for orders, with their marking codes. */
export function pickedCodes(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<PickedCode[]> {
  return db<PickedCode[]>`
    select order_id, line, barcode, marking_code as code from picks
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
      and undone_at is null`
}
