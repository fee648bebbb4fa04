import type { Database } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import { clientsOf } from '../clients/list-conditions.ts'
import { goodsOfExpected } from './expected-units.ts'
import { type ExpectedReturn, expectedReturnView } from './expected-view.ts'
import type { ReturnState } from './state.ts'

export interface ExpectedReturnFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly cabinet_id: string | undefined
  readonly state: ReturnState | undefined
}

/** Expected returns of one client or of all, newest first. */
export async function listExpectedReturns(
  db: Database,
  { client_id: client, warehouses, ...filter }: ExpectedReturnFilter,
  page: PageRequest,
): Promise<Page<ExpectedReturn>> {
  if (!areIds(client, filter.cabinet_id)) return emptyPage
  const conditions = conditionsOf(db, filter, {
    cabinet_id: (id) => db`x.cabinet_id = ${id}`,
    state: (state) => db`x.state = ${state}`,
  })
  const where = db`true ${conditions}`
  const columns = db`
    e.id, e.client_id, owner.name as client_name, e.cabinet_id, b.marketplace, e.external_id, e.kind, e.state,
      e.remote_state, e.reason, e.order_id, e.order_number as order_external_id,
      coalesce(l.barcode, g.barcodes[1], f.barcode) as barcode,
      coalesce(e.article, g.article, f.article) as article, coalesce(e.name, g.name, p.name) as name,
      e.units as qty, e.since, e.changed_at, e.place_name, e.place_address, e.label_code,
      case when e.state = 'READY' then y.giveout_code end as giveout_code, e.disposal_at,
      coalesce(o.observed, b.shipments = 'observe') as observed, e.created_at`
  const tables = db`
    expected_returns e on e.client_id = k.client_id and e.id = k.id
    join clients owner on owner.id = e.client_id
    join cabinets b on b.client_id = e.client_id and b.id = e.cabinet_id
    left join orders o on o.client_id = e.client_id and o.id = e.order_id
    left join cabinet_syncs y on y.client_id = e.client_id and y.cabinet_id = e.cabinet_id
    ${goodsOfExpected(db)}
    left join ordered_lines f on f.client_id = e.client_id and f.order_id = e.order_id
      and f.line = 1 and e.item_id is null
    left join products p on p.client_id = e.client_id
      and p.barcode = coalesce(l.barcode, g.barcodes[1], f.barcode)`
  const across = { clients: clientsOf(db, client, warehouses), table: 'expected_returns', where }
  return pageInOrder(db, { across, columns, tables, view: expectedReturnView }, page)
}
