import type { FakeWildberries } from '../../tests/support/marketplaces/wildberries.ts'
import { ean13, markingCode } from '../../tests/support/marking-codes.ts'
import { connectWildberries } from './cabinets.ts'
import type { Call, Json } from './calls.ts'
import type { Say } from './tell.ts'

/**
 * Goods with marking codes. The codes of two units go to WB as they are picked; WB refuses one while the shipment is
 * still open, its order gets another unit, and the shipment leaves without a delay.
 */
export interface MarksScene {
  readonly wb: FakeWildberries
  readonly seller: Call
  readonly staff: Call
  readonly clientId: string
  readonly say: Say
  /** Waits before the next look. */
  readonly pause: () => Promise<void>
}

/** What became of the codes. */
export interface MarksFigures {
  readonly proven: number
  readonly refused: number
}

interface Marks extends MarksFigures {
  readonly waiting: number
}

const barcode = ean13('460000000200')
const name = 'Кроссовки'
const unitsBrought = 4
/** A shipment of one order would leave without the refused one. */
const ordersMade = 2

export async function playMarks(scene: MarksScene): Promise<MarksFigures> {
  const { wb, staff, clientId, say } = scene
  const account = wb.account()
  wb.addCard(account, { name, barcodes: [barcode], honestMark: true })
  const cabinetId = await connectWildberries(staff, clientId, 'Проба WB, обувь', account, [
    wb.ownWarehouse,
  ])
  const [bad = '', good = '', another = ''] = await bringMarked(scene, cabinetId)
  wb.refuseMark(account, bad, 'sgtinNotFound')
  for (let n = 0; n < ordersMade; n++) wb.addOrder(account)
  const orders = await until(scene, () => ordersOf(staff, cabinetId))
  const shipment = await openShipment(staff, cabinetId, orders)
  const task = String(shipment.picking_task_id)
  const pick = (order: Json | undefined, scan: string, code: string) =>
    staff('POST', `/picking-tasks/${task}/picks`, {
      scan_id: `${order?.id} ${scan}`,
      order_id: order?.id,
      barcode,
      marking_code: code,
    })
  await pick(orders[0], 'первая', bad)
  await pick(orders[1], 'вторая', good)
  say('склад', `собраны ${name}, 2 шт.: их коды уходят в WB, первый ответ — через 20 секунд`)
  const refused = await marksOnce(scene, task, (marks) => marks.refused === 1)
  const [unit] = refused.refused_marks as Json[]
  say('склад', `посылка ${unit?.order_external_id}: ${unit?.reason}. Берём другую единицу`)
  await pick(orders[0], 'замена', another)
  const proven = await marksOnce(scene, task, (marks) => marks.proven === ordersMade)
  await staff('POST', `/shipments/${shipment.id}/close`)
  await until(scene, async () => {
    const { status } = await staff('GET', `/shipments/${shipment.id}`)
    return status === 'ASSEMBLING' ? undefined : status
  })
  say(
    'склад',
    `поставка ${shipment.external_id} передана; непринятая единица отложена, решит менеджер`,
  )
  return { proven: (proven.marks as Marks).proven, refused: 1 }
}

/** A refused code that nobody has replaced yet: its order burns on the first page of the console. */
export async function leaveRefused(scene: MarksScene): Promise<void> {
  const { wb, staff, clientId, say } = scene
  const account = wb.account()
  wb.addCard(account, { name, barcodes: [barcode], honestMark: true })
  const title = 'Проба WB, обувь без замены'
  const cabinetId = await connectWildberries(staff, clientId, title, account, [wb.ownWarehouse])
  const [bad = ''] = await bringMarked(scene, cabinetId)
  wb.refuseMark(account, bad, 'sgtinNotFound')
  for (let n = 0; n < ordersMade; n++) wb.addOrder(account)
  const orders = await until(scene, () => ordersOf(staff, cabinetId))
  const { picking_task_id: id } = await openShipment(staff, cabinetId, orders)
  const [order] = orders
  const pick = { scan_id: `${order?.id} одна`, order_id: order?.id, barcode, marking_code: bad }
  await staff('POST', `/picking-tasks/${id}/picks`, pick)
  await marksOnce(scene, String(id), (marks) => marks.refused === 1)
  say('склад', `посылка ${order?.external_id}: код не принят, и замены нет — решите на «Сегодня»`)
}

/** The seller announces the goods, and the warehouse receives them code by code. Returns the codes. */
async function bringMarked(
  { seller, staff, clientId, say }: MarksScene,
  cabinetId: string,
): Promise<string[]> {
  const items = [{ barcode, name, qty: unitsBrought, honest_mark: true }]
  const { id, number } = await seller('POST', '/receipts', { cabinet_id: cabinetId, items })
  await staff('POST', `/receipts/${id}/confirm`)
  await staff('POST', `/receipts/${id}/start`)
  const pallet = await staff('POST', '/pallets', { client_id: clientId })
  const box = await staff('POST', '/boxes', { client_id: clientId, pallet_id: pallet.id })
  // Other codes than those of an earlier trial on the same data.
  const first = Date.now() % 1_000_000_000
  const codes = Array.from({ length: unitsBrought }, (_, n) => markingCode(barcode, first + n))
  for (const code of codes) {
    const scan = { scan_id: `${id} ${code.slice(18, 31)}`, marking_code: code, box_id: box.id }
    await staff('POST', `/receipts/${id}/scans`, scan)
  }
  await staff('POST', `/receipts/${id}/finish`, { shortages: [] })
  say('склад', `приёмка ${number}: ${name}, ${unitsBrought} шт. с кодами маркировки`)
  return codes
}

async function ordersOf(staff: Call, cabinetId: string): Promise<Json[] | undefined> {
  const { items } = await staff('GET', `/orders?cabinet_id=${cabinetId}&status=NEW`)
  const orders = items as Json[]
  return orders.length === ordersMade ? orders : undefined
}

async function openShipment(staff: Call, cabinet_id: string, orders: Json[]): Promise<Json> {
  const reference = `Обувь ${new Date().toTimeString().slice(0, 8)}`
  const draft = { cabinet_id, external_id: reference, name: reference }
  const shipment = await staff('POST', '/shipments', draft)
  const order_ids = orders.map(({ id }) => id)
  await staff('POST', `/shipments/${shipment.id}/orders`, { order_ids })
  return shipment
}

/** The picking task as soon as its codes are so. Every change is printed. */
function marksOnce(
  scene: MarksScene,
  task: string,
  isSo: (marks: Marks) => boolean,
): Promise<Json> {
  let printed = ''
  return until(scene, async () => {
    const found = await scene.staff('GET', `/picking-tasks/${task}`)
    const marks = found.marks as Marks
    const { proven, waiting, refused } = marks
    const now = `коды единиц: приняты ${proven}, ждут ответа ${waiting}, не приняты ${refused}`
    if (now !== printed) scene.say('WB', now)
    printed = now
    return isSo(marks) ? found : undefined
  })
}

async function until<Found>(
  { pause }: MarksScene,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await pause()
  }
}
