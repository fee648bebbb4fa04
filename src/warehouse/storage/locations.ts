import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { conflict, excerpt, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { readLocationCode } from './location-code.ts'

/**
 * Locations of warehouses, and which of them a text names. Locations are never deleted, so a look-up of one needs
 * no lock; a location that is not active takes nothing more. What lies there is in location-contents.ts and
 * location-places.ts.
 */

export interface NewLocation {
  readonly code: string
  /** A part of the warehouse; empty without zones. */
  readonly zone: string
  /** Its place in the walk through the zone. */
  readonly order: number
}

/** Adds locations; codes that the warehouse has stay as they are. Returns the ids of the new ones. */
export async function addLocations(
  { tx, at }: Work,
  warehouse: string,
  drafts: readonly NewLocation[],
  mode: Mode = 'live',
): Promise<string[]> {
  const [known] = await tx`
    select from warehouses where code = ${warehouse} and mode = ${mode}`
  if (known === undefined) throw invalidField('warehouse_code', 'такого склада нет')
  const rows = drafts.map((draft) => ({ ...draft, id: newId() }))
  const added = await tx<{ id: string }[]>`
    insert into locations (id, warehouse_code, code, zone, walk_order, created_at)
    select d.id, ${warehouse}, d.code, d.zone, d."order", ${at}::timestamptz
    from jsonb_to_recordset(${tx.json(rows)}) as d (id uuid, code text, zone text, "order" integer)
    order by d.code
    on conflict (warehouse_code, code) do nothing returning id`
  return added.map(({ id }) => id)
}

/** Adds one location. Throws validation_error, and conflict for a code that the warehouse has. */
export async function addLocation(
  work: Work,
  warehouse: string,
  draft: NewLocation,
): Promise<string> {
  const [id] = await addLocations(work, warehouse, [draft])
  if (id === undefined) throw conflict(`Место ${draft.code} на складе ${warehouse} уже есть`)
  return id
}

export interface LocationChanges {
  readonly zone?: string | undefined
  readonly order?: number | undefined
  readonly active?: boolean | undefined
}

/** Changes a location. Returns false where nothing differs. Throws not_found. */
export async function changeLocation(
  { tx }: Work,
  id: string,
  { zone, order, active }: LocationChanges,
): Promise<boolean> {
  const [old] = await tx<{ zone: string; walk_order: number; active: boolean }[]>`
    select zone, walk_order, active from locations where id = ${id} for no key update`
  if (old === undefined) throw unknownLocation()
  const next = {
    zone: zone ?? old.zone,
    order: order ?? old.walk_order,
    active: active ?? old.active,
  }
  if (next.zone === old.zone && next.order === old.walk_order && next.active === old.active) {
    return false
  }
  await tx`
    update locations set zone = ${next.zone}, walk_order = ${next.order}, active = ${next.active}
    where id = ${id}`
  return true
}

function unknownLocation(): Error {
  return notFound('Место хранения не найдено')
}

interface NamedLocation {
  readonly id: string
  readonly code: string
  readonly warehouse_code: string
}

/** The condition of locations l that staff see: all sandboxes share a warehouse that nobody walks through. */
export function seenByStaff(db: Queryable) {
  return db`exists (
    select from warehouses w where w.code = l.warehouse_code and w.mode = 'live')`
}

/**
 * The locations that an id or a code names, of some warehouses where codes are given: a code may be one of several
 * warehouses.
 */
async function locationsNamed(
  db: Queryable,
  text: string,
  warehouses: readonly string[],
): Promise<NamedLocation[]> {
  const isNamed = namedBy(db, text)
  if (isNamed === undefined) return []
  return db<NamedLocation[]>`
    select id, code, warehouse_code from locations l where ${isNamed} and ${seenByStaff(db)}
      ${warehouses.length === 0 ? db`` : db`and l.warehouse_code = any(${[...warehouses]})`}
    order by warehouse_code limit 2`
}

/** The condition of the locations that an id or a code names; undefined for a text that is neither. */
function namedBy(db: Queryable, text: string) {
  if (isId(text)) return db`l.id = ${text}`
  const code = readLocationCode(text)
  return code === undefined ? undefined : db`l.code = ${code}`
}

/**
 * The id of the location that an id or a code names, of some warehouses where codes are given. Throws not_found, and
 * conflict for a code of several warehouses.
 */
export async function findLocationId(
  db: Queryable,
  text: string,
  warehouses: readonly string[],
): Promise<string> {
  const [location, ...others] = await locationsNamed(db, text, warehouses)
  if (location === undefined) throw unknownLocation()
  if (others.length > 0) {
    const warehouses = [location, ...others].map(({ warehouse_code }) => warehouse_code).join(', ')
    throw conflict(
      `Место ${location.code} есть на нескольких складах (${warehouses}): выберите его в списке мест своего склада или назовите по id`,
    )
  }
  return location.id
}

/** The id of the location of a client's warehouse that a body names by id or code. Throws validation_error. */
export async function locationForClient(
  db: Queryable,
  clientId: string,
  text: string,
  field = 'location_id',
): Promise<string> {
  const location = await nearestLocation(db, clientId, text)
  if (location !== undefined && location.warehouse_code === location.own) return location.id
  throw invalidField(field, `на складе клиента нет места хранения ${excerpt(text)}`)
}

/**
 * The same for a path. Throws not_found, and validation_error for a location of another warehouse: whoever sends the
 * request sees both.
 */
export async function locationInPathFor(
  db: Queryable,
  clientId: string,
  text: string,
): Promise<string> {
  const location = await nearestLocation(db, clientId, text)
  if (location === undefined) throw unknownLocation()
  refuseOther(location, location.own ?? '')
  return location.id
}

/** The location that an id or a code names, in the client's warehouse if it has one. */
async function nearestLocation(
  db: Queryable,
  clientId: string,
  text: string,
): Promise<(NamedLocation & { readonly own: string | null }) | undefined> {
  const isNamed = namedBy(db, text)
  const [location] =
    isNamed === undefined
      ? []
      : await db<(NamedLocation & { own: string | null })[]>`
          select l.id, l.code, l.warehouse_code, c.warehouse_code as own
          from locations l left join clients c on c.id = ${clientId}
          where ${isNamed} and ${seenByStaff(db)}
          order by (l.warehouse_code = c.warehouse_code) desc, l.warehouse_code limit 1`
  return location
}

/** Whether an id or code names a location of one of these warehouses. */
export async function isLocationOf(
  db: Queryable,
  text: string,
  warehouses: readonly string[],
): Promise<boolean> {
  return (await locationsNamed(db, text, warehouses)).length > 0
}

function refuseOther({ code, warehouse_code }: NamedLocation, own: string): void {
  if (warehouse_code === own) return
  const rule = `место ${code} — на складе ${warehouse_code}, а товары клиента лежат на складе ${own}`
  throw invalidField('location_id', rule)
}

/** A location, and the warehouse of the client whose goods it should take. */
export interface ClientLocation extends NamedLocation {
  readonly active: boolean
  readonly own: string
}

/** Locations by id, with a client's warehouse, which nobody changes until the transaction ends. */
export async function shareLocations(
  { tx }: SharedWork,
  clientId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ClientLocation>> {
  const locations = await tx<ClientLocation[]>`
    select l.id, l.code, l.warehouse_code, l.active, c.warehouse_code as own
    from locations l cross join clients c
    where l.id = any(${ids as string[]}::uuid[]) and c.id = ${clientId} for share of c`
  return new Map(locations.map((location) => [location.id, location]))
}

/** Throws not_found, validation_error or conflict for a location that takes no goods of the client. */
export function refuseClosed(location: ClientLocation | undefined): void {
  if (location === undefined) throw unknownLocation()
  refuseOther(location, location.own)
  if (!location.active) throw conflict(`Место ${location.code} закрыто: положите на другое`)
}

/**
 * Makes sure that a location takes goods of a client: it is active and in the client's warehouse, which nobody
 * changes until the transaction ends. Throws not_found, validation_error, conflict.
 */
export async function openLocationFor(
  work: SharedWork,
  clientId: string,
  locationId: string,
): Promise<void> {
  refuseClosed((await shareLocations(work, clientId, [locationId])).get(locationId))
}
