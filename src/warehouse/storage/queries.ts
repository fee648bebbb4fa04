import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { inSnapshot } from '../../platform/db/work.ts'
import { readSscc } from '../../platform/kernel/codes/gs1.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { areIds, isId } from '../../platform/kernel/ids.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { isClientOf } from '../clients/clients.ts'
import { clientsOf } from '../clients/list-conditions.ts'
import type { StorageKind } from './boxes.ts'
import { type Box, type BoxRow, boxView, type Pallet, type PalletRow, palletView } from './view.ts'

/** A box or pallet with its client. */
export interface Stored {
  readonly clientId: string
  readonly id: string
}

const tables = { box: 'boxes', pallet: 'pallets' } as const
const missing = { box: 'Короб не найден', pallet: 'Паллета не найдена' } as const
const owners = {
  box: ownerLookup('boxes', missing.box),
  pallet: ownerLookup('pallets', missing.pallet),
} as const

/** Finds a box or pallet by its id, or by its SSCC as a scanner sends it. Throws not_found. */
export async function findStored(db: Database, kind: StorageKind, text: string): Promise<Stored> {
  const id = await idOfStored(db, kind, text)
  return { id, clientId: await owners[kind](db, id) }
}

/** Like findStored, of clients of some warehouses where codes are given. */
export async function findStoredIn(
  db: Database,
  kind: StorageKind,
  text: string,
  warehouses: readonly string[],
): Promise<Stored> {
  const stored = await findStored(db, kind, text)
  if (warehouses.length === 0 || (await isClientOf(db, stored.clientId, warehouses))) return stored
  throw notFound(missing[kind])
}

/** The id that an id or SSCC names; a text that is no id where there is none. */
async function idOfStored(db: Queryable, kind: StorageKind, text: string): Promise<string> {
  const number = isId(text) ? undefined : readSscc(text)
  return number === undefined ? text : idOfNumber(db, kind, number)
}

/** The id of a client's box or pallet, by id or SSCC; undefined where the client has none such. */
export async function findOfClient(
  db: Queryable,
  kind: StorageKind,
  clientId: string,
  text: string,
): Promise<string | undefined> {
  const id = await idOfStored(db, kind, text)
  if (!isId(id)) return undefined
  const [row] = await db<Pick<Stored, 'id'>[]>`
    select id from ${db(tables[kind])} where client_id = ${clientId} and id = ${id}`
  return row?.id
}

/** Like findOfClient, for boxes of several clients at once: an id for each place, in their order. */
export async function findBoxesOfClients(
  db: Queryable,
  places: readonly { readonly clientId: string; readonly text: string }[],
): Promise<(string | undefined)[]> {
  if (places.length === 0) return []
  const rows = places.map(({ clientId, text }, n) => ({ n, client_id: clientId, ...named(text) }))
  const found = await db<{ n: number; id: string }[]>`
    select p.n, b.id
    from jsonb_to_recordset(${db.json(rows)}) as p (n integer, client_id uuid, id uuid, sscc text)
    join boxes b on b.client_id = p.client_id and b.id = coalesce(p.id, (
      select s.object_id from storage_numbers s where s.sscc = p.sscc and s.kind = 'box'))`
  const ids = new Map(found.map(({ n, id }) => [n, id]))
  return places.map((_, n) => ids.get(n))
}

/** What a text names a box or pallet by: its id, or its SSCC as a scanner sends it. */
function named(text: string) {
  return isId(text) ? { id: text, sscc: null } : { id: null, sscc: readSscc(text) ?? null }
}

/** The id of the box or pallet with an SSCC; empty text, which is no id, where there is none. */
async function idOfNumber(db: Queryable, kind: StorageKind, sscc: string): Promise<string> {
  const [row] = await db<{ object_id: string }[]>`
    select object_id from storage_numbers where sscc = ${sscc} and kind = ${kind}`
  return row?.object_id ?? ''
}

