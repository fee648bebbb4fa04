import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import type { ShipmentGuard } from '../picking/lock.ts'
import { lockShipment } from './lock.ts'

/**
 * The shipping method of a shipment: to which point of the marketplace it is brought, how and when.
 * Staff choose it for one shipment, or once for all shipments of a cabinet with one kind of cargo.
 * It is sent to the marketplace before the hand-over (exchange/marketplaces/coordination/shipping-method.ts).
 */

/** `selfShipping`: the warehouse brings it. `transportCompany`: a carrier does. */
export const shippingTypes = ['selfShipping', 'transportCompany'] as const
export type ShippingType = (typeof shippingTypes)[number]

/** A point as its marketplace lists it. */
export interface ShippingPoint {
  readonly id: number
  readonly name: string
  readonly address: string | null
  readonly city: string | null
  /** In the marketplace's words; WB: pp is a pickup point, sc a sorting centre. */
  readonly kind: string | null
  /** Kinds of cargo that it takes; empty: not known. */
  readonly cargo_types: readonly number[]
}

export interface ShippingMethod {
  readonly pointId: number
  readonly type: string
  /** YYYY-MM-DD; undefined: the day of the hand-over. */
  readonly date: string | undefined
  /** The kind of the point; undefined where it is not known. */
  readonly pointKind: string | undefined
}

/** Remembers points that a marketplace listed, so that they can be chosen by number. */
export async function rememberShippingPoints(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  points: readonly ShippingPoint[],
): Promise<void> {
  await tx`
    insert into shipping_points (client_id, cabinet_id, id, name, address, city, kind, cargo_types)
    select distinct on (p.id) ${clientId}::uuid, ${cabinetId}::uuid, p.*
    from jsonb_to_recordset(${tx.json(points)}) as p
      (id bigint, name text, address text, city text, kind text, cargo_types integer[])
    order by p.id
    on conflict (client_id, cabinet_id, id) do update set name = excluded.name,
      address = excluded.address, city = excluded.city, kind = excluded.kind,
      cargo_types = excluded.cargo_types
    where shipping_points is distinct from excluded`
}

export interface ShippingDefault {
  readonly cargo_type: number
  readonly point_id: number
  readonly type: ShippingType
}

/** Replaces the defaults of a cabinet. Throws not_found, and conflict for a point that does not fit. */
export async function setShippingDefaults(
  work: Work,
  clientId: string,
  cabinetId: string,
  defaults: readonly ShippingDefault[],
): Promise<void> {
  const { tx } = work
  for (const { point_id: pointId, cargo_type: cargoType } of defaults) {
    const point = await knownPoint(work, clientId, cabinetId, pointId)
    if (point.cargo_types.length === 0 || point.cargo_types.includes(cargoType)) continue
    throw conflict(`Пункт ${pointId} не принимает груз типа ${cargoType}: выберите другой`)
  }
  await tx`
    delete from shipping_defaults where client_id = ${clientId} and cabinet_id = ${cabinetId}`
  await tx`
    insert into shipping_defaults (client_id, cabinet_id, cargo_type, point_id, type)
    select ${clientId}::uuid, ${cabinetId}::uuid, d.*
    from jsonb_to_recordset(${tx.json(defaults)}) as d
      (cargo_type integer, point_id bigint, type text)`
}

/** The day may have passed when the shipment leaves: then the day of the hand-over is sent. */
export interface MethodDraft {
  readonly pointId: number
  readonly date: string | undefined
  readonly type: ShippingType
}

/** Chooses the method of an open shipment. Throws not_found, and conflict where it cannot have one. */
export async function chooseShippingMethod(
  work: Work,
  clientId: string,
  shipmentId: string,
  { pointId, date, type }: MethodDraft,
  guard: ShipmentGuard,
): Promise<void> {
  const shipment = await lockShipment(work, clientId, shipmentId, 'prepare')
  await guard(work, clientId, shipmentId)
  await knownPoint(work, clientId, shipment.cabinet_id, pointId)
  await work.tx`
    insert into shipping_methods (client_id, shipment_id, cabinet_id, point_id, type, ships_on)
    values (${clientId}, ${shipmentId}, ${shipment.cabinet_id}, ${pointId}, ${type}, ${date ?? null})
    on conflict (client_id, shipment_id) do update set point_id = excluded.point_id,
      type = excluded.type, ships_on = excluded.ships_on`
}

