import type { Queryable } from '../../../platform/db/connection.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import {
  chosenMethod,
  defaultMethod,
  kindOfPoint,
  type ShippingMethod,
  shippingNeeds,
} from '../../../warehouse/shipments/shipping-method.ts'
import type { Destinations } from '../connector.ts'
import type { LeavingShipment } from './shipment-orders.ts'

/**
 * The shipping method of a shipment that is made here. Staff choose it; else somebody chose it in the marketplace's
 * cabinet; else it is the default of the cabinet for its cargo. Nothing is guessed from other shipments. Undefined
 * where there is no choice and the cabinet needs none.
 *
 * Changes nothing. Throws conflict where a choice is missing.
 */
export async function resolveMethod(
  db: Queryable,
  destinations: Destinations,
  { clientId, shipmentId, externalId }: LeavingShipment,
): Promise<ShippingMethod | undefined> {
  const own = await chosenMethod(db, clientId, shipmentId)
  if (own !== undefined) return own
  const { required, cargoType } = await shippingNeeds(db, clientId, shipmentId)
  const remote = await destinations.methodOf(externalId)
  if (remote.method !== undefined) {
    const pointKind = await kindOfPoint(db, clientId, shipmentId, remote.method.pointId)
    return { ...remote.method, pointKind }
  }
  const usual = await defaultMethod(db, clientId, shipmentId, cargoType ?? remote.cargoType)
  if (usual === undefined && required) throw conflict(missingMessage)
  return usual
}

const missingMessage =
  'Не выбран пункт отгрузки: выберите его для этой отгрузки или, один раз для всех, для кабинета'

/** Throws conflict where the shipment goes to a point that takes boxes alone, and has none. */
export async function refuseWithoutBoxes(
  destinations: Destinations,
  externalId: string,
  { pointKind }: ShippingMethod,
): Promise<void> {
  if (pointKind !== destinations.boxedKind) return
  const boxes = await destinations.boxesOf(externalId)
  if (boxes.length === 0) throw conflict(boxesMissingMessage)
}

const boxesMissingMessage =
  'Пункт выдачи принимает отгрузку только в грузоместах: добавьте их, наклейте этикетки и закройте ещё раз'
