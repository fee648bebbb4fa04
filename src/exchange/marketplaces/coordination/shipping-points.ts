import { perform } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../../platform/kernel/errors.ts'
import {
  rememberShippingPoints,
  type ShippingPoint,
} from '../../../warehouse/shipments/shipping-method.ts'
import { type Cabinet, connectionOf, isConnected } from '../connecting/connected-cabinet.ts'
import type { Destinations } from '../connector.ts'
import type { CoordinatorTools } from './coordinator-tools.ts'
import { shownToStaff, withStaffErrors } from './staff-errors.ts'

/** Throws conflict where the cabinet is not connected, or its marketplace asks for no points. */
export function destinationsOf({ connect }: CoordinatorTools, cabinet: Cabinet): Destinations {
  if (cabinet.marketplace !== 'WB') {
    throw conflict('Пункты отгрузки выбирают только для WB: у OZON их задаёт способ доставки')
  }
  if (!isConnected(cabinet)) {
    throw conflict('Кабинет не подключён: выберите пункт и добавьте грузоместа в кабинете WB')
  }
  try {
    const { destinations } = connect(cabinet).shipping
    if (destinations !== undefined) return destinations
  } catch (error) {
    throw shownToStaff(error)
  }
  throw conflict('Этот маркетплейс не спрашивает, куда поедет отгрузка')
}

export interface PointsQuery {
  readonly city: string
  readonly cargoType: number | undefined
}

/** Lists the points of a city and remembers them, so that staff may choose one by its number. */
export async function findShippingPoints(
  tools: CoordinatorTools,
  clientId: string,
  cabinetId: string,
  { city, cargoType }: PointsQuery,
  actor: Actor,
): Promise<readonly ShippingPoint[]> {
  const { db, clock } = tools
  const cabinet = await connectionOf(db, clientId, cabinetId)
  if (cabinet === undefined) throw notFound('Кабинет не найден')
  const destinations = destinationsOf(tools, cabinet)
  const points = await withStaffErrors(() => destinations.points(city, cargoType))
  await perform(db, clock, actor, (work) =>
    rememberShippingPoints(work, clientId, cabinetId, points),
  )
  return points
}
