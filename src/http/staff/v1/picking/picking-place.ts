import type { Queryable } from '../../../../platform/db/connection.ts'
import { invalidField } from '../../../../platform/kernel/errors.ts'
import { locationForClient } from '../../../../warehouse/storage/locations.ts'
import { findOfClient } from '../../../../warehouse/storage/queries.ts'

export interface PickingPlace {
  readonly boxId?: string
  readonly locationId?: string
}

/** The box, or the location of loose units, that a worker or a manager names. */
export async function pickingPlaceOf(
  db: Queryable,
  clientId: string,
  box: string | undefined,
  location: string | undefined,
): Promise<PickingPlace> {
  if (box !== undefined && location !== undefined) {
    throw invalidField('location_id', 'укажите что-то одно: короб или место вне коробов')
  }
  if (box !== undefined) return { boxId: await boxOf(db, clientId, box) }
  if (location === undefined) return {}
  return { locationId: await locationForClient(db, clientId, location) }
}

async function boxOf(db: Queryable, clientId: string, text: string): Promise<string> {
  const id = await findOfClient(db, 'box', clientId, text)
  if (id === undefined) throw invalidField('box_id', 'у клиента нет такого короба')
  return id
}
