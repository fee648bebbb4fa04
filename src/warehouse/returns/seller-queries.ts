import type { Database } from '../../platform/db/connection.ts'
import { conditionsOf, createdConditions } from '../../platform/db/lists/filter.ts'
import { afterPosition, filterOfPage } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { ClientId } from '../clients/list-conditions.ts'
import { type Return, type ReturnedGoodsRow, type ReturnRow, returnView } from './seller-view.ts'
import type { ReturnBatchStatus } from './state.ts'

/** Return batches as their seller reads them. */

export interface ReturnFilter {
  readonly status: ReturnBatchStatus | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

function returnColumns(db: Tag) {
  return db`b.id, b.number, b.status, b.created_at, b.finished_at, s.qty, s.sellable_qty,
    s.qty - s.sellable_qty as in_question_qty`
}

/** Batches `b` with the figures of their scans. */
function returnTables(db: Tag) {
  return db`
    return_batches b cross join lateral (
      select count(*)::int as qty,
        (count(*) filter (where s.condition = 'sellable'))::int as sellable_qty
      from return_scans s
      where s.client_id = b.client_id and s.return_id = b.id and s.undone_at is null
    ) s`
}

function matches(db: Database, clientId: string, filter: ReturnFilter) {
  return db`
    b.client_id = ${clientId} ${conditionsOf(db, filter, {
      status: (status) => db`b.status = ${status}`,
      ...createdConditions(db, 'b'),
    })}`
}

/** The client's batches, newest first, without what they hold. */
export async function listReturns(
  db: Database,
  clientId: string,
  filter: ReturnFilter,
  page: PageRequest,
): Promise<Page<Return>> {
  const total = db`select count(*) from return_batches b where ${matches(db, clientId, filter)}`
  const rows = await db<(ReturnRow & { total: number })[]>`
    select ${returnColumns(db)}, ${totalFor(db, total, page)} as total from ${returnTables(db)}
    where ${matches(db, clientId, filterOfPage(filter, page))} ${afterPosition(db, 'b', page.after)}
    order by b.created_at desc, b.id desc limit ${page.limit + 1}`.planOnce()
  return pageOf(rows, page, {
    view: (row) => returnView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/** A batch with what came back; undefined where the client has none with this id. */
export async function findReturn(
  db: Tag,
  clientId: ClientId,
  id: string,
): Promise<Return | undefined> {
  const [row] = await db<(ReturnRow & { items: ReturnedGoodsRow[] | null })[]>`
    select ${returnColumns(db)}, (
      select json_agg(json_build_object('order_id', g.order_id, 'order_external_id', o.external_id,
        'barcode', g.barcode, 'article', p.article, 'name', p.name, 'qty', g.qty,
        'condition', g.condition, 'reason', r.label) order by g.first_at, g.barcode, g.condition)
      from (
        select s.order_id, s.barcode, s.condition, s.reason, count(*) as qty, min(s.at) as first_at
        from return_scans s
        where s.client_id = b.client_id and s.return_id = b.id and s.undone_at is null
        group by 1, 2, 3, 4
      ) g
      left join products p on p.client_id = b.client_id and p.barcode = g.barcode
      left join orders o on o.client_id = b.client_id and o.id = g.order_id
      left join reasons r on r.kind = 'correction' and r.code = g.reason
    ) as items
    from ${returnTables(db)}
    where b.client_id = ${clientId} and b.id = ${id}`
  return row && returnView(row, row.items ?? [])
}