/** Checks that the shipment may still be prepared, and keeps it so until the transaction ends. */
export async function prepareShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
  guard: ShipmentGuard,
): Promise<void> {
  await lockShipment(work, clientId, shipmentId, 'prepare')
  await guard(work, clientId, shipmentId)
}

async function knownPoint(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  pointId: number,
): Promise<Pick<ShippingPoint, 'cargo_types'>> {
  const [point] = await tx<{ cargo_types: number[] }[]>`
    select cargo_types from shipping_points
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and id = ${pointId}`
  if (point !== undefined) return point
  throw notFound(`Пункт отгрузки ${pointId} не найден: сначала найдите его в списке пунктов города`)
}

/** The method that staff chose for the shipment. */
export async function chosenMethod(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<ShippingMethod | undefined> {
  const [row] = await db<MethodRow[]>`
    select m.point_id, m.type, m.ships_on::text as date, p.kind
    from shipping_methods m
    join shipping_points p on p.client_id = m.client_id and p.cabinet_id = m.cabinet_id
      and p.id = m.point_id
    where m.client_id = ${clientId} and m.shipment_id = ${shipmentId}`
  return row && methodOf(row)
}

/**
 * The default of the shipment's cabinet for a kind of cargo. Where the kind is not known it is the only
 * default.
 */
export async function defaultMethod(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  cargoType: number | undefined,
): Promise<ShippingMethod | undefined> {
  const rows = await db<(MethodRow & { cargo_type: number })[]>`
    select d.cargo_type, d.point_id, d.type, null as date, p.kind
    from shipments s
    join shipping_defaults d on d.client_id = s.client_id and d.cabinet_id = s.cabinet_id
    join shipping_points p on p.client_id = d.client_id and p.cabinet_id = d.cabinet_id
      and p.id = d.point_id
    where s.client_id = ${clientId} and s.id = ${shipmentId}`
  const only = rows.length === 1 ? rows[0] : undefined
  const row =
    cargoType === undefined ? only : rows.find(({ cargo_type: type }) => type === cargoType)
  return row && methodOf(row)
}

/** The kind of a point that was listed before. */
export async function kindOfPoint(
  db: Queryable,
  clientId: string,
  shipmentId: string,
  pointId: number,
): Promise<string | undefined> {
  const [row] = await db<{ kind: string | null }[]>`
    select p.kind from shipments s
    join shipping_points p on p.client_id = s.client_id and p.cabinet_id = s.cabinet_id
    where s.client_id = ${clientId} and s.id = ${shipmentId} and p.id = ${pointId}`
  return row?.kind ?? undefined
}

/** What the shipment's orders say of its cargo, and whether its cabinet needs a method. */
export async function shippingNeeds(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<{ readonly required: boolean; readonly cargoType: number | undefined }> {
  const [row] = await db<{ required: boolean; cargo_types: string[] }[]>`
    select k.shipping_method_required as required, array(
      select distinct f.cargo_type from orders o
      join order_facts f on f.client_id = o.client_id and f.order_id = o.id
      where o.client_id = s.client_id and o.shipment_id = s.id and o.status <> 'CANCELLED'
        and f.cargo_type ~ '^[1-9][0-9]{0,3}$') as cargo_types
    from shipments s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
    where s.client_id = ${clientId} and s.id = ${shipmentId}`
  const [cargoType, ...others] = row?.cargo_types ?? []
  const isKnown = cargoType !== undefined && others.length === 0
  return { required: row?.required ?? true, cargoType: isKnown ? Number(cargoType) : undefined }
}

interface MethodRow {
  point_id: number | string
  type: string
  date: string | null
  kind: string | null
}

function methodOf({ point_id: pointId, type, date, kind }: MethodRow): ShippingMethod {
  return { pointId: Number(pointId), type, date: date ?? undefined, pointKind: kind ?? undefined }
}
