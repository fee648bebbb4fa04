import type { SharedWork, Work } from '../../platform/db/work.ts'

/** Units that lie in boxes or at locations, both together. Callers have locked the balances. */

/** Units in all boxes and at all locations, by barcode; products that lie in none are missing. */
export async function storedUnits(
  { tx }: Pick<SharedWork, 'tx'>,
  clientId: string,
  barcodes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx<{ barcode: string; units: number }[]>`
    select barcode, sum(quantity)::bigint as units from (
      select barcode, quantity from box_contents
      where client_id = ${clientId} and barcode = any(${barcodes})
      union all
      select barcode, quantity from location_contents
      where client_id = ${clientId} and barcode = any(${barcodes})
    ) lines
    group by barcode`
  return new Map(rows.map(({ barcode, units }) => [barcode, units]))
}

/**
 * Takes out of boxes and off locations the units that exceed `left`, by barcode. The one with the fewest units of the
 * product comes first, of equal ones the one with the lowest id.
 */
export async function takeExcess(
  work: Work,
  clientId: string,
  left: ReadonlyMap<string, number>,
): Promise<void> {
  if (left.size === 0) return
  const { tx } = work
  const stored = await storedUnits(work, clientId, [...left.keys()])
  const rows = [...stored]
    .map(([barcode, units]) => ({ barcode, excess: units - (left.get(barcode) ?? 0) }))
    .filter(({ excess }) => excess > 0)
  if (rows.length === 0) return
  await tx`
    with excess as (
      select * from jsonb_to_recordset(${tx.json(rows)}) as e (barcode text, excess bigint)
    ), lines as (
      select true as boxed, c.box_id as place_id, c.barcode, c.quantity, e.excess
      from box_contents c join excess e on e.barcode = c.barcode
      where c.client_id = ${clientId}
      union all
      select false, c.location_id, c.barcode, c.quantity, e.excess
      from location_contents c join excess e on e.barcode = c.barcode
      where c.client_id = ${clientId}
    ), taken as materialized (
      select boxed, place_id, barcode, quantity, least(quantity, excess - before) as units from (
        select *, sum(quantity) over (partition by barcode order by quantity, place_id) - quantity as before
        from lines
      ) counted
      where before < excess
    ), boxes_emptied as (
      delete from box_contents c using taken t
      where t.boxed and c.client_id = ${clientId} and c.box_id = t.place_id and c.barcode = t.barcode
        and t.units = t.quantity
    ), boxes_lessened as (
      update box_contents c set quantity = c.quantity - t.units from taken t
      where t.boxed and c.client_id = ${clientId} and c.box_id = t.place_id and c.barcode = t.barcode
        and t.units < t.quantity
    ), locations_emptied as (
      delete from location_contents c using taken t
      where not t.boxed and c.client_id = ${clientId} and c.location_id = t.place_id
        and c.barcode = t.barcode and t.units = t.quantity
    )
    update location_contents c set quantity = c.quantity - t.units from taken t
    where not t.boxed and c.client_id = ${clientId} and c.location_id = t.place_id
      and c.barcode = t.barcode and t.units < t.quantity`
}

/** What lies in boxes and at locations under one barcode lies there under another one from now on. */
export async function renameStored(
  { tx }: SharedWork,
  clientId: string,
  from: string,
  into: string,
): Promise<void> {
  await tx`
    with taken as (
      delete from box_contents where client_id = ${clientId} and barcode = ${from} returning box_id, quantity
    )
    insert into box_contents as c (client_id, box_id, barcode, quantity)
    select ${clientId}, box_id, ${into}, quantity from taken order by box_id
    on conflict (client_id, box_id, barcode) do update set quantity = c.quantity + excluded.quantity`
  await tx`
    with taken as (
      delete from location_contents where client_id = ${clientId} and barcode = ${from}
      returning location_id, quantity
    )
    insert into location_contents as c (client_id, location_id, barcode, quantity)
    select ${clientId}, location_id, ${into}, quantity from taken order by location_id
    on conflict (client_id, location_id, barcode) do update set quantity = c.quantity + excluded.quantity`
}
