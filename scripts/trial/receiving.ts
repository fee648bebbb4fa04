import type { Call, Json } from './calls.ts'
import { say } from './tell.ts'

/** Goods as a seller brings them. */
export interface Delivery {
  readonly barcode: string
  readonly name: string
  readonly qty: number
}

/** Units that are missing from the first line of every delivery. */
const missingUnits = 2

/** A seller announces goods; the warehouse counts them into boxes on a pallet, and two units are missing. */
export async function receive(
  seller: Call,
  staff: Call,
  { clientId, cabinetId, goods }: { clientId: string; cabinetId: string; goods: Delivery[] },
): Promise<void> {
  const announced = await seller('POST', '/receipts', {
    cabinet_id: cabinetId,
    items: goods.map((line) => ({ ...line, honest_mark: false })),
  })
  const { id, number } = announced
  say(
    'продавец',
    `заявил приёмку ${number}: ${goods.length} товаров, ${announced.expected_qty} шт.`,
  )
  await staff('POST', `/receipts/${id}/confirm`)
  await staff('POST', `/receipts/${id}/start`)
  say('склад', `приёмка ${number} подтверждена, товар приехал, считаем`)
  const delivered = new Map<string, number>()
  const pallet = await staff('POST', '/pallets', { client_id: clientId })
  for (const [index, { barcode, name, qty }] of goods.entries()) {
    const box = await staff('POST', '/boxes', { client_id: clientId, pallet_id: pallet.id })
    const units = index === 0 ? qty - missingUnits : qty
    const scan = { scan_id: `${id} ${barcode}`, barcode, qty: units, box_id: box.id }
    await staff('POST', `/receipts/${id}/scans`, scan)
    delivered.set(String(box.id), units)
    say('склад', `короб ${box.sscc}: ${name}, ${units} шт. из ${qty}`)
  }
  await putAway(staff, clientId, pallet)
  await count(staff, clientId, delivered)
  const [short] = goods
  const shortages = [{ barcode: short?.barcode, reason: 'NOT_DELIVERED' }]
  const finished: Json = await staff('POST', `/receipts/${id}/finish`, { shortages })
  say(
    'склад',
    `приёмка ${number}: ${finished.status_label}; принято ${finished.accepted_qty}, не хватает ${finished.discrepancy_qty} (${short?.name})`,
  )
}

/** Another worker counts what the receipt put away; the manager closes the count without a difference. */
async function count(staff: Call, clientId: string, delivered: Map<string, number>): Promise<void> {
  const { items } = await staff('GET', `/counts?client_id=${clientId}&limit=1`)
  if ((items as Json[]).length > 0) return
  const scope = { boxes: [...delivered.keys()] }
  const { id } = await staff('POST', '/counts', { client_id: clientId, scope })
  await staff('POST', `/counts/${id}/start`)
  for (const [box_id, qty] of delivered) {
    const { contents } = await staff('GET', `/boxes/${box_id}`)
    const [held] = contents as Json[]
    const scan = { scan_id: `${id} ${box_id}`, code: held?.barcode, qty, box_id }
    await staff('POST', `/counts/${id}/scans`, scan)
  }
  const reviewed = await staff('POST', `/counts/${id}/review`)
  if (reviewed.differing === 0) await staff('POST', `/counts/${id}/close`)
  say('склад', `пересчёт: ${reviewed.units} шт., расхождений ${reviewed.differing}`)
}

/** The pallet goes to the next of the locations, which are made with the first delivery. */
async function putAway(staff: Call, clientId: string, pallet: Json): Promise<void> {
  const { warehouse_code } = await staff('GET', `/clients/${clientId}`)
  const pattern = 'A-{01..05}-{1..4}'
  await staff('POST', '/locations/bulk', { warehouse_code, pattern, zone: 'Стеллажи', order: 1 })
  const { items } = await staff('GET', `/locations?warehouse_code=${warehouse_code}`)
  const known = items as Json[]
  const free = known.find((each) => each.pallets_count === 0) ?? known[0]
  const placed = await staff('POST', `/pallets/${pallet.id}/place`, { location_id: free?.id })
  say('склад', `паллета ${placed.sscc}: стоит на месте ${placed.location_code}`)
}
