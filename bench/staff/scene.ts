import type { Database } from '../../src/platform/db/connection.ts'
import { perform, type Work } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { gtinOf } from '../../src/platform/kernel/codes/gs1.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { type RegisteredItem, registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { addManager, postToStaff, type StaffApi } from '../place.ts'
import type { Call } from './caller.ts'

/** The data that workers change: ten clients with two receipts each in counting, and a manager. */
export interface Scene {
  readonly token: string
  readonly clients: readonly SceneClient[]
}

export interface SceneClient {
  readonly id: string
  readonly cabinetId: string
  /** Receipts in counting; each has all the goods without marking. */
  readonly receipts: readonly string[]
  /** A receipt in counting, of all marked goods. */
  readonly markedReceipt: string
}

const clientsCount = 10
const receiptsOfClient = 2
/** No receipt is counted to its end. */
const expected = 100_000_000

export const goods = Array.from({ length: 50 }, (_, n) =>
  ean13(`4600000${String(n).padStart(5, '0')}`),
)
const marked = Array.from({ length: 50 }, (_, n) => ean13(`4610000${String(n).padStart(5, '0')}`))

function ean13(body: string): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`)
  const whole = digits.find((text) => gtinOf(text) !== undefined)
  if (whole === undefined) throw new RangeError(body)
  return whole
}

export async function buildScene(db: Database): Promise<Scene> {
  const token = await addManager(db)
  const clients = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const added: SceneClient[] = []
    while (added.length < clientsCount) added.push(await addClient(work))
    return added
  })
  return { token, clients }
}

async function addClient(work: Work): Promise<SceneClient> {
  const id = await createClient(work, { mode: 'live', name: 'Продавец' })
  const cabinetId = await addCabinet(work, id, { marketplace: 'WB', name: 'Кабинет' })
  const item = (barcode: string) => ({ barcode, name: `Товар ${barcode}`, qty: expected })
  const receiving = async (items: readonly RegisteredItem[]) => {
    const receipt = await registerReceipt(work, id, { source: 'manual', items })
    await startReceiving(work, id, receipt)
    return receipt
  }
  const receipts: string[] = []
  while (receipts.length < receiptsOfClient) receipts.push(await receiving(goods.map(item)))
  const markedReceipt = await receiving(
    marked.map((barcode) => ({ ...item(barcode), honestMark: true })),
  )
  return { id, cabinetId, receipts, markedReceipt }
}

/** Scans of each of the goods in each of the receipts, the receipts in turn. */
export function scansOf(receipts: readonly string[], barcodes: readonly string[]): Call[] {
  return barcodes.flatMap((barcode) =>
    receipts.map((receipt) => ({
      path: `/staff/v1/receipts/${receipt}/scans`,
      body: JSON.stringify({ scan_id: '{ref}', barcode }),
    })),
  )
}

/** Scans of marked goods, each of a new unit. */
export function scansOfMarks(receipt: string): Call[] {
  return marked.map((barcode) => ({
    path: `/staff/v1/receipts/${receipt}/scans`,
    body: JSON.stringify({
      scan_id: '{ref}',
      marking_code: `01${gtinOf(barcode)}21u{ref}\u001d91EE07\u001d92${'A'.repeat(44)}`,
    }),
  }))
}

/** Adds so many units to stock that every order can reserve its unit. */
export async function stockUp(
  db: Database,
  api: StaffApi,
  { receipts }: SceneClient,
): Promise<void> {
  for (const barcode of goods) {
    const scan = { scan_id: `stock ${barcode}`, barcode, qty: 100_000 }
    await postToStaff(api, `/receipts/${receipts[0]}/scans`, scan)
  }
  await db`vacuum (analyze)`
  await db`checkpoint`
}