/**
 * Whether a box or a pallet has this SSCC, as a scanner sends it. Undefined where none has it. Looks at the clients
 * of these warehouses, without codes at all clients.
 */
export async function kindOfNumber(
  db: Queryable,
  text: string,
  warehouses: readonly string[],
): Promise<StorageKind | undefined> {
  const sscc = readSscc(text) ?? null
  const within =
    warehouses.length === 0
      ? db``
      : db`and client_id in (select id from clients where warehouse_code = any(${[...warehouses]}))`
  const [row] = await db<{ kind: StorageKind }[]>`
    select kind from storage_numbers where sscc = ${sscc} ${within}`
  return row?.kind
}

/** The SSCC of a row of boxes or pallets. */
function numberOf(db: Queryable) {
  return db`(
    select n.sscc from storage_numbers n where n.client_id = x.client_id and n.object_id = x.id
  ) as sscc`
}

function ownerName(db: Queryable) {
  return db`(select k.name from clients k where k.id = x.client_id) as client_name`
}

/** The columns of BoxRow, of boxes x, without contents. */
function boxColumns(db: Queryable) {
  return db`
    x.id, x.client_id, ${ownerName(db)}, ${numberOf(db)}, x.pallet_id, l.id as location_id, l.code as location_code,
    held.units, held.sku_count, x.created_at`
}

function heldInBox(db: Queryable) {
  return db`
    cross join lateral (
      select coalesce(sum(c.quantity), 0)::bigint as units, count(*)::int as sku_count
      from box_contents c where c.client_id = x.client_id and c.box_id = x.id
    ) held
    left join pallets below on below.client_id = x.client_id and below.id = x.pallet_id
    left join locations l on l.id = coalesce(x.location_id, below.location_id)`
}

function contentsOfBox(db: Queryable) {
  return db`(
    select json_agg(
      json_build_object('barcode', c.barcode, 'name', p.name, 'article', p.article,
        'qty', c.quantity) order by c.barcode)
    from box_contents c
    join products p on p.client_id = c.client_id and p.barcode = c.barcode
    where c.client_id = x.client_id and c.box_id = x.id
  ) as contents`
}

export async function findBox(db: Queryable, { clientId, id }: Stored): Promise<Box | undefined> {
  const [row] = await db<BoxRow[]>`
    select ${boxColumns(db)}, ${contentsOfBox(db)} from boxes x ${heldInBox(db)}
    where x.client_id = ${clientId} and x.id = ${id}`
  return row === undefined ? undefined : boxView(row)
}

/** The columns of PalletRow, of pallets x. */
function palletColumns(db: Queryable) {
  return db`
    x.id, x.client_id, ${ownerName(db)}, ${numberOf(db)}, l.id as location_id, l.code as location_code,
    held.boxes_count, held.units, held.sku_count, x.created_at`
}

function heldOnPallet(db: Queryable) {
  return db`
    cross join lateral (
      select count(distinct b.id)::int as boxes_count, count(distinct c.barcode)::int as sku_count,
        coalesce(sum(c.quantity), 0)::bigint as units
      from boxes b
      left join box_contents c on c.client_id = b.client_id and c.box_id = b.id
      where b.client_id = x.client_id and b.pallet_id = x.id
    ) held
    left join locations l on l.id = x.location_id`
}

export function findPallet(db: Queryable, { clientId, id }: Stored): Promise<Pallet | undefined> {
  return inSnapshot(db, async (tx) => {
    const [row] = await tx<PalletRow[]>`
      select ${palletColumns(tx)} from pallets x ${heldOnPallet(tx)}
      where x.client_id = ${clientId} and x.id = ${id}`
    if (row === undefined) return undefined
    const boxes = await tx<BoxRow[]>`
      select ${boxColumns(tx)}, ${contentsOfBox(tx)} from boxes x ${heldInBox(tx)}
      where x.client_id = ${clientId} and x.pallet_id = ${id}
      order by x.created_at desc, x.id desc`
    return palletView(row, boxes.map(boxView))
  })
}

