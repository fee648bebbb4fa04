import type { Queryable } from '../../platform/db/connection.ts'
import type { PackCheck } from './view.ts'

/** Reads of `pack_checks`. When the content of an order changes, its checks are undone and no longer count. */

/** A check that counts. */
export interface CountedCheck {
  readonly order_id: string
  readonly line: number
  readonly marking_code: string | null
}

export function checksOfOrders(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<CountedCheck[]> {
  return db<CountedCheck[]>`
    select order_id, line, marking_code from pack_checks
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
      and undone_at is null`
}

/** The scans of these that the task has, undone ones too. */
export async function recordedChecks(
  db: Queryable,
  clientId: string,
  taskId: string,
  scanIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db<{ scan_id: string }[]>`
    select scan_id from pack_checks
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = any(${scanIds as string[]})`
  return new Set(rows.map(({ scan_id }) => scan_id))
}

interface CheckRow {
  readonly scan_id: string
  readonly undone: boolean
  readonly order_id: string
  readonly order_external_id: string
  readonly barcode: string
}

/** The result of a recorded check, or undefined where the shipment has no such scan. */
export async function findCheck(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  scanId: string,
): Promise<Omit<PackCheck, 'repeated'> | undefined> {
  const [row] = await db<CheckRow[]>`
    select c.scan_id, c.undone_at is not null as undone, c.order_id,
      o.external_id as order_external_id, c.barcode
    from picking_tasks t
    join pack_checks c on c.client_id = t.client_id and c.task_id = t.id
    join orders o on o.client_id = c.client_id and o.id = c.order_id
    where t.client_id = ${clientId} and t.shipment_id = ${shipmentId} and c.scan_id = ${scanId}`
  if (row === undefined) return undefined
  const [checks, lines] = await Promise.all([
    checksOfOrders(db, clientId, [row.order_id]),
    db<ParcelLine[]>`
      select l.line, l.barcode, p.name, l.quantity as units
      from order_lines l
      join products p on p.client_id = l.client_id and p.barcode = l.barcode
      where l.client_id = ${clientId} and l.order_id = ${row.order_id} order by l.line`,
  ])
  return { ...row, ...checkProgress(lines, checks) }
}

interface ParcelLine {
  readonly line: number
  readonly barcode: string
  readonly name: string | null
  readonly units: number
}

/** How far the check of an order is. */
export function checkProgress(
  lines: readonly ParcelLine[],
  checks: readonly { readonly line: number }[],
): Pick<PackCheck, 'units' | 'checked' | 'complete' | 'missing'> {
  const missing = lines.flatMap(({ line, barcode, name, units }) => {
    const qty = units - checks.filter((check) => check.line === line).length
    return qty > 0 ? [{ barcode, name: name ?? barcode, qty }] : []
  })
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  const checked = units - missing.reduce((sum, { qty }) => sum + qty, 0)
  return { units, checked, complete: missing.length === 0, missing }
}
