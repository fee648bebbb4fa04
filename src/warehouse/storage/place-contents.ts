import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/**
 * What lies in boxes, and loose at locations, line by line: a place, a client's product, units. Only this file and
 * excess.ts write box_contents and location_contents.
 *
 * It does not know how many units there are. Its callers hold the locks of the products' balances, taken in barcode
 * order, and see to it that boxes and locations never hold more than the balance.
 */

export interface BoxedUnits {
  readonly boxId: string
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
}

/** Loose units. */
export interface LocatedUnits {
  readonly locationId: string
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
}

export type PlacedUnits = BoxedUnits | LocatedUnits

/** A box, or a location for loose units. */
export type UnitPlace = Pick<BoxedUnits, 'boxId'> | Pick<LocatedUnits, 'locationId'>

/** The box and the location that a scan or a row names; it may name neither. */
export function placesNamed(
  boxId: string | null | undefined,
  locationId: string | null | undefined,
): UnitPlace[] {
  return [...(boxId == null ? [] : [{ boxId }]), ...(locationId == null ? [] : [{ locationId }])]
}

const tables = {
  box: { name: 'box_contents', place: 'box_id' },
  location: { name: 'location_contents', place: 'location_id' },
} as const

const kindOf = (place: UnitPlace) => ('boxId' in place ? 'box' : 'location')
const idOf = (place: UnitPlace) => ('boxId' in place ? place.boxId : place.locationId)

/** The name of a line, unique among all lines of boxes and locations. */
export function lineKey(place: UnitPlace, barcode: string): string {
  return `${kindOf(place)} ${idOf(place)} ${barcode}`
}

/** The entries with the table that each kind of place has. */
function byTable<Entry extends UnitPlace>(db: Queryable, entries: readonly Entry[]) {
  return [...Map.groupBy(entries, kindOf)].map(([kind, own]) => {
    const { name, place } = tables[kind]
    return { kind, table: db(name), place: db(place), own }
  })
}

function rowsOf(entries: readonly PlacedUnits[]) {
  return entries.map((entry) => ({
    place: idOf(entry),
    barcode: entry.barcode,
    units: entry.units,
  }))
}

/** Adds units to lines. The caller has locked the balances and compared them with the stored units. */
export async function addToPlaces(
  { tx }: SharedWork,
  clientId: string,
  entries: readonly PlacedUnits[],
): Promise<void> {
  for (const { table, place, own } of byTable(tx, entries)) {
    await tx`
      insert into ${table} as c (client_id, ${place}, barcode, quantity)
      select ${clientId}, t.place, t.barcode, sum(t.units)
      from jsonb_to_recordset(${tx.json(rowsOf(own))}) as t (place uuid, barcode text, units bigint)
      group by t.place, t.barcode order by t.place, t.barcode
      on conflict (client_id, ${place}, barcode) do update set quantity = c.quantity + excluded.quantity`
  }
}

/**
 * Takes units out of lines and deletes emptied ones. Each line is named once. The caller has locked the balances. Throws
 * conflict where a place holds less: the transaction must not be committed then.
 */
export async function takeOffPlaces(
  { tx }: SharedWork,
  clientId: string,
  entries: readonly PlacedUnits[],
): Promise<void> {
  for (const { table, place, own } of byTable(tx, entries)) {
    const wanted = tx`
      jsonb_to_recordset(${tx.json(rowsOf(own))}) as t (place uuid, barcode text, units bigint)`
    const taken = await tx<{ place: string; barcode: string }[]>`
      with emptied as (
        delete from ${table} c using ${wanted}
        where c.client_id = ${clientId} and c.${place} = t.place and c.barcode = t.barcode
          and c.quantity = t.units
        returning t.place, t.barcode
      ), lessened as (
        update ${table} c set quantity = c.quantity - t.units from ${wanted}
        where c.client_id = ${clientId} and c.${place} = t.place and c.barcode = t.barcode
          and c.quantity > t.units
        returning t.place, t.barcode
      )
      select * from emptied union all select * from lessened`
    const known = new Set(taken.map((row) => `${row.place} ${row.barcode}`))
    const short = own.find((entry) => !known.has(`${idOf(entry)} ${entry.barcode}`))
    if (short === undefined) continue
    throw holdsLess(short, short.barcode, await unitsAtPlace(tx, clientId, short, short.barcode))
  }
}

/** The units of the lines of these places, of these goods or of all, by `lineKey`, as they are without a lock. */
export async function unitsAtPlaces(
  db: Queryable,
  clientId: string,
  places: readonly UnitPlace[],
  barcodes?: readonly string[],
): Promise<Map<string, number>> {
  const lines = await Promise.all(
    byTable(db, places).map(async ({ kind, table, place, own }) => {
      const rows = await db<{ place: string; barcode: string; quantity: number }[]>`
        select ${place} as place, barcode, quantity from ${table}
        where client_id = ${clientId} and ${place} = any(${own.map(idOf)}::uuid[])
          ${barcodes === undefined ? db`` : db`and barcode = any(${[...barcodes]})`}`
      return rows.map((row) => [`${kind} ${row.place} ${row.barcode}`, row.quantity] as const)
    }),
  )
  return new Map(lines.flat())
}

/** Units of a product in a box, or loose at a location. */
export async function unitsAtPlace(
  db: Queryable,
  clientId: string,
  place: UnitPlace,
  barcode: string,
): Promise<number> {
  const units = await unitsAtPlaces(db, clientId, [place], [barcode])
  return units.get(lineKey(place, barcode)) ?? 0
}

/** The error for a place where too few units lie. */
export function holdsLess(place: UnitPlace, barcode: string, units: number): Error {
  if (kindOf(place) === 'box') {
    return conflict(
      units === 0
        ? `Товара ${barcode} в этом коробе нет: проверьте короб и товар`
        : `Товар ${barcode}: в коробе только ${units} шт., остальное возьмите из другого`,
    )
  }
  return conflict(
    units === 0
      ? `Товара ${barcode} на этом месте вне коробов нет: проверьте место и товар`
      : `Товар ${barcode}: на этом месте вне коробов только ${units} шт., остальное возьмите с другого`,
  )
}

/** The clients with loose units at a location, by id, with the barcodes of the goods. */
export async function clientsAtLocation(
  db: Queryable,
  locationId: string,
): Promise<{ readonly clientId: string; readonly barcodes: string[] }[]> {
  const rows = await db<{ client_id: string; barcodes: string[] }[]>`
    select client_id, array_agg(barcode order by barcode) as barcodes from location_contents
    where location_id = ${locationId} group by client_id order by client_id`
  return rows.map(({ client_id, barcodes }) => ({ clientId: client_id, barcodes }))
}

/** Takes all units of these goods off a location. The caller has locked their balances. */
export async function removeFromLocation(
  { tx }: SharedWork,
  clientId: string,
  locationId: string,
  barcodes: readonly string[],
): Promise<boolean> {
  const removed = await tx`
    delete from location_contents
    where client_id = ${clientId} and location_id = ${locationId} and barcode = any(${barcodes})
    returning barcode`
  return removed.length > 0
}