export interface BoxFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[] | undefined
  /** The pallet's id or SSCC. */
  readonly pallet_id: string | undefined
  /** Boxes that contain this product. */
  readonly barcode: string | undefined
}

/** Lists boxes of all live clients or of one, newest first. */
export async function listBoxes(
  db: Database,
  { client_id: client, warehouses, pallet_id: pallet, barcode }: BoxFilter,
  page: PageRequest,
): Promise<Page<Box>> {
  const pallet_id = pallet && (await idOfStored(db, 'pallet', pallet))
  if (!areIds(client, pallet_id)) return emptyPage
  const filter = { pallet_id, barcode }
  const where = db`true ${conditionsOf(db, filter, {
    pallet_id: (id) => db`x.pallet_id = ${id}`,
    barcode: (barcode) => db`exists (
      select from box_contents c where c.client_id = x.client_id
        and c.box_id = x.id and c.barcode = ${barcode})`,
  })}`
  const across = { clients: clientsOf(db, client, warehouses), table: 'boxes', where }
  const tables = db`boxes x on x.client_id = k.client_id and x.id = k.id ${heldInBox(db)}`
  return pageInOrder(db, { across, columns: boxColumns(db), tables, view: boxView }, page)
}

export interface PalletFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
}

/** Lists pallets of all live clients or of one, newest first. */
export async function listPallets(
  db: Database,
  { client_id: client, warehouses }: PalletFilter,
  page: PageRequest,
): Promise<Page<Pallet>> {
  if (!areIds(client)) return emptyPage
  const across = { clients: clientsOf(db, client, warehouses), table: 'pallets', where: db`true` }
  const tables = db`pallets x on x.client_id = k.client_id and x.id = k.id ${heldOnPallet(db)}`
  const view = (row: PalletRow) => palletView(row)
  return pageInOrder(db, { across, columns: palletColumns(db), tables, view }, page)
}

export interface LabelFacts {
  /** Null where it has no number. */
  readonly sscc: string | null
  readonly client: string
  readonly created_at: Timestamp
}

/** Reads what the label of a box or pallet shows. Throws not_found, and conflict for one without a number. */
export async function findLabelFacts(
  db: Queryable,
  kind: StorageKind,
  { clientId, id }: Stored,
): Promise<LabelFacts & { readonly sscc: string }> {
  const [row] = await db<LabelFacts[]>`
    select ${numberOf(db)}, k.name as client, x.created_at
    from ${db(tables[kind])} x join clients k on k.id = x.client_id
    where x.client_id = ${clientId} and x.id = ${id}`
  if (row === undefined) throw notFound()
  const { sscc, ...facts } = row
  if (sscc === null) throw conflict('Номера SSCC нет: этикетку напечатать нельзя')
  return { ...facts, sscc }
}

/** What labels of boxes or pallets show, by id or SSCC, in their order; undefined for one that the warehouses don't have. */
export async function labelFactsOf(
  db: Queryable,
  kind: StorageKind,
  texts: readonly string[],
  warehouses: readonly string[],
): Promise<(LabelFacts | undefined)[]> {
  const rows = texts.map((text, n) => ({ n, ...named(text) }))
  const found = await db<(LabelFacts & { n: number })[]>`
    select named.n, ${numberOf(db)}, k.name as client, x.created_at
    from jsonb_to_recordset(${db.json(rows)}) as named (n integer, id uuid, sscc text)
    join ${db(tables[kind])} x on x.id = coalesce(named.id, (
      select s.object_id from storage_numbers s where s.sscc = named.sscc and s.kind = ${kind}))
    join clients k on k.id = x.client_id
    where ${warehouses.length === 0 ? db`true` : db`k.warehouse_code = any(${[...warehouses]})`}`
  const facts = new Map(found.map((row) => [row.n, row]))
  return texts.map((_, n) => facts.get(n))
}
