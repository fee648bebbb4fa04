import type { Work } from '../../platform/db/work.ts'

/** Shipments of observed cabinets, when observing begins and ends. */

/** Shows the observed shipments of a cabinet to sellers, as if they were just taken in. */
export async function showObservedShipments(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    update shipments set observed = false
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and observed`
}

/** Numbers of the cabinet's shipments that are still being assembled, at most ten. */
export async function openShipmentNumbers(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
): Promise<string[]> {
  const rows = await tx<{ number: string }[]>`
    select external_id as number from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and status = 'ASSEMBLING'
      and not observed
    order by created_at limit 10`
  return rows.map(({ number }) => number)
}
