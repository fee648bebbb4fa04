import type { SharedWork } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/**
 * Loose units at locations, line by line: a location, a client's product, units. Only this file and excess.ts
 * write location_contents. As in box-contents.ts, callers in stock hold the locks of the products' balances.
 */

export interface LocatedUnits {
  readonly locationId: string
  readonly barcode: string
  /** 1 or more. */
  readonly units: number
}

/** Adds units to lines. The caller has locked the balances and compared them with the stored units. */
export async function addToLocations(
  { tx }: SharedWork,
  clientId: string,
  entries: readonly LocatedUnits[],
): Promise<void> {
  if (entries.length === 0) return
  await tx`
    insert into location_contents as c (client_id, location_id, barcode, quantity)
    select ${clientId}, location_id, barcode, sum(units)
    from jsonb_to_recordset(${tx.json(rowsOf(entries))}) as t (location_id uuid, barcode text, units bigint)
    group by location_id, barcode order by location_id, barcode
    on conflict (client_id, location_id, barcode) do update set quantity = c.quantity + excluded.quantity`
}

/**
 * Takes units off locations and deletes emptied lines. The caller has locked the balances. Throws conflict where
 * fewer lie there: the transaction must not be committed then.
 */
export async function takeOffLocations(
  work: SharedWork,
  clientId: string,
  entries: readonly LocatedUnits[],
): Promise<void> {
  if (entries.length === 0) return
  const { tx } = work
  const wanted = tx`
    jsonb_to_recordset(${tx.json(rowsOf(entries))}) as t (location_id uuid, barcode text, units bigint)`
  const taken = await tx<{ location_id: string; barcode: string }[]>`
    with emptied as (
      delete from location_contents c using ${wanted}
      where c.client_id = ${clientId} and c.location_id = t.location_id and c.barcode = t.barcode
        and c.quantity = t.units
      returning c.location_id, c.barcode
    ), lessened as (
      update location_contents c set quantity = c.quantity - t.units from ${wanted}
      where c.client_id = ${clientId} and c.location_id = t.location_id and c.barcode = t.barcode
        and c.quantity > t.units
      returning c.location_id, c.barcode
    )
    select * from emptied union all select * from lessened`
  const known = new Set(
    taken.map(({ location_id: locationId, barcode }) => locationKey({ locationId, barcode })),
  )
  const short = entries.find((entry) => !known.has(locationKey(entry)))
  if (short === undefined) return
  const units = await unitsAtLocation(work, clientId, short.locationId, short.barcode)
  throw locationHoldsLess(short.barcode, units)
}

/** Units of a product that lie loose at a location. */
export async function unitsAtLocation(
  { tx }: Pick<SharedWork, 'tx'>,
  clientId: string,
  locationId: string,
  barcode: string,
): Promise<number> {
  const [line] = await tx<{ quantity: number }[]>`
    select quantity from location_contents
    where client_id = ${clientId} and location_id = ${locationId} and barcode = ${barcode}`
  return line?.quantity ?? 0
}

/** The error for a location where too few units lie. */
export function locationHoldsLess(barcode: string, units: number): Error {
  return conflict(
    units === 0
      ? `Товара ${barcode} на этом месте вне коробов нет: проверьте место и товар`
      : `Товар ${barcode}: на этом месте вне коробов только ${units} шт., остальное возьмите с другого`,
  )
}

/** The units of each line of these locations, by `locationKey`, as they are without a lock. */
export async function unitsAtLocations(
  { tx }: SharedWork,
  clientId: string,
  locationIds: readonly string[],
): Promise<Map<string, number>> {
  if (locationIds.length === 0) return new Map()
  const rows = await tx<{ location_id: string; barcode: string; quantity: number }[]>`
    select location_id, barcode, quantity from location_contents
    where client_id = ${clientId} and location_id = any(${locationIds}::uuid[])`
  return new Map(
    rows.map(({ location_id: locationId, barcode, quantity }) => [
      locationKey({ locationId, barcode }),
      quantity,
    ]),
  )
}

/** The units of these products at these locations, by `locationKey`; 0 where there are none. */
export async function unitsOnShelves(
  { tx }: SharedWork,
  clientId: string,
  shelves: readonly Pick<LocatedUnits, 'locationId' | 'barcode'>[],
): Promise<Map<string, number>> {
  const asked = shelves.map(({ locationId, barcode }) => ({ location_id: locationId, barcode }))
  const rows = await tx<{ location_id: string; barcode: string; quantity: number }[]>`
    select c.location_id, c.barcode, c.quantity
    from jsonb_to_recordset(${tx.json(asked)}) as q (location_id uuid, barcode text)
    join location_contents c on c.client_id = ${clientId} and c.location_id = q.location_id
      and c.barcode = q.barcode`
  return new Map(
    rows.map(({ location_id: locationId, barcode, quantity }) => [
      locationKey({ locationId, barcode }),
      quantity,
    ]),
  )
}

export function locationKey({
  locationId,
  barcode,
}: Pick<LocatedUnits, 'locationId' | 'barcode'>): string {
  return `location ${locationId} ${barcode}`
}

function rowsOf(entries: readonly LocatedUnits[]) {
  return entries.map(({ locationId, barcode, units }) => ({
    location_id: locationId,
    barcode,
    units,
  }))
}
