import type { FakeAccount } from '../../tests/support/marketplaces/fake.ts'
import type { Call } from './calls.ts'

/** Connects a WB cabinet whose shipments the warehouse makes. Returns its id. */
export async function connectWildberries(
  staff: Call,
  clientId: string,
  name: string,
  { credentials }: FakeAccount<'WB'>,
  warehouses: readonly string[],
): Promise<string> {
  const draft = { marketplace: 'WB', name, credentials, shipments: 'ours' }
  const { id } = await staff('POST', `/clients/${clientId}/cabinets`, draft)
  // The stand-in's sorting centre takes all shipments.
  await staff('GET', `/cabinets/${id}/shipping-points?city=${encodeURIComponent('Москва')}`)
  const items = [1, 2, 3].map((cargo_type) => ({ cargo_type, point_id: 100 }))
  await staff('PUT', `/cabinets/${id}/shipping-defaults`, { items })
  await staff('PATCH', `/cabinets/${id}`, { warehouses })
  return String(id)
}
