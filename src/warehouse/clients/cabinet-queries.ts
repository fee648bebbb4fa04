import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
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
import { areIds, isId } from '../../platform/kernel/ids.ts'
import {
  type CabinetRow,
  type CredentialsState,
  cabinetColumns,
  cabinetTables,
  credentialsState,
  type StaffCabinet,
  staffCabinetView,
} from './cabinet-view.ts'
import { clientsOf } from './list-conditions.ts'

/** The client that a cabinet belongs to. Throws not_found. */
export const ownerOfCabinet = ownerLookup('cabinets', 'Кабинет не найден')

/** Finds a cabinet; with `lock` nobody else changes it until the transaction ends. */
export async function findCabinet(
  db: Queryable,
  clientId: string,
  id: string,
  lock = false,
): Promise<StaffCabinet | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<CabinetRow[]>`
    select ${cabinetColumns(db)} from ${cabinetTables(db)}
    where k.client_id = ${clientId} and k.id = ${id} ${lock ? db`for no key update of k` : db``}`
  return row === undefined ? undefined : staffCabinetView(row)
}

/** Newest first. */
export async function listCabinets(
  db: Queryable,
  clientId: string,
  page: PageRequest,
): Promise<Page<StaffCabinet>> {
  return listMatching(db, db`${cabinetTables(db)} where k.client_id = ${clientId}`, page)
}

export interface CabinetFilter {
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly credentials_state: CredentialsState | undefined
}

/** Lists the cabinets of all live clients or of one, newest first. */
export async function listCabinetsOfAll(
  db: Queryable,
  { client_id: client, warehouses, ...filter }: CabinetFilter,
  page: PageRequest,
): Promise<Page<StaffCabinet>> {
  if (!areIds(client)) return emptyPage
  const matching = db`
    ${clientsOf(db, client, warehouses)} join (${cabinetTables(db)}) on k.client_id = c.id
    where true ${conditionsOf(db, filter, {
      credentials_state: (state) => db`${credentialsState(db)} = ${state}`,
    })}`
  return listMatching(db, matching, page)
}

/** `matching` follows `from`: tables with the cabinets as `k`, and conditions. */
async function listMatching(
  db: Queryable,
  matching: Fragment,
  page: PageRequest,
): Promise<Page<StaffCabinet>> {
  const total = db`select count(*) from ${matching}`
  const rows = await db<(CabinetRow & { total: number })[]>`
    select ${cabinetColumns(db)}, ${totalFor(db, total, page)} as total from ${matching} ${afterPosition(db, 'k', page.after)}
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: staffCabinetView,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}
