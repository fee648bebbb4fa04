import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { byClient, clientsOf } from '../clients/list-conditions.ts'
import type { ExceptionKind } from './kinds.ts'
import {
  type ExceptionRow,
  type ExceptionStatus,
  exceptionView,
  type ScanException,
} from './view.ts'

export const exceptionOwner = ownerLookup('scan_exceptions', 'Исключение не найдено')

export interface ExceptionFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly status: ExceptionStatus | undefined
  readonly kind: ExceptionKind | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
}

/** Rows of ExceptionRow from exceptions `x` of clients `owner`. */
function columns(db: Queryable) {
  return db`x.id, x.client_id, owner.name as client_name, x.kind, x.object_id, x.scan_id, x.scan,
    x.queued_at, x.queued_by, x.reason, x.created_at, x.actor as sent_by, x.decision, x.comment,
    x.resolved_at, x.resolved_by,
    (select shown_name from staff_users where login = lower(x.queued_by)) as queued_by_name`
}

/** What exceptions are listed by. */
export const exceptionSorts = ['created', 'client'] as const

/** Exceptions of one client or of all. */
export async function listExceptions(
  db: Database,
  { client_id: client, warehouses, created_from: from, created_to: to, ...filter }: ExceptionFilter,
  page: PageRequest,
): Promise<Page<ScanException>> {
  if (!areIds(client)) return emptyPage
  const matching = db`true ${conditionsOf(db, filter, {
    status: (status) => (status === 'OPEN' ? db`x.decision is null` : db`x.decision is not null`),
    kind: (kind) => db`x.kind = ${kind}`,
  })}`
  const clients = clientsOf(db, client, warehouses)
  const orders = { created: { column: 'created_at' }, client: byClient(db, clients) }
  const across = { clients, table: 'scan_exceptions', where: matching, within: { from, to } }
  const tables = db`
    scan_exceptions x on x.client_id = k.client_id and x.id = k.id
    join clients owner on owner.id = x.client_id`
  return pageInOrder(
    db,
    { across, orders, columns: columns(db), tables, view: exceptionView },
    page,
  )
}

export async function findException(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<ScanException | undefined> {
  const [row] = await db<ExceptionRow[]>`
    select ${columns(db)} from scan_exceptions x join clients owner on owner.id = x.client_id
    where x.client_id = ${clientId} and x.id = ${id}`
  return row && exceptionView(row)
}

/** The scan by which a handheld names an exception. */
export interface ExceptionScan {
  readonly clientId: string
  readonly kind: ExceptionKind
  readonly objectId: string
  readonly scanId: string
}

export async function findExceptionOfScan(
  db: Queryable,
  { clientId, kind, objectId, scanId }: ExceptionScan,
): Promise<ScanException | undefined> {
  const [row] = await db<ExceptionRow[]>`
    select ${columns(db)} from scan_exceptions x join clients owner on owner.id = x.client_id
    where x.client_id = ${clientId} and x.kind = ${kind} and x.object_id = ${objectId}
      and x.scan_id = ${scanId}`
  return row && exceptionView(row)
}
