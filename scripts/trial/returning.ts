import type { Call, Json } from './calls.ts'
import { say } from './tell.ts'

const condition = { sellable: 'годен', damaged: 'повреждён' } as const

/** Takes in what buyers did not take: of each cancelled order that had left, one unit. Every third one is damaged. */
export async function takeBack(staff: Call, clientId: string, taken: Set<string>): Promise<void> {
  const query = `client_id=${clientId}&status=CANCELLED&in_shipment=true&limit=100`
  const { items } = await staff('GET', `/orders?${query}`)
  for (const { id, external_id: code, shipment_id, lines } of items as Json[]) {
    if (taken.has(String(id)) || !(await hasLeft(staff, shipment_id))) continue
    const state = taken.size % 3 === 2 ? 'damaged' : 'sellable'
    const [unit] = lines as Json[]
    const scan = {
      scan_id: id,
      client_id: clientId,
      code,
      barcode: unit?.barcode,
      condition: state,
    }
    const { name } = await staff('POST', '/returns/scans', scan)
    taken.add(String(id))
    say('склад', `вернулся заказ ${code}: ${name}, ${condition[state]}`)
  }
}

async function hasLeft(staff: Call, shipmentId: unknown): Promise<boolean> {
  const { status } = await staff('GET', `/shipments/${shipmentId}`)
  return status !== 'ASSEMBLING'
}
